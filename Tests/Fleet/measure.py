"""Measures the SQL of config/fleet in chdb: measure.py [MILLIONS], ten by default. A million entries are a day of 50 kiosks with 10,000 taps."""

import json
import os
import pathlib
import sys
import tempfile
import threading
import time

from compare import ROOT, Database

# The fields that docs/fleet.md sends; TOUCHD_TIME, positions and views vary as on a screen of 20 views.
DAY = """
SELECT toString(1793491200000000 + (number % 20000) * 2160000 + rand(1) % 1000000) AS __REALTIME_TIMESTAMP,
    toString(5000000 + (number % 20000) * 2160000) AS __MONOTONIC_TIMESTAMP, concat('kiosk-', toString(intDiv(number, 20000))) AS _HOSTNAME,
    lower(hex(sipHash128('machine', intDiv(number, 20000)))) AS _MACHINE_ID, lower(hex(sipHash128('boot', intDiv(number, 20000)))) AS _BOOT_ID,
    '700' AS _PID, 'touchd.service' AS _SYSTEMD_UNIT, '6' AS PRIORITY,
    if(number % 2, '2d44f8dff13041c482b24b1f0dce8fcc', '96fa9236d3bb4aaa9aff2caea63c8aff') AS MESSAGE_ID,
    toString(intDiv(number % 20000, 2) + 1) AS TOUCHD_TOUCH, concat('view-', toString(cityHash64(intDiv(number, 2)) % 20)) AS TOUCHD_VIEW,
    toString(cityHash64(intDiv(number, 2), 'x') % 192000 / 100) AS TOUCHD_X, toString(cityHash64(intDiv(number, 2), 'y') % 108000 / 100) AS TOUCHD_Y,
    toString(5 + intDiv(number % 20000, 2) * 4.32 + if(number % 2, 0.08 + rand(2) % 1000 / 10000, 0)) AS TOUCHD_TIME
FROM numbers({first}, 1000000) INTO OUTFILE '{file}' TRUNCATE FORMAT JSONEachRow
"""
PERIOD = "from = '2026-11-01', to = '2026-11-02'"
QUESTIONS = {
    "touches of each view": f"SELECT view, sum(touches), sum(taps) FROM touchd.sums({PERIOD}) GROUP BY view",
    "touches of each kiosk by hour": f"SELECT host, hour, sum(touches) FROM touchd.sums({PERIOD}) GROUP BY host, hour",
    "views never touched": f"SELECT * FROM touchd.never_touched({PERIOD})",
    "one kiosk's journal": f"SELECT * FROM touchd.journal_of(kiosk = 'kiosk-7', {PERIOD})",
}


def day(number):
    """A kiosk's day with 20 views and twelve hours, as touchd day writes it."""
    tally = {"touches": 500, "taps": 450, "cancelled": 5, "liftedOutside": 0, "abandoned": 5, "unfinished": 0}
    kiosk = {"host": f"kiosk-{number}", "machine": f"{number:032x}", "concerns": [], "layouts": [], "deadZones": [{"view": "help"}],
             "zones": [{"view": f"view-{view}", "tally": {**tally, "taps": (number * 31 + view * 17) % 500}} for view in range(20)],
             "hours": [{"start": f"2026-11-01T{hour:02}:00:00Z", "touches": 833, "taps": number % 833} for hour in range(8, 20)],
             "firstTouch": "2026-11-01T08:00:00Z", "lastTouch": "2026-11-01T19:59:00Z"}
    return {"day": "2026-11-01", "seat": "", "from": "2026-11-01T00:00:00Z", "until": "2026-11-02T00:00:00Z", "kiosk": kiosk}


def greatest(body):
    """The seconds that the body takes, and the process's greatest resident memory meanwhile, in MB."""
    peak, done = 0, threading.Event()

    def watch():
        nonlocal peak
        while not done.wait(0.02):
            peak = max(peak, int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20)
    thread = threading.Thread(target=watch)
    thread.start()
    start = time.monotonic()
    body()
    seconds = time.monotonic() - start
    done.set()
    thread.join()
    return seconds, peak


def main():
    millions = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory(dir=ROOT / ".build") as folder:
        database, file = Database(pathlib.Path(folder) / "chdb"), pathlib.Path(folder) / "day.json"
        database.make()
        stored = memory = size = 0
        for million in range(millions):
            database.session.query(DAY.format(first=million * 1_000_000, file=file))
            size += file.stat().st_size
            seconds, peak = greatest(lambda: database.session.query(
                f"INSERT INTO touchd.journal FROM INFILE '{file}' SETTINGS input_format_skip_unknown_fields = 1 FORMAT JSONEachRow"))
            stored, memory = stored + seconds, max(memory, peak)
        print(f"{millions} million entries, {size / 1e6 / millions:.0f} bytes each, stored in {stored:.1f} s: "
              f"{millions * 1e6 / stored:,.0f} a second, at most {memory} MB")
        database.session.query("OPTIMIZE TABLE touchd.entries FINAL")
        (disk,), = database.rows("SELECT sum(bytes_on_disk) FROM system.parts WHERE database = 'touchd' AND table = 'entries' AND active")
        print(f"on disk {int(disk) / 1e6:.0f} MB: {int(disk) / millions / 1e6:.1f} bytes an entry, "
              f"{int(disk) / (50 * millions) / 1e3:.0f} kB a day for each kiosk of 10,000 taps")
        for title, query in QUESTIONS.items():
            seconds, peak = greatest(lambda: database.session.query(query, "JSONEachRow" if "journal_of" in query else "Null"))
            print(f"{title}: {seconds:.2f} s, at most {peak} MB")
        with file.open("w") as lines:
            lines.writelines(json.dumps(day(number)) + "\n" for number in range(10_000))
        seconds, peak = greatest(lambda: database.insert("day", file))
        print(f"days of 10,000 kiosks, {file.stat().st_size / 10_000:,.0f} bytes each: stored in {seconds:.2f} s, at most {peak} MB")
        period = "from = '2026-11-01', to = '2026-11-02'"
        seconds, _ = greatest(lambda: database.rows(f"SELECT view, sum(touches), sum(taps) FROM touchd.day_sums({period}) GROUP BY view"))
        print(f"touches of each view, from days: {seconds:.2f} s")


if __name__ == "__main__":
    main()
