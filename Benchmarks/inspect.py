"""The cost of inspection: the same 20 s of ten fingers at 1,000 Hz without a subscriber, with touchd inspect, and with pages.

Arguments: the touchd. Prints a table. Run by bench-inspect.sh.
"""
import contextlib, http.client, os, re, statistics, subprocess, sys, tempfile, threading, time

touchd, = sys.argv[1:]
folder = tempfile.TemporaryDirectory()
layout, recording, control = (f"{folder.name}/{name}" for name in ("kiosk.yaml", "fingers.evemu", "control"))
LEAD, SECONDS, ROUNDS = 5, 20, 3

with open(layout, "w") as file:
    file.write("""screen: {size: [1920, 1080]}
views:
  - id: wall
    frame: [0, 0, 1920, 1080]
    multiple-touch: true
    on: {began: log, ended: log}
    gestures: [{pan: {}}]
""")


def play(file):
    """Writes a tap, a pause in which others connect, and ten fingers that move a thousand times a second."""
    keys = ["B: 01 00 00 00 00 00 00 00 00"] * 13
    keys[5] = "B: 01 00 04 00 00 00 00 00 00"
    print("N: Ten fingers", "I: 0003 0001 0001 0001", "P: 02 00 00 00 00 00 00 00", "B: 00 0b 00 00 00 00 00 00 00",
          *keys[:12], "B: 03 03 00 00 00 00 80 60 02", "A: 00 0 1919 0 0", "A: 01 0 1079 0 0", "A: 2f 0 9 0 0",
          "A: 35 0 1919 0 0", "A: 36 0 1079 0 0", "A: 39 0 65535 0 0", sep="\n", file=file)

    def frame(stamp, events):
        for type_, code, value in [*events, (0, 0, 0)]:
            print(f"E: {stamp:.6f} {type_:04x} {code:04x} {value}", file=file)

    def finger(slot, identity, step):
        place = [(3, 0x35, (slot * 150 + step) % 1920), (3, 0x36, (slot * 100 + step // 3) % 1080)]
        return [(3, 0x2f, slot), *([] if identity is None else [(3, 0x39, identity)]), *(place if identity != -1 else [])]

    frame(0, finger(0, 1, 0) + [(1, 0x14a, 1)])
    frame(0.1, finger(0, -1, 0) + [(1, 0x14a, 0)])
    for step in range(SECONDS * 1000):
        events = [event for slot in range(10) for event in finger(slot, 10 + slot if step == 0 else None, step)]
        frame(LEAD + step / 1000, events + ([(1, 0x14a, 1)] if step == 0 else []))
    frame(LEAD + SECONDS, [event for slot in range(10) for event in finger(slot, -1, 0)] + [(1, 0x14a, 0)])


with open(recording, "w") as file:
    play(file)


def memory(process):
    """Resident MB, and how much of it is this process's alone."""
    text = open(f"/proc/{process.pid}/smaps_rollup").read()
    return (int(re.search(r"^Rss: +(\d+)", text, re.M)[1]) / 1000,
            sum(int(size) for size in re.findall(r"^Private_\w+: +(\d+)", text, re.M)) / 1000)


def processor(process):
    """Seconds of a processor that it took."""
    fields = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Page:
    """A page's stream of events, which is read or not."""

    def __init__(self, port, token, reads):
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.connection.request("GET", "/api/events", headers={"Authorization": f"Bearer {token}"})
        self.response = self.connection.getresponse()
        self.bytes = 0
        if reads:
            threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        # Its end is the inspector's.
        with contextlib.suppress(http.client.IncompleteRead, OSError):
            while piece := self.response.read1(65536):
                self.bytes += len(piece)


def measure(pages, inspects=True):
    inspector, streams = None, []
    if inspects:
        inspector = subprocess.Popen([touchd, "inspect", "--socket", control, "--listen", "0"], stdout=subprocess.PIPE, text=True)
        port, token = re.search(r":(\d+)/#token=(\w+)", inspector.stdout.readline()).groups()
        streams = [Page(int(port), token, reads) for reads in pages]
    process = subprocess.Popen(
        [touchd, "run", "--layout", layout, "--replay", recording, "--control", control],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # The fingers are down from LEAD to LEAD + SECONDS, and the replay begins a moment after the process.
    time.sleep(LEAD - 1)
    before, inspected = processor(process), processor(inspector) if inspector else 0
    time.sleep(SECONDS)
    row = [processor(process) - before, *memory(process)]
    row += [processor(inspector) - inspected, memory(inspector)[0]] if inspector else [0, 0]
    row.append(sum(stream.bytes for stream in streams) / 1e6)
    process.wait()
    if process.returncode != 0:
        sys.exit(f"touchd ended with {process.returncode}")
    if inspector:
        inspector.terminate()
        inspector.wait()
    return row


kinds = [
    ("nobody", [], False), ("touchd inspect, no page", [], True), ("one page", [True], True),
    ("one page that does not read", [False], True), ("three pages", [True] * 3, True),
]
rows = {name: [] for name, _, _ in kinds}
for _ in range(ROUNDS):
    for name, pages, inspects in kinds:
        rows[name].append(measure(pages, inspects))
print("| clients | touchd: processor | resident | private | touchd-inspect: processor | resident | read |")
print("|---|---:|---:|---:|---:|---:|---:|")
for name, measured in rows.items():
    busy, resident, own, other, others, read = (statistics.median(column) for column in zip(*measured))
    inspector = f"{other / SECONDS:.1%} | {others:.1f} MB" if other else " | "
    print(f"| {name} | {busy / SECONDS:.1%} | {resident:.1f} MB | {own:.1f} MB | {inspector} | {read:.1f} MB |")
