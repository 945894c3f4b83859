# Upgrades the packages of a running kiosk, while a visitor touches the screen ten times a second and a browser loads the page, and prints
# the results in sections. dpkg unpacks first and configures later, as apt does with several packages, and handlers' programs are tried
# in between. Argument: the folder that `packages` made.
import glob, os, shutil, subprocess, sys, threading, time

from kiosk import PANEL, PATIENCE, Failure, Journal, Player, run
from restarts import GROUPS, Browser, load, section, state

# systemd's messages about a unit: it was started, it was stopped, it failed.
STARTED, STOPPED, FAILED = (
    "39f53479d3a045ac8e11786248231fbf", "9d1aaa27d60140bd96365438aad20286", "be02cf6855d2428ba40df7e9d022f03d")
# Touches that run a program before, between and after the steps of dpkg.
RUNS = 10


class Visitor(threading.Thread):
    """Touches the left half of the screen ten times a second until it is stopped."""

    def __init__(self, player):
        super().__init__(daemon=True)
        self.player, self.stopped = player, threading.Event()

    def run(self):
        while not self.stopped.wait(0.1):
            self.player.play("down panel 0 200 300", "frame panel", "up panel 0", "frame panel")


class Programs(threading.Thread):
    """Touches the right half, which runs a program, and waits for the report before the next touch. It ends after a number of touches that
    began after `enough`."""

    def __init__(self, player, journal):
        super().__init__(daemon=True)
        self.player, self.journal, self.enough = player, journal, threading.Event()
        self.failures, self.error = [], None

    def run(self):
        left = RUNS
        try:
            while left > 0:
                if self.enough.is_set():
                    left -= 1
                self.touch()
        except Failure as error:
            self.error = error

    def touch(self):
        start = len(self.journal.entries)
        self.player.play("down panel 1 1000 300", "frame panel", "up panel 1", "frame panel")
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            with self.journal.grown:
                for entry in self.journal.entries[start:]:
                    message = str(entry.get("MESSAGE", ""))
                    if message.startswith("ran "):
                        return
                    if message.startswith("handler 'ran'"):
                        self.failures.append(message)
                        return
                self.journal.grown.wait(1)
        raise Failure("neither a report of the program nor an error")

    def result(self):
        self.enough.set()
        self.join()
        if self.error:
            raise self.error
        return [f"failure {text}" for text in self.failures] or ["no failure"]


class LockedPlayer(Player):
    """A player for several threads: each call's lines stay together."""

    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()

    def play(self, *commands):
        with self.lock:
            super().play(*commands)


