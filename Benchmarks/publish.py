"""How long touchd takes for the request `views` with 2,000 views, from the request to its answer.

Argument: the touchd. Prints a table. Run by bench-layout.sh.
"""
import json, socket, subprocess, sys, tempfile, time

TIMES, VIEWS = 200, 2000
LAYOUT = """screen: {size: [1920, 1080]}
views: [{slot: {name: page, handlers: [chosen]}, frame: [0, 0, 1920, 1080]}]
handlers: {chosen: {log: A seat}}
"""
folder = tempfile.TemporaryDirectory()
with open(f"{folder.name}/layout.yaml", "w") as layout:
    layout.write(LAYOUT)
path = f"{folder.name}/control"
touchd = subprocess.Popen([sys.argv[1], "run", "--layout", layout.name, "--control", path],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
control = socket.socket(socket.AF_UNIX)
while control.connect_ex(path) != 0:
    if touchd.poll() is not None:
        sys.exit("publish: touchd has ended")
    time.sleep(0.05)
answers = control.makefile("rb")


def processor():
    """The milliseconds for which touchd has run."""
    with open(f"/proc/{touchd.pid}/schedstat") as file:
        return int(file.read().split()[0]) / 1e6


def ask(views):
    """Sends a list; the milliseconds until the answer, and of touchd's processor time."""
    request = {"request": "views", "slot": "page", "publisher": "bench", "views": views}
    line = json.dumps(request, separators=(",", ":")).encode() + b"\n"
    before, start = processor(), time.perf_counter()
    control.sendall(line)
    answer = json.loads(answers.readline())
    duration = (time.perf_counter() - start) * 1000
    if "error" in answer:
        sys.exit(f"publish: {answer}")
    return duration, processor() - before


def views(name, shift=0):
    """Buttons as touchd.js publishes them."""
    return [{"id": f"{name}-{i}", "frame": [i % 50 * 38.4 + shift, i // 50 * 27, 36.4, 25], "control": "button",
             "on": {"pressed": "chosen"}} for i in range(VIEWS)]


print(f"| `views` with {VIEWS:,} buttons | p50 | p99 | touchd's processor time, p50 |\n|---|---:|---:|---:|")
for title, first, second in [
    ("in an empty slot", [], views("seat")),
    ("in place of other views", views("row"), views("seat")),
    ("all of them moved", views("seat"), views("seat", 1)),
]:
    figures = []
    for _ in range(TIMES):
        ask(first)
        figures.append(ask(second))
    waits, times = (sorted(column) for column in zip(*figures))
    print(f"| {title} | {waits[TIMES // 2]:.1f} ms | {waits[TIMES * 99 // 100]:.1f} ms | {times[TIMES // 2]:.1f} ms |")
touchd.kill()
