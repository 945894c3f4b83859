"""Runs each query of the dashboard in chdb with every kiosk and a zone, and lets promtool parse each expression: dashboard.py."""

import json
import pathlib
import subprocess
import sys
import tempfile

import journals
from compare import ROOT, Database, quoted, read_kinds

BOARD = ROOT / "config/fleet/grafana/fleet.json"
HOSTS, ZONE = ["hall", "x'); DROP TABLE touchd.days; --"], "map') OR 1 --"


def day(host, number):
    tally = {"touches": 5, "taps": 4, "cancelled": 1, "abandoned": 1, "unfinished": 0}
    kiosk = {"host": host, "machine": host, "concerns": ["device lost"], "zones": [{"view": ZONE, "tally": tally}], "deadZones": [{"view": "help"}],
             "hours": [{"start": f"2026-11-0{number}T08:00:00Z", "touches": 5, "taps": 4}], "lastTouch": f"2026-11-0{number}T08:30:00Z"}
    return {"day": f"2026-11-0{number}", "seat": "", "kiosk": kiosk}


def main():
    read_kinds()
    board = json.loads(BOARD.read_text())
    boxes = [panel["gridPos"] for panel in board["panels"]]
    overlaps = [(a, b) for i, a in enumerate(boxes) for b in boxes[:i]
                if a["x"] < b["x"] + b["w"] and b["x"] < a["x"] + a["w"] and a["y"] < b["y"] + b["h"] and b["y"] < a["y"] + a["h"]]
    failures = len(overlaps)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        database, file, rules = Database(folder / "chdb"), folder / "rows.json", folder / "rules.yml"
        database.make()
        file.write_text("".join(json.dumps(day(host, number)) + "\n" for host in HOSTS for number in (1, 2)))
        database.insert("day", file)
        file.write_text(journals.lines(journals.fixtures("hall")[0].records))
        database.insert("journal", file)
        values = {"${__from:date:seconds}": "1793491200", "${__to:date:seconds}": "1793664000", "${zone:singlequote}": quoted(ZONE),
                  "${kiosk:singlequote}": ", ".join(map(quoted, HOSTS))}

        def rows(query):
            for name, value in values.items():
                query = query.replace(name, value)
            assert "$" not in query, query
            return len(database.rows(query))
        for variable in board["templating"]["list"]:
            if variable["type"] == "query":
                failures += show(variable["label"], rows(variable["query"]))
        for panel in board["panels"]:
            target, = panel["targets"]
            if "rawSql" in target:
                failures += show(panel["title"], rows(target["rawSql"]))
            else:
                rules.write_text(json.dumps({"groups": [{"name": "panel", "rules": [{"record": "panel", "expr": target["expr"]}]}]}))
                failures += subprocess.run(["promtool", "check", "rules", rules], capture_output=True).returncode
    sys.exit(failures > 0)


def show(title, count):
    print(f"{title}: {count} rows")
    return count == 0


if __name__ == "__main__":
    main()
