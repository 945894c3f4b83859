"""What a running touchd takes: from its start to READY=1, resident memory by what it is, system calls while nothing happens.

Arguments: the touchd, a layout. Prints tables. Run by bench-footprint.sh.
"""
import collections, os, re, signal, socket, statistics, subprocess, sys, tempfile, time

touchd, layout = sys.argv[1:]
folder = tempfile.TemporaryDirectory()
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(folder.name + "/notify")


def start(*options, environment={}):
    """Starts it, waits for READY=1, and answers the process and how many seconds that took."""
    begun = time.monotonic()
    process = subprocess.Popen(
        [touchd, "run", "--layout", layout, "--output", "json", *options],
        env={**os.environ, "NOTIFY_SOCKET": folder.name + "/notify", **environment},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while b"READY=1" not in listener.recv(4096):
        pass
    return process, time.monotonic() - begun


def read_notifications(seconds):
    """Receives touchd's notifications for a number of seconds: ten unread ones fill the socket, and touchd waits until there is room."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        listener.settimeout(left)
        try:
            listener.recv(4096)
        except TimeoutError:
            pass
    listener.settimeout(None)


def stop(process):
    process.send_signal(signal.SIGTERM)
    if process.wait() != 0:
        sys.exit(f"touchd ended with {process.returncode}")


def memory(process):
    """Resident kB by what is mapped, and how much of it is no copy of a file's, which the kernel could drop."""
    resident, anonymous, name = collections.Counter(), collections.Counter(), None
    for line in open(f"/proc/{process.pid}/smaps"):
        mapping = re.match(r"[0-9a-f]+-[0-9a-f]+ (\S+) \S+ \S+ \S+ *(.*)", line)
        if mapping:
            rights, path = mapping.groups()
            if path == os.path.realpath(touchd):
                name = {"r-xp": "code", "r--p": "constants, relocated ones too", "rw-p": "variables"}[rights]
            elif path in ("[heap]", "[stack]", ""):
                name = "heap, stack and other private memory"
            else:
                name = "shared libraries" if ".so" in path else "the kernel's"
        elif line.startswith("Rss:"):
            resident[name] += int(line.split()[1])
        elif line.startswith("Anonymous:"):
            anonymous[name] += int(line.split()[1])
    return resident, anonymous


def system_calls(seconds, *options, environment={}):
    """The system calls by name during a number of seconds, counted once the program is idle."""
    process, _ = start(*options, environment=environment)
    trace = folder.name + "/trace"
    while "epoll" not in open(f"/proc/{process.pid}/wchan").read():
        time.sleep(0.1)
    tracer = subprocess.Popen(["strace", "-f", "-q", "-ttt", "-o", trace, "-p", str(process.pid)])
    # strace interrupts what it finds touchd in, which calls it again.
    time.sleep(1)
    begun = time.time()
    read_notifications(seconds)
    tracer.send_signal(signal.SIGINT)
    tracer.wait()
    stop(process)
    calls = collections.Counter()
    for line in open(trace):
        call = re.match(r"\d+ +([\d.]+) (\w+)\(", line)
        if call and float(call.group(1)) >= begun:
            calls[call.group(2)] += 1
    return calls


starts = []
for _ in range(21):
    process, seconds = start()
    stop(process)
    starts.append(seconds)
process, _ = start()
resident, anonymous = memory(process)
stop(process)

print("| from start to READY=1 | |\n|---|---:|")
print(f"| median of 21 | {statistics.median(starts) * 1000:.0f} ms |\n| least | {min(starts) * 1000:.0f} ms |")
print("\n| resident, once ready | MB | of it no file's |\n|---|---:|---:|")
for name, size in resident.most_common():
    print(f"| {name} | {size / 1000:.1f} | {anonymous[name] / 1000:.1f} |")
print(f"| together | {resident.total() / 1000:.1f} | {anonymous.total() / 1000:.1f} |")

print("\n| nothing happens for 60 s | system calls | which |\n|---|---:|---|")
watchdog = {"WATCHDOG_USEC": "10000000"}
metrics = ["--metrics-file", folder.name + "/touchd.prom"]
for name, options, environment in [
    ("by itself", [], {}), ("with systemd's watchdog, WatchdogSec=10", [], watchdog),
    ("with --metrics-file", metrics, {}), ("with both", metrics, watchdog),
]:
    calls = system_calls(60, *options, environment=environment)
    print(f"| {name} | {calls.total()} | {', '.join(f'{name} {count}' for name, count in calls.most_common())} |")
