#!/usr/bin/env python3
"""Prints the time from a touchscreen's frame to touchd's DOM event in Chromium, beside the browser's own `pointerdown`.

BINARY names the touchd, with touchd-web beside it.
"""
import contextlib, http.server, json, os, queue, re, struct, subprocess, sys, tempfile, threading, time

touchd = os.path.realpath(os.environ["BINARY"])
TAPS = 300
folder = tempfile.TemporaryDirectory()


def file(name, text):
    with open(f"{folder.name}/{name}", "w") as made:
        made.write(text)
    return made.name


class Screen:
    """A mocked touchscreen of 1000 by 1000 units whose finger this program moves: umockdev passes each report on at once."""

    DEVICE = """P: /devices/virtual/input/input3/event3
N: input/event3
E: DEVNAME=/dev/input/event3
E: ID_INPUT=1
E: ID_INPUT_TOUCHSCREEN=1
E: MAJOR=13
E: MINOR=67
E: SUBSYSTEM=input
A: dev=13:67
L: device=../../input3

P: /devices/virtual/input/input3
E: NAME="Panel"
E: ID_INPUT=1
E: ID_INPUT_TOUCHSCREEN=1
E: SUBSYSTEM=input
A: name=Panel
"""

    def __init__(self):
        self.path, self.number = f"{folder.name}/events", 0
        with contextlib.suppress(FileExistsError):
            os.mkfifo(self.path)
        # Also for reading: it then has no end while umockdev has not opened it.
        self.pipe = os.open(self.path, os.O_RDWR)

    def command(self, words):
        absolute = lambda code, most: f"EVIOCGABS({code}) 0 {struct.pack('<6i', 0, 0, most, 0, 0, 0).hex().upper()}"
        zeros = lambda size: "00" * size
        slots = [f"EVIOCGMTSLOTS(0) 0 {code:02X}{zeros(43)}" for code in (0x35, 0x36)]
        answers = ["@DEV /dev/input/event3", "EVIOCGVERSION 0 01000100", "EVIOCGID 0 03002A2201001001",
                   f"EVIOCGNAME(0) 6 50616E656C{zeros(250)}", f"EVIOCGPHYS(0) 1 {zeros(255)}", f"EVIOCGUNIQ(0) 1 {zeros(255)}",
                   "EVIOCGPROP(0) 8 0200000000000000", "EVIOCGBIT(0) 8 0B00000000000000",
                   f"EVIOCGBIT(1) 96 {zeros(41)}04{zeros(54)}", "EVIOCGBIT(3) 8 0300000000806002",
                   *(f"EVIOCGBIT({kind}) 8 {zeros(8)}" for kind in (2, 4, 5, 17, 18)), f"EVIOCGBIT(21) 16 {zeros(16)}",
                   f"EVIOCGKEY(0) 96 {zeros(96)}", f"EVIOCGLED(0) 8 {zeros(8)}", f"EVIOCGSW(0) 8 {zeros(8)}",
                   absolute(0, 999), absolute(1, 999), absolute(47, 9), absolute(53, 999), absolute(54, 999),
                   absolute(57, 65535), *slots, f"EVIOCGMTSLOTS(0) 0 39000000{'F' * 80}"]
        return ["umockdev-run", "--device", file("panel.umockdev", self.DEVICE),
                "--ioctl", f"/dev/input/event3={file('panel.ioctl', chr(10).join(answers) + chr(10))}",
                "--script", f"/dev/input/event3={self.path}", "--", *words]

    def send(self, events):
        now, text = time.clock_gettime_ns(time.CLOCK_MONOTONIC), b""
        for event in [*events, (0, 0, 0)]:
            text += b"r 0 "
            for byte in struct.pack("<qqHHi", now // 10**9, now % 10**9 // 1000, *event):
                text += bytes([94, byte + 64] if byte < 32 else [94, 96] if byte == 94 else [byte])
            text += b"\n"
        os.write(self.pipe, text)

    def down(self, x, y):
        self.number += 1
        self.send([(3, 0x39, self.number), (1, 0x14A, 1), (3, 0x35, x), (3, 0x36, y)])

    def up(self):
        self.send([(3, 0x39, -1), (1, 0x14A, 0)])


@contextlib.contextmanager
def running(words, line):
    """A program that has printed a line; yields what it matched."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            for text in process.stdout:
                if found := re.search(line, text.decode()):
                    break
            else:
                sys.exit(f"{words[0]} has ended")
            threading.Thread(target=process.stdout.read, daemon=True).start()
            yield found
        finally:
            process.kill()


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


class Chromium:
    """Sends the browser its own touches, by the DevTools protocol."""

    def __init__(self, address):
        (self.input, theirs), (ours, output) = os.pipe(), os.pipe()
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{ours} 4>&{theirs}', "-", "chromium", "--headless=new", "--remote-debugging-pipe",
             "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={folder.name}/chromium", "about:blank"],
            pass_fds=(ours, theirs), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.output, self.unread, self.number, self.session = output, b"", 0, None
        target = self.send("Target.createTarget", url=address)["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.send("Emulation.setTouchEmulationEnabled", enabled=True)

    def send(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.unread:
                self.unread += os.read(self.input, 65536)
            text, self.unread = self.unread.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.number:
                return answer["result"]

    def down(self, x, y):
        self.send("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])

    def up(self):
        self.send("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


def figures(times):
    times = sorted(times)
    return " | ".join(f"{times[min(len(times) - 1, int(len(times) * part))]:.1f}" for part in (0.5, 0.99))


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