def dpkg(*arguments):
    answer = subprocess.run(["dpkg", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if answer.returncode:
        raise Failure(f"dpkg: {answer.stdout}")
    return answer.stdout.splitlines()


def main_process(unit):
    """The unit's main process; waits for it if the unit is starting."""
    limit = time.monotonic() + PATIENCE
    while True:
        answer = subprocess.run(["systemctl", "show", "--property=MainPID", "--value", unit], capture_output=True, text=True)
        if int(answer.stdout) or time.monotonic() > limit:
            return int(answer.stdout)
        time.sleep(0.1)


def changes(processes):
    """Appends the units' current main processes to a list, and returns whether each is the one before."""
    now = {unit: main_process(unit) for unit in processes[0]}
    lines = []
    for unit, process in now.items():
        lines.append(f"{unit} {'ended' if not process else 'the same' if process == processes[-1][unit] else 'another'}")
    processes.append(now)
    return lines


def old_programs():
    """The units with a process that executes a file which is not installed any more."""
    found = set()
    files = glob.glob(f"{GROUPS}/system.slice/**/touchd*.service/cgroup.procs", recursive=True)
    if not files:
        raise Failure("no process of touchd")
    for file in files:
        with open(file) as numbers:
            for number in numbers.read().split():
                try:
                    if os.readlink(f"/proc/{number}/exe").endswith(" (deleted)"):
                        found.add(file.split("/")[-2])
                except FileNotFoundError:
                    # It has ended.
                    pass
    return sorted(found)


def touches(entries):
    """Counts touches by what became of them, and returns the monotonic times of the last before the restart and the first after."""
    down, begun, ended, odd = set(), 0, 0, []
    last, first, restarted = None, None, False
    for entry in entries:
        if entry.get("MESSAGE_ID") == STOPPED:
            restarted = True
        phase, number = entry.get("TOUCHD_PHASE"), entry.get("TOUCHD_TOUCH")
        if phase is None or number is None or not str(entry.get("MESSAGE", "")).startswith("touch "):
            continue
        moment = int(entry["__MONOTONIC_TIMESTAMP"]) / 1e6
        if not restarted:
            last = moment
        elif first is None:
            first = moment
        if phase == "began":
            begun += 1
            if number in down:
                odd.append(f"{number} began twice")
            down.add(number)
        elif phase in ("ended", "cancelled"):
            ended += 1
            if number not in down:
                odd.append(f"{number} {phase} without a beginning")
            down.discard(number)
    return begun, ended, sorted(down), odd, last, first


def main(folder):
    player = LockedPlayer()
    player.plug("panel", PANEL)
    journal = Journal()
    section("install", *dpkg("--install", *glob.glob(f"{folder}/touchd*.deb")))
    shutil.copy("Tests/Lab/faults/upgrade.yaml", "/etc/touchd/touchd.yaml")
    run("systemctl", "restart", "touchd.service")
    player.play("wait-open panel")
    player.heard()
    units = ["touchd-web.service", "touchd-network.service", "touchd-network@seat1.service"]
    # Each touchd starts its helper by connecting to it.
    run("systemctl", "start", "touchd-web.socket", "touchd@seat1.service")
    section("before", f"page {load(PATIENCE)}")
    programs = Programs(player, journal)
    programs.start()
    section("programs-before", *programs.result())
    processes = [{unit: main_process(unit) for unit in units}]

    start = journal.mark()
    visitor, browser = Visitor(player), Browser()
    programs = Programs(player, journal)
    for thread in [visitor, browser, programs]:
        thread.start()
    section("unpack", *dpkg("--unpack", *glob.glob(f"{folder}/next/touchd*.deb")))
    section("programs-unpacked", *programs.result())
    section("unpacked", f"page {load(PATIENCE)}", *changes(processes))
    section("configure", *dpkg("--configure", "touchd", "touchd-inspect", "touchd-web"))
    programs = Programs(player, journal)
    programs.start()
    section("programs-after", *programs.result())
    for thread in [visitor, browser]:
        thread.stopped.set()
        thread.join()

    limit = time.monotonic() + PATIENCE
    while True:
        end = journal.mark()
        begun, ended, down, odd, last, first = touches(journal.entries[start:end])
        if not down or time.monotonic() > limit:
            break
    section("touches", f"down {down}", *odd, f"enough {begun > 2 * RUNS and begun == ended}")
    section("touchd", *({STARTED: "started", STOPPED: "stopped", FAILED: "failed"}[entry["MESSAGE_ID"]]
                        for entry in journal.entries[start:end] if entry.get("MESSAGE_ID") in (STARTED, STOPPED, FAILED)))
    section("interruption", f"{begun} touches, none for {first - last:.2f} s")
    section("configured", f"page {load(PATIENCE)}", *changes(processes))
    section("old", *old_programs())
    section("sockets", *(f"{unit} {state(unit)}" for unit in (
        "touchd-exec.socket", "touchd-network.socket", "touchd-network@seat1.socket", "touchd-web.socket")))
    section("failed", *subprocess.run(
        ["systemctl", "list-units", "--failed", "--plain", "--no-legend"], capture_output=True, text=True).stdout.splitlines())
    run("dpkg", "--remove", "touchd-inspect", "touchd-web", "touchd")
    section("removed", *subprocess.run(
        ["systemctl", "list-units", "--plain", "--no-legend", "touchd*"], capture_output=True, text=True).stdout.splitlines(),
        *glob.glob("/run/touchd*.network"))
    section("end")


main(sys.argv[1])
