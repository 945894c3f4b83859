# Runs touchd with one failed system call at a time, and checks that it neither traps nor spins, says what it could not do, and ends each
# touch. Arguments: the folder with the built programs; optionally the names of system calls, and --count N for N of the failures that are possible.
# strace (its option -e inject) returns an error from one occurrence of a call on touchd's main thread. mock-play's touchscreen is
# in the kernel's place, so neither root nor a container is needed.
import argparse, atexit, collections, concurrent.futures, itertools, json, os, queue, re, signal, socket, subprocess, sys, tempfile, threading, time

PANEL = "Tests/EvdevTests/Recordings/edt-ep0430m09/EP0430M09.desc"
# Only a failure takes this long, or touchd's retry of what failed.
PATIENCE = 10
# The errors of each call: one that a machine with too few of something returns, and an interruption where the kernel has that.
ERRORS = {
    "accept4": ["EMFILE", "EINTR"], "access": ["EACCES"], "bind": ["EADDRINUSE"], "chmod": ["EPERM"], "clone3": ["EAGAIN"],
    "close": ["EIO"], "connect": ["ECONNREFUSED", "EAGAIN"], "dup": ["EMFILE"], "epoll_create1": ["EMFILE"], "epoll_ctl": ["ENOSPC"],
    "epoll_pwait": ["EINTR"], "epoll_wait": ["EINTR"], "eventfd2": ["EMFILE"], "faccessat2": ["EACCES"], "fchmod": ["EPERM"],
    "fcntl": ["EMFILE"], "fstat": ["EIO"], "fsync": ["EIO"], "ftruncate": ["ENOSPC"], "getdents64": ["EIO"], "getpeername": ["ENOTCONN"],
    "getrandom": ["EINTR"], "getsockname": ["ENOBUFS"], "getsockopt": ["ENOBUFS"], "inotify_add_watch": ["ENOSPC"],
    "inotify_init1": ["EMFILE"], "inotify_rm_watch": ["EINVAL"], "ioctl": ["EIO", "EINTR"], "kill": ["EPERM"], "listen": ["EADDRINUSE"],
    "lseek": ["EIO"], "lstat": ["EIO"], "memfd_create": ["EMFILE"], "mkdir": ["ENOSPC"], "newfstatat": ["EIO"], "open": ["EMFILE"],
    "openat": ["EMFILE", "EINTR"], "pidfd_open": ["EMFILE"], "pipe2": ["EMFILE"], "poll": ["EINTR", "ENOMEM"], "ppoll": ["EINTR"],
    "prctl": ["EPERM"], "pread64": ["EIO"], "prlimit64": ["EPERM"], "read": ["EIO", "EINTR"], "readlink": ["EIO"], "readlinkat": ["EIO"],
    "recvfrom": ["ENOMEM", "EINTR"], "recvmsg": ["ENOMEM", "EINTR"], "rename": ["ENOSPC"], "sendmsg": ["ENOBUFS", "EINTR"],
    "sendto": ["ENOBUFS", "EINTR"], "setsockopt": ["ENOBUFS"], "signalfd4": ["EMFILE"], "socket": ["EMFILE"], "socketpair": ["EMFILE"],
    "stat": ["EIO"], "statx": ["EIO"], "sysinfo": ["EPERM"], "timerfd_create": ["EMFILE"],
    "unlink": ["EROFS"], "vfork": ["EAGAIN"], "wait4": ["ECHILD", "EINTR"], "waitid": ["ECHILD", "EINTR"], "write": ["ENOSPC", "EINTR"],
    "writev": ["ENOSPC", "EINTR"],
}
# They trap if the kernel refuses what they need to begin; touchd makes sure before that there are descriptors.
TRAPPING = ("libdispatch.so", "libFoundation.so", "libCoreFoundation.so")
# The first file that a Swift program opens after the dynamic linker has loaded it, for its arguments.
BEGINNING = "/proc/self/maps"
# What it says without a failure, also on a machine that is busy.
EXPECTED = re.compile("is ready|using |layout loaded|127.0.0.1:9:|touches waited|messages? (was|were) not sent")
LAYOUT = """\
screen: {size: [1280, 768]}
views:
  - {id: left, frame: [0, 0, 640, 768], on: {began: [told, sent, out]}}
handlers:
  told: {exec: [/bin/echo, told]}
  sent: {publish: sent}
  out: {publish: {topic: out, message: "{phase}", mqtt: {host: 127.0.0.1, port: 9}}}
"""


