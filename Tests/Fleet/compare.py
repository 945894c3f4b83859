"""Compares what `touchd report` and the SQL of config/fleet say about the same journals: compare.py TOUCHD [--journals N] [--seed N].

Then each threshold of the SQL is changed alone: the comparison must find a difference, so a change of one side only would be found too.
"""

import argparse
import collections
import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import chdb.session
import journals

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "config/fleet/clickhouse"
ALL = "from = '1970-01-01', to = '2200-01-02'"
# What is changed alone, each a little down and a little up. The numbers of touchd are in Sources/Reports and TapGestureRecognizer.
THRESHOLDS = [
    ("duration BETWEEN 0 AND 0.75", "duration BETWEEN 0 AND 0.7499", "duration BETWEEN 0 AND 0.7501"),
    ("duration BETWEEN 0", "duration BETWEEN 0.001", "duration BETWEEN -1"),
    ("distance <= 45", "distance <= 44.99", "distance <= 45.01", "distance < 45"),
    ("ifNull(distance <= 45, true)", "ifNull(distance <= 45, false)"),
    ("expected >= 10", "expected >= 9.5", "expected >= 10.5"),
    ("LIMIT 2000", "LIMIT 3"),
    ("next_gestures > gestures", "false", "true"),
    ("trigger IN ('recognized', 'began')", "trigger IN ('recognized')", "trigger IN ('began')", "true"),
    ("INTERVAL 10 MINUTE", "INTERVAL 9 MINUTE", "INTERVAL 11 MINUTE"),
    ("abs(x_) < 1000000", "abs(x_) < 999500", "abs(x_) < 1000500"),
    ("abs(y_) < 1000000", "abs(y_) < 999500", "abs(y_) < 1000500"),
    ("seconds < 10000000000", "seconds < 9995000000", "seconds < 10005000000"),
    ("if(seconds >= 0", "if(seconds >= -10"),
    ("microseconds < 7258118400000000", "microseconds < 7258118350000000", "microseconds < 7258118450000000"),
    ("substringUTF8(s, 1, 128)", "substringUTF8(s, 1, 127)", "substringUTF8(s, 1, 129)"),
]


def statements(change=None):
    text = "\n".join(path.read_text() for path in sorted(FOLDER.glob("0*.sql")))
    if change:
        assert text.count(change[0]) == 1, f"the SQL does not have this threshold once: {change[0]}"
        text = text.replace(*change)
    return [part for part in re.split(r";\n", text) if re.search(r"^[A-Z]", part, re.M)]


class Database:
    def __init__(self, folder):
        self.session = chdb.session.Session(str(folder))

    def make(self, change=None):
        for table in ("entries_of_journal", "layouts_of_entries", "days_of_day", "entries", "layouts", "journal", "days", "day"):
            self.session.query(f"DROP TABLE IF EXISTS touchd.{table} SYNC")
        for statement in statements(change):
            self.session.query(statement)

    def fill(self, *files):
        for table in ("entries", "layouts", "days"):
            self.session.query(f"TRUNCATE TABLE touchd.{table}")
        for file in files:
            self.insert("journal", file)

    def insert(self, table, file):
        self.session.query(f"INSERT INTO touchd.{table} FROM INFILE '{file}' SETTINGS input_format_skip_unknown_fields = 1 FORMAT JSONEachRow")

    def rows(self, query):
        text = str(self.session.query(query, "JSONCompactEachRow"))
        return [tuple(json.loads(line)) for line in text.splitlines()]


def read_kinds():
    source = (ROOT / "Sources/ControlProtocol/Journal/MessageID.swift").read_text()
    journals.IDS.update(re.findall(r'case (\w+) = "(\w{32})"', source))


