# Kills each process of a running kiosk KILLS times at random moments, while a visitor touches the screen and a browser loads the page. Then
# it waits until all units are up, uses each of them, and prints the results in sections. Argument: the seed of the moments.
import http.client, os, random, signal, subprocess, sys, threading, time, urllib.request

from kiosk import PANEL, PATIENCE, Control, Player, run
from peers import Broker

KILLS = 50
# A process is killed at most this many seconds after it was found: during its start, or after. With RestartSec=1, more than five starts fall
# into the 10 s of systemd's default limit.
MOMENT = 0.3
GROUPS = next(folder for folder in ("/sys/fs/cgroup/unified", "/sys/fs/cgroup") if os.path.exists(f"{folder}/system.slice"))
SERVICES = ["touchd.service", "touchd-exec.service", "touchd-network.service", "touchd-web.service", "kiosk-image.service",
            "kiosk-example.service"]
# These are up as long as the kiosk is.
UNITS = ["touchd.service", "touchd.socket", "touchd-exec.socket", "touchd-network.socket", "touchd-web.socket", "touchd-web.service",
         "touchd-metrics.timer", "kiosk-image.service", "kiosk-example.service"]
PAGE = "http://127.0.0.1:8348/"


def section(name, *lines):
    print(f"=== {name}", *lines, sep="\n", flush=True)


def processes(unit):
    """The unit's processes: systemd's children first, then theirs."""
    try:
        with open(f"{GROUPS}/system.slice/{unit}/cgroup.procs") as file:
            numbers = [int(line) for line in file]
    except OSError:
        return [], []
    own, others = [], []
    for number in numbers:
        try:
            with open(f"/proc/{number}/stat") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        (own if parent == 1 else others).append(number)
    return own, others


class Killer(threading.Thread):
    """Kills the unit's main process, or one of its children, at random moments."""

    def __init__(self, seed, unit, children):
        super().__init__(daemon=True)
        self.name = f"{unit} {'child' if children else 'main'}"
        self.unit, self.children, self.random = unit, children, random.Random(f"{seed} {self.name}")
        self.count, self.killed = 0, None

    def run(self):
        limit = time.monotonic() + PATIENCE
        while self.count < KILLS and time.monotonic() < limit:
            found = [number for number in processes(self.unit)[self.children] if number != self.killed]
            if not found:
                # No event tells of a new process in another unit.
                time.sleep(0.01)
                continue
            time.sleep(self.random.uniform(0, MOMENT))
            self.killed = self.random.choice(found)
            try:
                os.kill(self.killed, self.random.choice([signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV]))
            except ProcessLookupError:
                continue
            self.count += 1
            limit = time.monotonic() + PATIENCE


class Visitor(threading.Thread):
    """Touches the screen until it is stopped. Touches reach touchd whenever it has the panel open."""

    def __init__(self, player):
        super().__init__(daemon=True)
        self.player, self.stopped = player, threading.Event()

    def run(self):
        while not self.stopped.wait(0.05):
            self.player.play("down panel 0 200 300", "frame panel", "up panel 0", "frame panel")


class Browser(threading.Thread):
    """Loads the page until it is stopped; each load starts touchd-web if it is not there."""

    def __init__(self):
        super().__init__(daemon=True)
        self.stopped = threading.Event()

    def run(self):
        while not self.stopped.wait(0.05):
            load(1)


def load(limit):
    try:
        with urllib.request.urlopen(PAGE, timeout=limit) as answer:
            return str(answer.status)
    except (OSError, http.client.HTTPException) as error:
        return repr(error)


def state(unit):
    return subprocess.run(["systemctl", "is-active", unit], capture_output=True, text=True).stdout.strip()


def calm():
    """Waits until every unit is up or has failed, which it does not recover from."""
    limit = time.monotonic() + PATIENCE
    while True:
        states = {unit: state(unit) for unit in UNITS}
        if set(states.values()) <= {"active", "failed"} or time.monotonic() > limit:
            return states
        time.sleep(0.1)


def tells(player):
    """Touches the view whose program reports, and waits for the report."""
    start = time.time()
    control = Control()
    player.play("wait-open panel")
    player.heard()
    player.play("down panel 0 1000 300", "frame panel", "up panel 0", "frame panel")
    control.wait("touch", phase=["ended"])
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        entries = subprocess.run(
            ["journalctl", "--boot", "--output=cat", f"--since=@{start}", "--unit=touchd.service"], capture_output=True, text=True)
        for line in entries.stdout.splitlines():
            if line.startswith("told began") or "/usr/local/bin/tell" in line:
                return line.split(" CapEff")[0]
        time.sleep(0.1)
    return "no entry of the program"


def invalid_settings():
    """Loads the page once while web.yaml has an error, and again after the fix. Returns how often touchd-web failed."""
    run("systemctl", "stop", "touchd-web.service")
    os.rename("/etc/touchd/web.yaml", "/etc/touchd/web.good")
    with open("/etc/touchd/web.yaml", "w") as file:
        file.write("pagez: /srv/kiosk\n")
    start = time.time()
    load(PATIENCE)
    limit = time.monotonic() + PATIENCE
    while state("touchd-web.service") != "failed" and time.monotonic() < limit:
        time.sleep(0.1)
    os.rename("/etc/touchd/web.good", "/etc/touchd/web.yaml")
    answer = load(PATIENCE)
    run("journalctl", "--sync")
    entries = subprocess.run(
        ["journalctl", "--boot", "--output=cat", f"--since=@{start}", "UNIT=touchd-web.service"], capture_output=True, text=True)
    return [f"failures {entries.stdout.count('Failed with result')}", f"then {answer}"]


def main(seed):
    section("seed", seed)
    player = Player()
    player.plug("panel", PANEL)
    broker = Broker(1883)
    run("systemctl", "start", "touchd.socket")
    run("systemctl", "start", "touchd-metrics.timer", "touchd.service", *(unit for unit in UNITS if unit != "touchd.socket"))
    section("before", *(f"{unit} {state}" for unit, state in calm().items()))

    # umockdev warns of a touchd that is killed while it asks for a device.
    section("warnings")
    visitor, browser = Visitor(player), Browser()
    killers = [Killer(seed, unit, False) for unit in SERVICES]
    killers += [Killer(seed, unit, True) for unit in SERVICES
                if unit not in ("touchd.service", "touchd-network.service", "touchd-web.service")]
    for thread in [visitor, browser, *killers]:
        thread.start()
    for killer in killers:
        killer.join()
    for thread in [visitor, browser]:
        thread.stopped.set()
        thread.join()
    section("kills", *(f"{killer.name} {killer.count}" for killer in killers))

    section("after", *(f"{unit} {state}" for unit, state in calm().items()))
    count = len(broker.payloads("sent"))
    section("program", tells(player))
    broker.wait(lambda: len(broker.payloads("sent")) > count, "no message arrives")
    section("message", f"{broker.last('sent')}; {broker.last('kiosk/availability')}")
    section("page", load(PATIENCE))
    section("invalid-settings", *invalid_settings())
    section("failed", *subprocess.run(
        ["systemctl", "list-units", "--failed", "--plain", "--no-legend"], capture_output=True, text=True).stdout.splitlines())
    section("end")


if __name__ == "__main__":
    main(sys.argv[1])