class Panel:
    """mock-play with one touchscreen."""

    def __init__(self, programs):
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            ["umockdev-wrapper", f"{programs}/mock-play", self.folder.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.play(f"attach panel {PANEL}")
        if not self.process.stdout.readline():
            sys.exit("injections.py: mock-play has ended")
        self.variables = {
            "LD_PRELOAD": "libumockdev-preload.so.0", "UMOCKDEV_DIR": os.path.realpath(f"{self.folder.name}/bed")}
        self.isDown = False

    def play(self, *commands):
        self.process.stdin.write("".join(f"{command}\n" for command in commands))
        self.process.stdin.flush()

    def down(self):
        self.play("down panel 0 200 300", "frame panel")
        self.isDown = True

    def up(self):
        if self.isDown:
            self.play("up panel 0", "frame panel")
        self.isDown = False

    def end(self):
        self.process.kill()
        self.process.wait()


class Lines(threading.Thread):
    """The lines of a stream, as they arrive."""

    def __init__(self, stream, arrived):
        super().__init__(daemon=True)
        self.stream, self.arrived, self.lines, self.hasEnded = stream, arrived, [], False
        self.start()

    def run(self):
        try:
            for line in self.stream:
                with self.arrived:
                    self.lines.append(line.rstrip("\n"))
                    self.arrived.notify_all()
        except OSError:
            # The connection was reset.
            pass
        with self.arrived:
            self.hasEnded = True
            self.arrived.notify_all()


class Client:
    def __init__(self, path, arrived):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(path)
        self.socket.settimeout(None)
        self.read = Lines(self.socket.makefile(), arrived)

    def send(self, **request):
        try:
            self.socket.sendall((json.dumps(request) + "\n").encode())
        except OSError:
            # touchd has closed the connection, which the reader shows.
            pass


class Run:
    """One life of touchd: start, client, touches, programs, messages, reloads, SIGTERM."""

    def __init__(self, programs, panel, strace):
        self.panel, self.findings, self.arrived = panel, [], threading.Condition()
        self.folder = tempfile.TemporaryDirectory()
        self.log = f"{self.folder.name}/strace"
        self.layout = f"{self.folder.name}/layout.yaml"
        with open(self.layout, "w") as file:
            file.write(LAYOUT)
        self.control = f"{self.folder.name}/control"
        variables = [f"--env={name}={value}" for name, value in panel.variables.items()]
        self.process = subprocess.Popen(
            ["strace", "--daemonize", f"--output={self.log}", "--signal=none", *variables, "--env=SWIFT_BACKTRACE=enable=no", *strace,
             "--", f"{programs}/touchd", "run", "--layout", self.layout, "--format", "json", "--control", self.control],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.output = Lines(self.process.stdout, self.arrived)
        self.errors = Lines(self.process.stderr, self.arrived)
        self.client = None

    def isRunning(self):
        return self.process.poll() is None

    def wait(self, what, condition):
        """Waits for a condition, or the end of touchd; not for long once touchd has said what is missing."""
        begun = time.monotonic()
        with self.arrived:
            while not condition():
                left = begun + (PATIENCE / 5 if self.unexpected() else PATIENCE) - time.monotonic()
                if self.output.hasEnded and self.errors.hasEnded:
                    return False
                if left < 0:
                    self.missing.append(what)
                    return False
                self.arrived.wait(left)
        return True

    def unexpected(self):
        return [line for line in self.errors.lines if line != "told" and not EXPECTED.search(line)]

    def phases(self, lines):
        # A program that an umockdev error ended prints that.
        touches = [json.loads(line) for line in lines if line.startswith('{"event": "touch"') and line.endswith("}")]
        return [(touch["touch"], touch["phase"]) for touch in touches if touch["phase"] in ("began", "ended", "cancelled")]

    def said(self, text, start=0):
        return any(text in line for line in self.errors.lines[start:])

    def heard(self, text, start=0):
        return self.client is not None and any(text in line for line in self.client.read.lines[start:])

    def connect(self):
        """A client that is refused or disconnected tries again, as programs do."""
        for _ in range(3):
            if not self.isRunning():
                return
            try:
                self.client = Client(self.control, self.arrived)
            except OSError:
                time.sleep(0.1)
                continue
            read = self.client.read
            self.client.send(request="subscribe", to=["touches", "published"])
            self.wait("an answer", lambda: read.hasEnded or self.heard('"result"') or self.heard('"error"'))
            if self.heard('"result"'):
                return
        self.missing.append("a client")

    def touch(self, before=lambda: None):
        start, lines, sent = len(self.output.lines), len(self.errors.lines), len(self.client.read.lines) if self.client else 0
        self.panel.down()
        if not self.wait("a touch", lambda: self.phases(self.output.lines[start:])):
            return self.panel.up()
        self.wait("the program", lambda: self.said("told", lines))
        if self.client:
            self.wait("the message", lambda: self.client.read.hasEnded or self.said("sent", lines) or self.heard('"published"', sent))
        before()
        self.panel.up()
        self.wait("the touch's end", lambda: not self.open())

    def reload(self):
        start = len(self.errors.lines)
        with open(self.layout, "a") as file:
            file.write("# changed\n")
        self.process.send_signal(signal.SIGHUP)
        self.wait("the reload", lambda: self.said("layout", start))

    def ask(self, what):
        if not self.client:
            return
        if self.client.read.hasEnded:
            self.connect()
        if not self.client or not self.isRunning():
            return
        read, start = self.client.read, len(self.client.read.lines)
        self.client.send(request=what, id=what)
        self.wait(f"an answer to {what}", lambda: read.hasEnded or self.heard(f'"id": "{what}"', start))

    def open(self):
        counts = collections.Counter()
        for touch, phase in self.phases(self.output.lines):
            counts[touch] += 1 if phase == "began" else -1
        return [touch for touch, count in counts.items() if count != 0]

    def processorTime(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def live(self):
        self.missing = []
        self.wait("the start", lambda: self.said("is ready"))
        self.connect()
        self.touch()
        self.ask("status")
        self.touch(before=self.reload)
        self.ask("reload")
        self.touch()
        if self.isRunning():
            begun = self.processorTime()
            # Not a wait for anything: what spins uses this time.
            time.sleep(0.15)
            if self.isRunning() and self.processorTime() - begun > 0.09:
                self.findings.append("spins")
        self.panel.down()
        start = len(self.phases(self.output.lines))
        self.wait("the last touch", lambda: len(self.phases(self.output.lines)) > start)
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.findings.append("does not end")
            self.process.kill()
            status = self.process.wait()
        for stream, name in ((self.errors, "standard error"), (self.output, "standard output")):
            stream.join(PATIENCE)
            if stream.is_alive():
                self.findings.append(f"leaves a process behind, which holds {name}")
        said = self.unexpected()
        if status < 0 and "does not end" not in self.findings:
            self.findings.append(f"is killed by {signal.Signals(-status).name}")
        if status and not said:
            self.findings.append(f"ends with {status} in silence")
        if self.missing and not said:
            self.findings.append(f"in silence without {', '.join(self.missing)}")
        odd = [line for line in self.output.lines if not line.startswith("{") or not line.endswith("}")]
        if odd:
            self.findings.append(f"prints {odd}")
        # Lines that could not be written are counted in their place; of the last ones, standard error tells.
        if self.open() and not any("dropped" in line for line in self.output.lines + self.errors.lines):
            self.findings.append(f"touches without an end: {self.open()}")
        return status, said


def calls(log):
    """The names of the calls in a log of strace, in order, and whether each is one of touchd's that can fail."""
    names, hasBegun, mocked = [], False, set()
    with open(log) as lines:
        for line in lines:
            match = re.match(r"(\w+)\((\d+)?", line)
            if match:
                hasBegun = hasBegun or BEGINNING in line
                # umockdev's connection, in place of the kernel's ioctl.
                if match[1] == "connect" and "/ioctl/" in line:
                    mocked.add(match[2])
                # The kernel removes what it has, without a need of memory.
                names.append((match[1], hasBegun and "EPOLL_CTL_DEL" not in line and match[2] not in mocked))
                if match[1] == "close":
                    mocked.discard(match[2])
    return names


def library(log):
    """The library that made the injected call, by strace's stack trace."""
    with open(log) as lines:
        for line in lines:
            if "(INJECTED)" in line:
                frames = [frame for frame in itertools.takewhile(lambda frame: frame.startswith(" > "), lines) if "/libc.so" not in frame]
                return os.path.basename(frames[0].split("(")[0]) if frames else ""
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs")
    parser.add_argument("--count", type=int)
    parser.add_argument("calls", nargs="*")
    options = parser.parse_args()
    programs = os.path.realpath(options.programs)
    panels = queue.Queue()
    for _ in range(2):
        panels.put(Panel(programs))

    atexit.register(lambda: [panels.get().end() for _ in range(panels.qsize())])

    def live(*strace):
        panel = panels.get()
        try:
            run = Run(programs, panel, strace)
            result = run.live()
            return run, *result
        finally:
            panel.up()
            panels.put(panel)

    run, status, said = live()
    if run.findings or run.missing or status or said:
        sys.exit(f"injections.py: touchd is not well without a failure: {run.findings} {run.missing} {status} {run.errors.lines}")
    counts, failures = collections.Counter(), []
    for name, canFail in calls(run.log):
        counts[name] += 1
        if canFail and name in ERRORS and (not options.calls or name in options.calls):
            failures += [(name, error, counts[name]) for error in ERRORS[name]]
    # Spread over all calls and over touchd's life.
    count = min(options.count or len(failures), len(failures))
    chosen = [failures[index * len(failures) // count] for index in range(count)]
    print(f"{len(chosen)} of {len(failures)} failures:", flush=True)
    results = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        def one(failure):
            name, error, number = failure
            inject = (f"--trace={name}", f"--inject={name}:error={error}:when={number}")
            run, status, said = live(*inject)
            with open(run.log) as log:
                injected = [line for line in log if "(INJECTED)" in line]
            # umockdev's library ends the program that it is loaded into if one of its calls fails.
            if any("libumockdev-preload" in line for line in said):
                run.findings, status = [], None
            isTrap = run.process.returncode in (-signal.SIGILL, -signal.SIGTRAP)
            if isTrap:
                again = live("--stack-trace", *inject)[0]
                if library(again.log) in TRAPPING:
                    run.findings, status = [], None
            return failure, run, status, said, injected
        for failure, run, status, said, injected in pool.map(one, chosen):
            # Another run's calls can come in another order.
            if not injected or "EPOLL_CTL_DEL" in injected[0]:
                results["not reached"] += 1
            elif run.findings:
                results["bad"] += 1
                print(*failure, "; ".join(run.findings), injected[0].strip(), *said[-3:], sep="\n    ", flush=True)
            else:
                lived = "continued, with a line" if said else "continued"
                results["ended by a library" if status is None else "ended with an error" if status else lived] += 1
    print(", ".join(f"{count} {what}" for what, count in sorted(results.items())))
    sys.exit(1 if results["bad"] else 0)


main()