def report(touchd, *paths):
    run = subprocess.run([touchd, "report", "--json", *map(str, paths)], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def sums_of_report(report):
    """What both say, as numbers by what they count."""
    numbers = {}
    for kiosk in report["kiosks"]:
        name = kiosk["host"], kiosk["machine"]
        for zone in kiosk["zones"]:
            tally = zone["tally"]
            numbers["zone", *name, zone["view"]] = [tally[key] for key in ("touches", "taps", "cancelled", "abandoned", "unfinished")]
        for zone in kiosk["deadZones"]:
            expected = zone.get("expected")
            numbers["never touched", *name, zone["view"]] = [f"{expected or 0:.9g}", (expected or 0) >= 10]
        for hour in kiosk["hours"]:
            numbers["hour", *name, hour["start"]] = [hour["touches"], hour["taps"]]
        if "dead zone" in kiosk["concerns"]:
            numbers["dead zone", *name] = [True]
    return numbers


def sums_of_truth(fleet):
    """What the report does not say: touches by layout, day and hour."""
    numbers = collections.Counter()
    for kiosk in fleet:
        for layout, hour in kiosk.truth:
            name = [re.sub("[\x00-\x1f]", "\ufffd", name) for name in (kiosk.host, kiosk.machine)]
            numbers["layout", *name, layout, hour] += 1
    return {key: [count] for key, count in numbers.items()}


def sums_of_sql(database, period=ALL):
    numbers = {}
    for host, machine, view, *tally in database.rows(
            f"SELECT host, machine, view, toInt32(sum(touches)), toInt32(sum(taps)), toInt32(sum(cancelled)), toInt32(sum(abandoned)), toInt32(sum(unfinished)) "
            f"FROM touchd.sums({period}) GROUP BY host, machine, view"):
        numbers["zone", host, machine, view] = tally
    for host, machine, view, expected, is_suspicious in database.rows(
            f"SELECT host, machine, view, expected, is_suspicious FROM touchd.never_touched({period})"):
        numbers["never touched", host, machine, view] = [f"{expected or 0:.9g}", (expected or 0) >= 10]
        if is_suspicious:
            numbers["dead zone", host, machine] = [True]
    for host, machine, hour, *tally in database.rows(
            f"SELECT host, machine, formatDateTime(day, '%Y-%m-%dT') || leftPad(toString(hour), 2, '0') || ':00:00Z' AS start, toInt32(sum(touches)), "
            f"toInt32(sum(taps)) FROM touchd.sums({period}) GROUP BY host, machine, start"):
        numbers["hour", host, machine, hour] = tally
    for host, machine, layout, hour, count in database.rows(
            f"SELECT host, machine, layout, toInt32(toInt32(day) * 24 + hour) AS h, toInt32(sum(touches)) FROM touchd.sums({period}) GROUP BY host, machine, layout, h"):
        numbers["layout", host, machine, layout, hour] = [count]
    return numbers


def days(touchd, database, records, folder):
    """The sums of the days that are sent, as the reports of each day have them and as SQL has them."""
    parts, numbers, lines = collections.defaultdict(list), collections.Counter(), []
    for record in records:
        seat = re.sub(r"^touchd(@(.*))?\.service$", r"\2", record["_SYSTEMD_UNIT"])
        parts[seat, int(record["__REALTIME_TIMESTAMP"]) // 86_400_000_000].append(record)
    for (seat, number), part in parts.items():
        day = str(datetime.date(1970, 1, 1) + datetime.timedelta(number))
        if day > "2149":
            continue
        path = folder / "part.json"
        path.write_text(journals.lines(part))
        for kiosk in report(touchd, path)["kiosks"]:
            lines.append(json.dumps({"day": day, "seat": seat, "from": "", "until": "", "kiosk": kiosk}) + "\n")
            name = kiosk["host"], kiosk["machine"], seat
            for zone in kiosk["zones"]:
                for key in ("touches", "taps", "cancelled", "abandoned", "unfinished"):
                    numbers["days", *name, zone["view"], key] += zone["tally"][key]
            for hour in kiosk["hours"]:
                numbers["hours", *name, hour["start"].replace("T", " ").removesuffix("Z")] += hour["taps"]
            numbers["lost", *name, day] += len(kiosk["lostDevices"])
    # Some days arrive again.
    for chosen in (lines, lines[::2]):
        path.write_text("".join(chosen))
        database.insert("day", path)
    period, found = "from = '1970-01-01', to = '2149-01-01'", {}
    for *name, view, touches, taps, cancelled, abandoned, unfinished in database.rows(
            "SELECT host, machine, seat, view, toInt32(sum(touches)), toInt32(sum(taps)), toInt32(sum(cancelled)), toInt32(sum(abandoned)), toInt32(sum(unfinished)) "
            f"FROM touchd.day_sums({period}) GROUP BY host, machine, seat, view"):
        for key, value in dict(touches=touches, taps=taps, cancelled=cancelled, abandoned=abandoned, unfinished=unfinished).items():
            found["days", *name, view, key] = value
    for *name, start, taps in database.rows(
            f"SELECT host, machine, seat, toString(start), toInt32(sum(taps)) FROM touchd.day_hours({period}) GROUP BY host, machine, seat, start"):
        found["hours", *name, start] = taps
    for *name, day, lost in database.rows("SELECT host, machine, seat, toString(day), toInt32(length(lost_devices.device)) FROM touchd.days FINAL"):
        found["lost", *name, day] = lost
    return dict(numbers), found


def differences(one, other):
    return [(key, one.get(key), other.get(key)) for key in sorted(one.keys() | other.keys(), key=str) if one.get(key) != other.get(key)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("touchd")
    parser.add_argument("--journals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-compare", action="store_true", help="change no threshold")
    options = parser.parse_args()
    read_kinds()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        database = Database(folder / "chdb")
        database.make()
        # Only parsed: a cluster needs servers.
        for statement in re.split(r";\n", (FOLDER / "cluster.sql").read_text())[:-1]:
            database.session.query("EXPLAIN AST " + re.sub(r"^--.*\n", "", statement, flags=re.M))
        cases = []
        numbers = kiosks = entries = 0
        for index, fleet in enumerate(journals.fleets(options.seed, options.journals)):
            path, twice = folder / f"{index}.json", folder / f"{index}.twice.json"
            records = [record for kiosk in fleet for record in kiosk.records]
            path.write_text(journals.lines(records))
            twice.write_text(journals.lines(records[len(records) // 3:]))
            whole = report(options.touchd, path)
            expected = {**sums_of_report(whole), **sums_of_truth(fleet)}
            cases.append((path, expected))
            found = differences(flat(whole), flat(report(options.touchd, path, twice)))
            database.fill(path, twice)
            # The same entries of another day of the collector.
            database.session.query("INSERT INTO touchd.entries SELECT * REPLACE (received - INTERVAL 2 DAY AS received) FROM touchd.entries")
            found += differences(expected, sums_of_sql(database))
            # The entries that the tables return are a journal, which has the same report word for word.
            again = folder / "again.json"
            again.write_text("".join(
                str(database.session.query(f"SELECT * FROM touchd.journal_of(kiosk = {quoted(host)}, {ALL})", "JSONEachRow"))
                for host, in database.rows("SELECT DISTINCT host FROM touchd.entries")))
            judged = report(options.touchd, again)
            if judged != whole:
                found += differences(flat(whole), flat(judged))
            sums = days(options.touchd, database, records, folder)
            found += differences(*sums)
            failures += show(f"fleet {index}", found)
            numbers, kiosks, entries = numbers + len(expected) + len(sums[0]), kiosks + len(whole["kiosks"]), entries + len(records)
        # A day: the touches that began in it, with the ends of ten minutes more.
        fleet, until = journals.held("held")
        path, day = folder / "held.json", folder / "day.json"
        records = fleet[0].records
        path.write_text(journals.lines(records))
        day.write_text(journals.lines(r for r in records if int(r["__REALTIME_TIMESTAMP"]) < (until + 600) * 1e6))
        cases.append((path, sums_of_report(report(options.touchd, day)), f"from = '1970-01-01', to = {until:.0f}"))
        database.fill(path)
        failures += show("day", differences(cases[-1][1], {key: value for key, value in sums_of_sql(database, cases[-1][2]).items() if key[0] != "layout"}))
        print(f"{len(cases)} fleets, {kiosks} kiosks, {entries} entries, seed {options.seed}: {numbers} numbers, {failures} differences")
        for before, *changed in [] if options.only_compare else THRESHOLDS:
            for after in changed:
                database.make((before, after))
                if not any(is_different(database, *case) for case in cases):
                    print(f"no journal notices '{after}' instead of '{before}'")
                    failures += 1
                else:
                    print(f"noticed: '{after}' instead of '{before}'")
    sys.exit(failures > 0)


def is_different(database, path, expected, period=ALL):
    database.fill(path)
    found = sums_of_sql(database, period)
    return any(key[0] != "layout" or period == ALL for key, _, _ in differences(expected, found))


def show(title, found):
    for key, one, other in found[:10]:
        print(f"{title}: {key}: touchd report {one}, SQL {other}")
    return len(found)


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def flat(value, key=()):
    if isinstance(value, dict):
        return {k: v for name, item in value.items() for k, v in flat(item, key + (name,)).items()}
    if isinstance(value, list):
        return {k: v for name, item in enumerate(value) for k, v in flat(item, key + (name,)).items()}
    return {key: value}


if __name__ == "__main__":
    main()
