"""The time from a touchscreen's frame to a DOM event, and ten pages of which one does not read.

Arguments: the touchd, with touchd-web beside it. Prints two tables. Run by bench-web.sh.
"""
import base64, contextlib, http.server, json, os, re, selectors, socket, statistics, struct, subprocess, sys, tempfile
import threading, time

touchd = os.path.realpath(sys.argv[1])
browsers = sys.argv[2:] or ["chromium"]
TAPS, SECONDS, PAGES = 300, 20, 10
folder = tempfile.TemporaryDirectory()


def file(name, text):
    with open(f"{folder.name}/{name}", "w") as made:
        made.write(text)
    return made.name


def read(process):
    """Resident MB, and the seconds of a processor, of a process."""
    with open(f"/proc/{process.pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return int(fields[21]) * os.sysconf("SC_PAGESIZE") / 1e6, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
def running(words, line, **options):
    """A program that has printed a line; yields it and what it matched."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options) as process:
        try:
            for text in process.stdout:
                if found := re.search(line, text.decode()):
                    break
            else:
                sys.exit(f"{words[0]} has ended")
            threading.Thread(target=process.stdout.read, daemon=True).start()
            yield process, found
        finally:
            process.kill()


PAGE = """<!doctype html><meta charset="utf-8"><style>body { margin: 0; height: 100vh }</style>
<div id="area" data-touchd data-touchd-gestures="pan" style="position: absolute; inset: 0"></div>
<script src="/touchd.js"></script><script>
const got = [], now = () => performance.timeOrigin + performance.now();
const tell = (what, body = "") => fetch(location.hash.slice(1) + "/" + what, { method: "POST", mode: "no-cors", body });
for (const name of ["touchd:began", "pointerdown"]) area.addEventListener(name, () => tell("event", name + " " + now()));
document.addEventListener("touchd:connected", () => setTimeout(() => tell("ready", navigator.userAgent), 500));
document.addEventListener("touchd:error", ({ detail }) => tell("error", detail.message));
</script>"""


class Collector(http.server.BaseHTTPRequestHandler):
    """Receives what the page tells."""
    told = []
    changed = threading.Condition()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with self.changed:
            self.told.append((self.path[1:], body))
            self.changed.notify()
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_): pass

    @classmethod
    def wait(cls, kind):
        with cls.changed:
            if not cls.changed.wait_for(lambda: any(what == kind for what, _ in cls.told), 120):
                sys.exit(f"the page did not report '{kind}': {cls.told[-3:]}")
            place = next(place for place, (what, _) in enumerate(cls.told) if what == kind)
            return cls.told.pop(place)[1]


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


OTHERS = {
    "firefox": lambda url: ["firefox-esr", "--headless", "--no-remote", "--profile", folder.name, url],
    "wpe": lambda url: ["dbus-run-session", "cog", "--platform=headless", url],
}


def figures(times):
    times = sorted(times)
    return " | ".join(f"{times[min(len(times) - 1, int(len(times) * part))]:.1f}" for part in (0.5, 0.99))


def measure(name, screen, origin, collector):
    url = f"{origin}/#http://127.0.0.1:{collector.server_port}"
    chromium = Chromium(url) if name == "chromium" else None
    process = chromium.process if chromium else subprocess.Popen(
        OTHERS[name](url), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": folder.name})
    try:
        # Chromium names Safari last.
        words = Collector.wait("ready").split()
        agent = next((word for word in words if "Chrome/" in word), words[-1])
        ways = {"touchd:began": screen}
        if chromium:
            ways["pointerdown"] = chromium
        times = {way: [] for way in ways}
        for _ in range(TAPS):
            for way, fingers in ways.items():
                start = time.time()
                fingers.down(300, 300)
                event, stamp = Collector.wait("event").split()
                fingers.up()
                if event != way:
                    sys.exit(f"{event} instead of {way}")
                times[way].append(float(stamp) - start * 1000)
                # The next finger finds the page idle.
                time.sleep(0.02)
        print(f"| {agent} | {figures(times['touchd:began'])} | {figures(times['pointerdown']) if chromium else ' | '} |", flush=True)
    finally:
        process.kill()
        process.wait()


def dom():
    print(f"From the frame to the DOM event, median and 99th percentile of {TAPS} touches, in ms. `pointerdown` is the browser's own, of"
          " a touch that the DevTools protocol sends:\n")
    print("| | touchd:began | p99 | pointerdown | p99 |\n|---|---:|---:|---:|---:|")
    layout = file("page.yaml", "screen: {size: [1000, 1000]}\nviews: [{slot: page, frame: [0, 0, 1000, 1000]}]\n")
    control, screen = f"{folder.name}/page", Screen()
    os.makedirs(f"{folder.name}/site")
    file("site/index.html", PAGE)
    settings = file("page-web.yaml", f"pages: {folder.name}/site\n")
    collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    with running(screen.command([touchd, "run", "--layout", layout, "--control", control]), "using Panel"):
        with running([f"{os.path.dirname(touchd)}/touchd-web", "--settings", settings, "--socket", control, "--listen", "0"],
                     r"http://127.0.0.1:(\d+)") as (_, found):
            for name in browsers:
                Collector.told.clear()
                measure(name, screen, f"http://127.0.0.1:{found[1]}", collector)


def fingers(path):
    """Ten fingers, each on the view of one page, that move a thousand times a second."""
    keys = ["B: 01 00 00 00 00 00 00 00 00"] * 12
    keys[5] = "B: 01 00 04 00 00 00 00 00 00"
    lines = ["N: Ten fingers", "I: 0003 0001 0001 0001", "P: 02 00 00 00 00 00 00 00", "B: 00 0b 00 00 00 00 00 00 00", *keys,
             "B: 03 03 00 00 00 00 80 60 02", "A: 00 0 999 0 0", "A: 01 0 999 0 0", "A: 2f 0 9 0 0", "A: 35 0 999 0 0",
             "A: 36 0 999 0 0", "A: 39 0 65535 0 0"]
    # A tap, and then a pause of five seconds, in which the pages connect.
    for stamp, values in (("0.000000", (65535, 1)), ("0.100000", (-1, 0))):
        lines += [f"E: {stamp} 0003 0039 {values[0]}", f"E: {stamp} 0001 014a {values[1]}", f"E: {stamp} 0000 0000 0"]
    for step in range(SECONDS * 1000):
        stamp = f"{5 + step / 1000:.6f}"
        for slot in range(PAGES):
            lines.append(f"E: {stamp} 0003 002f {slot}")
            if step == 0:
                lines.append(f"E: {stamp} 0003 0039 {slot + 1}")
            lines += [f"E: {stamp} 0003 0035 {step % 900}", f"E: {stamp} 0003 0036 {slot * 100 + step // 900 % 90}"]
        if step == 0:
            lines.append(f"E: {stamp} 0001 014a 1")
        lines.append(f"E: {stamp} 0000 0000 0")
    end = 5 + SECONDS
    for slot in range(PAGES):
        lines += [f"E: {end}.000000 0003 002f {slot}", f"E: {end}.000000 0003 0039 -1"]
    lines += [f"E: {end}.000000 0001 014a 0", f"E: {end}.000000 0000 0000 0", f"E: {end + 5}.000000 0000 0000 0"]
    return file(path, "\n".join(lines) + "\n")


class Page:
    """A page's WebSocket, without a browser."""

    def __init__(self, port, number, reads):
        self.number, self.reads, self.events, self.dropped, self.unread = number, reads, 0, 0, b""
        self.socket = socket.create_connection(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.unread:
            self.unread += self.socket.recv(4096)
        self.unread = self.unread.split(b"\r\n\r\n", 1)[1]
        self.send(request="subscribe", to=["touches"], moves=True)
        self.send(request="views", slot=f"page{number}", views=[{"id": f"page-{number}", "frame": [0, 0, 1000, 100]}])
        self.socket.setblocking(False)

    def send(self, **request):
        text = json.dumps(request).encode()
        self.socket.sendall(bytes([0x81, 0xFE]) + len(text).to_bytes(2, "big") + bytes(4) + text)

    def read(self):
        """Counts the events that have arrived; returns whether there may be more."""
        try:
            part = self.socket.recv(1 << 20)
        except BlockingIOError:
            return False
        self.unread += part
        for found in re.finditer(rb'"event": "dropped", "count": (\d+)|"view": "page-', self.unread):
            self.events += found[1] is None
            self.dropped += int(found[1] or 0)
            last = found.end()
        if part and "last" in locals():
            self.unread = self.unread[last:]
        return bool(part)


def crowd():
    layout = file("crowd.yaml", "screen: {size: [1000, 1000]}\nviews:\n" + "".join(
        f"  - {{slot: page{number}, frame: [0, {number * 100}, 1000, 100]}}\n" for number in range(PAGES)))
    control = f"{folder.name}/crowd"
    recording = fingers("crowd.evemu")
    with running([touchd, "run", "--layout", layout, "--replay", recording, "--control", control], "ready") as (service, _):
        with running([f"{os.path.dirname(touchd)}/touchd-web", "--settings", "/nowhere", "--socket", control, "--listen", "0"],
                     r"http://127.0.0.1:(\d+)") as (web, found):
            pages = [Page(int(found[1]), number, reads=number > 0) for number in range(PAGES)]
            before, most, end = (read(service), read(web)), [0, 0], time.monotonic() + SECONDS + 7
            selector = selectors.DefaultSelector()
            for page in pages[1:]:
                selector.register(page.socket, selectors.EVENT_READ, page)
            while time.monotonic() < end:
                for key, _ in selector.select(0.5):
                    key.data.read()
                most = [max(was, read(process)[0]) for was, process in zip(most, (service, web))]
            after = read(service), read(web)
            # At last the first page reads too: it gets the number of the events that it missed.
            quiet = time.monotonic() + 3
            while time.monotonic() < quiet:
                if any([page.read() for page in pages]):
                    quiet = time.monotonic() + 3
                else:
                    time.sleep(0.05)
    print(f"\n{PAGES} pages, each with a finger that moves 1,000 times a second for {SECONDS} s; the first does not read until the end:\n")
    print("| | first page | the others, each |\n|---|---:|---:|")
    others = sorted({page.events for page in pages[1:]}), sorted({page.dropped for page in pages[1:]})
    span = lambda values: f"{values[0]:,}" if len(values) == 1 else f"{values[0]:,} to {values[-1]:,}"
    print(f"| events received | {pages[0].events:,} | {span(others[0])} |\n| events dropped | {pages[0].dropped:,} | {span(others[1])} |")
    print("\n| | processor | resident at first | resident at most |\n|---|---:|---:|---:|")
    for name, first, last, top in zip(("touchd", "touchd-web"), before, after, most):
        print(f"| {name} | {(last[1] - first[1]) / SECONDS:.0%} | {first[0]:.1f} MB | {top:.1f} MB |")


dom()
crowd()
