#!/usr/bin/env python3
"""Prints what touchd and triggerhappy, which starts programs for keys, take of a machine: time until READY=1, memory, and system
calls while nothing happens. BINARY names the touchd."""
import collections, os, re, signal, socket, statistics, subprocess, tempfile, time

ROUNDS, SECONDS = 21, 60
folder = tempfile.TemporaryDirectory()
# triggerhappy gives up its rights before it is ready.
os.chmod(folder.name, 0o755)
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(folder.name + "/notify")
os.chmod(folder.name + "/notify", 0o777)
touchd = [os.path.realpath(os.environ["BINARY"]), "run", "--layout", "config/touchd.yaml", "--output", "json"]
peer = ["/usr/sbin/thd", "--triggers", "/etc/triggerhappy/triggers.d/", "--socket", folder.name + "/thd.socket"]


def start(command, environment={}):
    """Starts a service and waits for READY=1; returns the process and the seconds that this took."""
    begun = time.monotonic()
    process = subprocess.Popen(
        command, env={**os.environ, "NOTIFY_SOCKET": folder.name + "/notify", **environment},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while b"READY=1" not in listener.recv(65536).split(b"\n"):
        pass
    return process, time.monotonic() - begun


def stop(process):
    process.send_signal(signal.SIGTERM)
    process.wait(60)


def measure_start(command):
    process, seconds = start(command)
    stop(process)
    return seconds * 1000


def memory(command):
    """Resident MB, and those of them that no file holds, so that the kernel cannot drop them."""
    process, _ = start(command)
    with open(f"/proc/{process.pid}/smaps_rollup") as file:
        text = file.read()
    stop(process)
    return [int(re.search(rf"^{key}: +(\d+)", text, re.M)[1]) / 1000 for key in ("Rss", "Anonymous")]


def system_calls(command, environment={}):
    """The number of system calls in SECONDS, and the most frequent ones."""
    process, _ = start(command, environment)
    trace = folder.name + "/trace"
    time.sleep(2)
    tracer = subprocess.Popen(["strace", "-f", "-q", "-ttt", "-o", trace, "-p", str(process.pid)])
    # strace interrupts the call that it finds the program in, which is then repeated.
    time.sleep(1)
    begun = time.time()
    end = time.monotonic() + SECONDS
    # Ten unread notifications fill the socket, and the program would wait.
    while (left := end - time.monotonic()) > 0:
        listener.settimeout(left)
        try:
            listener.recv(65536)
        except TimeoutError:
            pass
    listener.settimeout(None)
    tracer.send_signal(signal.SIGINT)
    tracer.wait()
    stop(process)
    with open(trace) as file:
        calls = [re.match(r"\d+ +([\d.]+) (\w+)\(", line) for line in file]
    counts = collections.Counter(call[2] for call in calls if call and float(call[1]) >= begun)
    return f"{counts.total()}" + "".join(f", {name} {count}" for name, count in counts.most_common(3))


# In turns, so that what else the machine does affects both.
starts = list(zip(*([measure_start(touchd), measure_start(peer)] for _ in range(ROUNDS))))
resident, anonymous = zip(memory(touchd), memory(peer))
watchdog = {"WATCHDOG_USEC": "10000000"}
print("\n| | touchd | triggerhappy |\n|---|---:|---:|")
for title, figure in ((f"start to READY=1, median of {ROUNDS}", statistics.median), ("start to READY=1, fastest", min)):
    print(f"| {title} | {figure(starts[0]):.0f} ms | {figure(starts[1]):.0f} ms |")
print(f"| resident, once ready | {resident[0]:.1f} MB | {resident[1]:.1f} MB |")
print(f"| of it in no file | {anonymous[0]:.1f} MB | {anonymous[1]:.1f} MB |")
print(f"| system calls in {SECONDS} s | {system_calls(touchd)} | {system_calls(peer)} |")
print(f"| with systemd's watchdog, WatchdogSec=10 | {system_calls(touchd, watchdog)} | |")
