#!/usr/bin/env python3
"""Prints the time from a touchscreen's frame to touchd's DOM event in Chromium, beside the browser's own `pointerdown`.

BINARY names the touchd, with touchd-web beside it.
"""
import http.server, os, queue, subprocess, sys, threading, time

from chromium import Chromium
from screen import Screen, figures, file, folder, running

touchd = os.path.realpath(os.environ["BINARY"])
TAPS = 300

PAGE = """<!doctype html><meta charset="utf-8"><style>body { margin: 0; height: 100vh }</style>
<div id="area" data-touchd data-touchd-gestures="pan" style="position: absolute; inset: 0"></div>
<script src="/touchd.js"></script><script>
const now = () => performance.timeOrigin + performance.now();
const report = (what, body = "") => fetch(location.hash.slice(1) + "/" + what, { method: "POST", mode: "no-cors", body });
for (const name of ["touchd:began", "pointerdown"]) area.addEventListener(name, () => report("event", name + " " + now()));
document.addEventListener("touchd:connected", () => setTimeout(() => report("ready", navigator.userAgent), 500));
</script>"""


class Collector(http.server.BaseHTTPRequestHandler):
    """Receives what the page reports."""
    reports = {"ready": queue.Queue(), "event": queue.Queue()}

    def do_POST(self):
        self.reports[self.path[1:]].put(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_): pass


def measure(screen, chromium):
    """Touches the page by touchd and by the browser in turns, and prints a row."""
    # Chromium names Safari last.
    agent = next(word for word in Collector.reports["ready"].get(timeout=120).split() if "Chrome/" in word)
    ways = {"touchd:began": screen, "pointerdown": chromium}
    times = {way: [] for way in ways}
    for _ in range(TAPS):
        for way, fingers in ways.items():
            start = time.time()
            fingers.down(300, 300)
            event, stamp = Collector.reports["event"].get(timeout=120).split()
            fingers.up()
            if event != way:
                sys.exit(f"{event} instead of {way}")
            times[way].append(float(stamp) - start * 1000)
            # The next finger finds the page idle.
            time.sleep(0.02)
    print(f"\nFrom the frame to the DOM event, median and 99th percentile of {TAPS} touches, in ms. `pointerdown` is the browser's own, of"
          " a touch that the DevTools protocol sends:\n")
    print("| | touchd:began | p99 | pointerdown | p99 |\n|---|---:|---:|---:|---:|")
    print(f"| {agent} | {figures(times['touchd:began'])} | {figures(times['pointerdown'])} |")


layout = file("page.yaml", "screen: {size: [1000, 1000]}\nviews: [{slot: page, frame: [0, 0, 1000, 1000]}]\n")
control, screen = f"{folder.name}/page", Screen()
os.makedirs(f"{folder.name}/site")
file("site/index.html", PAGE)
settings = file("page-web.yaml", f"pages: {folder.name}/site\n")
collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
threading.Thread(target=collector.serve_forever, daemon=True).start()
web = [f"{os.path.dirname(touchd)}/touchd-web", "--settings", settings, "--socket", control, "--listen", "0"]
with running(screen.command([touchd, "run", "--layout", layout, "--control", control]), "using Panel"), \
        running(web, r"http://127.0.0.1:(\d+)") as found:
    chromium = Chromium(f"http://127.0.0.1:{found[1]}/#http://127.0.0.1:{collector.server_port}")
    try:
        measure(screen, chromium)
    finally:
        chromium.process.kill()
        chromium.process.wait()
