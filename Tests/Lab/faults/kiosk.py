# The kiosk under test: its screens, its service, its control socket, its journal.
import json, os, socket, subprocess, sys, threading, time

# Only a failure takes this long: an emulated machine on a busy host is very slow.
PATIENCE = 180
# The programs of handlers run in the service that starts them. A container on a machine with both versions of cgroups has them in a folder each.
CGROUP = next(folder for folder in ("/sys/fs/cgroup/unified", "/sys/fs/cgroup") if os.path.exists(folder)) \
    + "/system.slice/touchd-exec.service"
RECORDINGS = "Tests/EvdevTests/Recordings"
PANEL = f"{RECORDINGS}/edt-ep0430m09/EP0430M09.desc"
SECOND = f"{RECORDINGS}/atmel-maxtouch/Atmel maXTouch Touchscreen.desc"


class Failure(Exception):
    pass


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Player:
    """The command in PLAYER, which plays fingers; its devices are unplugged when it ends."""

    def __init__(self):
        self.process = subprocess.Popen(
            os.environ["PLAYER"].split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def play(self, *commands):
        self.process.stdin.write("".join(f"{command}\n" for command in commands))
        self.process.stdin.flush()

    def heard(self):
        """The next line of its output, which it prints after it has created or removed a device."""
        line = self.process.stdout.readline()
        if not line:
            raise Failure("the player ended")
        return line.split()

    def plug(self, name, description):
        """Plugs a device in, and returns its node once udev has processed it."""
        self.play(f"device {name} {description}")
        return self.heard()[-1]

    def unplug(self, name):
        self.play(f"destroy {name}")
        self.heard()


class Journal:
    """The service's entries, systemd's entries about it, and the marks between faults, in order."""

    FIELDS = "MESSAGE,MESSAGE_ID,TOUCHD_TOUCH,TOUCHD_PHASE,SYSLOG_IDENTIFIER"

    def __init__(self):
        self.entries = []
        self.grown = threading.Condition()
        self.follower = subprocess.Popen(
            ["journalctl", "--boot", "--follow", "--lines=all", "--output=json", f"--output-fields={self.FIELDS}",
             "_SYSTEMD_UNIT=touchd.service", "+", "UNIT=touchd.service", "+", "SYSLOG_IDENTIFIER=faults"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        threading.Thread(target=self._follow, daemon=True).start()
        self.marks = 0

    def _follow(self):
        for line in self.follower.stdout:
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            with self.grown:
                self.entries.append(entry)
                self.grown.notify_all()

    def wait(self, text, start, what="MESSAGE"):
        """Waits for an entry at or after a position that contains a text, and returns it.

        On an emulated machine journalctl once slept through the last entry until another one woke it, so one is written every 5 s.
        """
        limit = time.monotonic() + PATIENCE
        position = start
        with self.grown:
            while True:
                for entry in self.entries[position:]:
                    if text in str(entry.get(what, "")):
                        return entry
                position = len(self.entries)
                if not self.grown.wait(5):
                    if time.monotonic() > limit:
                        raise Failure(f"no entry of the journal says '{text}'")
                    self._write("waiting")

    def _write(self, text):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(f"MESSAGE={text}\nSYSLOG_IDENTIFIER=faults\n".encode(), "/run/systemd/journal/socket")

    def mark(self):
        """Writes a mark and waits for it, so that all earlier entries have arrived. Returns its position."""
        self.marks += 1
        text = f"mark {self.marks}"
        self._write(text)
        self.wait(text, 0)
        with self.grown:
            return next(i for i, entry in enumerate(self.entries) if entry.get("MESSAGE") == text)

    def texts(self, start, text):
        """The entries since a position that contain a text."""
        with self.grown:
            return [str(e["MESSAGE"]) for e in self.entries[start:] if text in str(e.get("MESSAGE", ""))]


class Control:
    """A client of the control socket that subscribes to touches and devices."""

    def __init__(self):
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.settimeout(PATIENCE)
                self.socket.connect("/run/touchd/control")
                self.lines = self.socket.makefile("r")
                self.events = []
                self.ask("subscribe", to=["touches", "devices"])
                return
            except (OSError, Failure):
                # It is starting.
                self.socket.close()
                if time.monotonic() > limit:
                    raise Failure("nobody answers at the control socket")
                time.sleep(0.05)

    def close(self):
        self.lines.close()
        self.socket.close()

    def _next(self):
        try:
            line = self.lines.readline()
        except TimeoutError:
            raise Failure("touchd said nothing more")
        if not line:
            raise Failure("touchd closed the connection")
        return json.loads(line)

    def ask(self, request, **keys):
        self.socket.sendall((json.dumps({"request": request, **keys}) + "\n").encode())
        while True:
            line = self._next()
            if "event" not in line:
                return line["result"] if "result" in line else line["error"]
            self.events.append(line)

    def wait(self, event, count=1, **keys):
        """Waits for a number of events with given values, and removes them from those received."""
        position = 0
        while count:
            if position == len(self.events):
                self.events.append(self._next())
            line = self.events[position]
            if line.get("event") == event and all(line.get(key) in values for key, values in keys.items()):
                self.events.pop(position)
                count -= 1
            else:
                position += 1

    def forget(self):
        """Drops the events received until now."""
        self.ask("status")
        self.events = []


class Kiosk:
    """The whole kiosk, with a panel plugged in on which four fingers tap."""

    def __init__(self):
        self.player = Player()
        self.play = self.player.play
        self.player.plug("panel", PANEL)
        self.journal = Journal()
        self.control = None

    def connect(self):
        if self.control:
            self.control.close()
        self.control = Control()

    def restart(self):
        """Stops and starts touchd with systemd."""
        run("systemctl", "restart", "touchd.service")
        self.connect()

    @property
    def status(self):
        return self.control.ask("status")

    @property
    def process(self):
        return self.status["process"]

    def down(self, device="panel", told=True):
        """Puts four fingers down."""
        self.control.forget()
        self.play(*(f"down {device} {slot} {200 + 200 * slot} 300" for slot in range(4)), f"frame {device}")
        if told:
            self.control.wait("touch", 4, phase=["began"])

    def up(self, device="panel", told=True):
        """Lifts them."""
        self.play(*(f"up {device} {slot}" for slot in range(4)), f"frame {device}")
        if told:
            self.control.wait("touch", 4, phase=["ended", "cancelled"])

    def tap(self, device="panel"):
        self.down(device)
        self.up(device)

    def press(self, x):
        """Taps the button at a position of the lower edge."""
        self.control.forget()
        self.play(f"down panel 0 {x} 700", "frame panel", "up panel 0", "frame panel")
        self.control.wait("touch", phase=["ended", "cancelled"])

    def stopped(self, process):
        """Waits until a process has ended."""
        limit = time.monotonic() + PATIENCE
        while os.path.exists(f"/proc/{process}/stat"):
            if time.monotonic() > limit:
                raise Failure(f"process {process} does not end")
            time.sleep(0.05)

    def children(self):
        try:
            with open(f"{CGROUP}/cgroup.procs") as file:
                return max(len(file.read().split()) - 1, 0)
        except FileNotFoundError:
            # It starts with the first program.
            return 0

    def settle(self):
        """Waits until no touch is down, no entry waits and no program runs; returns what remains after the timeout."""
        limit = time.monotonic() + PATIENCE
        while True:
            status = self.status
            left = {"down": status["touches"]["down"], "queued": status["queue"]["frames"],
                    "entries waiting": status["log"]["waiting"], "programs": self.children()}
            left = {key: count for key, count in left.items() if count}
            if not left or time.monotonic() > limit:
                return left
            time.sleep(0.1)

    def descriptors(self):
        """The targets of the descriptors of touchd's process."""
        folder = f"/proc/{self.process}/fd"
        names = []
        for number in os.listdir(folder):
            try:
                names.append(os.readlink(f"{folder}/{number}"))
            except FileNotFoundError:
                # Closed meanwhile.
                pass
        return sorted(names)

    def measure(self, like=None):
        """Measures touchd's process, a second time if its descriptors changed, because some are open only briefly."""
        process = self.process
        limit = time.monotonic() + PATIENCE
        open_files = self.descriptors()
        while like and len(open_files) != like["descriptors"] and time.monotonic() < limit:
            time.sleep(0.2)
            open_files = self.descriptors()
        if like and len(open_files) != like["descriptors"]:
            print("descriptors:", *open_files, sep="\n", file=sys.stderr, flush=True)
        with open(f"/proc/{process}/status") as file:
            memory = next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))
        return {"process": process, "descriptors": len(open_files), "programs": self.children(), "memory": memory}
