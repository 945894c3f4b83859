"""Journals of kiosks, as `journalctl -o json` writes them, near the limits that `touchd report` and the SQL know."""

import json
import random

MIDNIGHT = 1_793_491_200.0  # November 1, 2026, UTC
LAYOUTS = ["0123456789ab", "89abcdef0123", "fedcba987654"]
NAMES = ["start", "map", "help", "next", "back", "", "tür", "地図", "x'); DROP TABLE touchd.entries; --", "a\x1b[31mb", "\u202egnp.exe",
         "\ue000private use", "👩‍👩‍👧", '"quoted"', "back\\slash", "tab\tand\nline", "{from:Date}", "long " * 40]


class Kiosk:
    """One machine: boots, runs of the service, and a clock that can be set. `truth` has what SQL says beyond the report."""

    def __init__(self, host, machine=None):
        self.host, self.machine = host, machine or f"machine-of-{host}"
        self.records, self.truth = [], []
        self.boot, self.process, self.uptime, self.wall = 0, 600, 0.0, MIDNIGHT
        self.layouts, self.processes, self.numbers = {}, {}, {}
        self.restart()

    def restart(self, off=30.0):
        self.boot, self.wall, self.uptime = self.boot + 1, self.wall + off, 0.0
        for unit in self.processes or ["touchd.service"]:
            self.start(unit)

    def start(self, unit="touchd.service"):
        self.process += 1
        self.processes[unit], self.numbers[unit] = self.process, 0

    def wait(self, seconds):
        """Time passes; an entry needs a microsecond."""
        self.uptime, self.wall = round(self.uptime + max(1e-6, seconds), 6), self.wall + max(1e-6, seconds)

    def entry(self, kind, unit="touchd.service", **fields):
        self.wait(2e-6)
        self.records.append({
            "__REALTIME_TIMESTAMP": str(round(self.wall * 1e6)), "__MONOTONIC_TIMESTAMP": str(round(self.uptime * 1e6)),
            "_HOSTNAME": self.host, "_MACHINE_ID": self.machine, "_BOOT_ID": f"{self.host}-{self.boot}",
            "_PID": str(self.processes[unit]), "_SYSTEMD_UNIT": unit, "PRIORITY": "6", "MESSAGE_ID": IDS[kind],
            "MESSAGE": kind, **fields})

    def load(self, layout, unit="touchd.service"):
        self.layouts[unit, self.boot, self.processes[unit]] = layout
        self.entry("layoutLoaded", unit, TOUCHD_LAYOUT_HASH=layout, TOUCHD_LAYOUT_VERSION="v" + layout[0])

    def began(self, view, x=None, y=None, unit="touchd.service", time=None, **fields):
        self.numbers[unit] += 1
        number = self.numbers[unit]
        self.touched("touchBegan", number, view, x, y, unit, time, **fields)
        second = int(self.records[-1]["__REALTIME_TIMESTAMP"]) // 1_000_000
        self.truth.append((self.layouts.get((unit, self.boot, self.processes[unit]), ""), second // 3600))
        return number

    def touched(self, kind, number, view, x, y, unit="touchd.service", time=None, **fields):
        place = {} if x is None else {"TOUCHD_X": str(x), "TOUCHD_Y": str(y)}
        self.entry(kind, unit, TOUCHD_TOUCH=str(number), TOUCHD_VIEW=view, TOUCHD_TIME=time or f"{self.uptime:.6f}", **place, **fields)

    def tap(self, view, lasting, x=100, y=100, to_x=None, to_y=None, end="touchEnded", **options):
        """Lasts this long to the microsecond, since TOUCHD_TIME is that of the finger and not that of the entry."""
        start = self.uptime + 0.001
        number = self.began(view, x, y, time=f"{start:.6f}", **options)
        self.wait(lasting)
        self.touched(end, number, view, x if to_x is None else to_x, y if to_y is None else to_y, time=f"{start + lasting:.6f}", **options)


def fixtures(host):
    """One kiosk at each limit, on both sides of it."""
    kiosk = Kiosk(host)
    kiosk.load(LAYOUTS[0])
    for lasting in (0.0, 0.03, 0.74, 0.749, 0.749999, 0.750001, 0.751, 0.76):
        kiosk.tap(f"lasting {lasting}", lasting)
    for distance in (44, 44.9, 44.99, 45, 45.01, 45.1, 46):
        kiosk.tap(f"moved {distance}", 0.1, to_x=100 + distance)
        kiosk.tap(f"moved aslant {distance}", 0.1, to_x=100 + round(distance * 0.6, 2), to_y=100 + round(distance * 0.8, 2))
    for place in (999_000, 999_999.99, 1_000_000, 1_001_000):
        kiosk.tap(f"at {place}", 0.1, x=place, to_x=place - 60)
        kiosk.tap(f"at y {-place}", 0.1, y=-place, to_y=60 - place)
    for time in (9_990_000_000, 9_999_999_999, 10_000_000_000, 10_010_000_000, -1):
        number = kiosk.began(f"time {time}", time=str(time))
        kiosk.wait(2)
        kiosk.touched("touchEnded", number, "", None, None, time=str(time + 0.25))
    for length in (127, 128, 129, 140):
        kiosk.tap("n" * length, 0.1)
    for trigger, after in (("recognized", 0), ("began", 0), ("ended", 0), ("recognized", 1), (None, 0)):
        number = kiosk.began(f"cancelled {trigger} {after}")
        for step in (after, 1 - after):
            if step:
                kiosk.touched("touchCancelled", number, "", None, None)
            elif trigger:
                kiosk.entry("gestureRecognized", TOUCHD_TRIGGER=trigger, TOUCHD_GESTURE="pan")
    kiosk.began("never ends", 5, 5)
    kiosk.touched("touchEnded", 999, "never began", 5, 5)
    number = kiosk.began("ends before it begins", time="99.5")
    kiosk.touched("touchEnded", number, "", None, None, time="99")
    # The service starts again with the same process ID, and counts again from 1.
    kiosk.numbers["touchd.service"] = 0
    kiosk.tap("again", 0.1)
    kiosk.tap("again", 0.1)
    kiosk.wall -= 7200
    kiosk.tap("clock set back", 0.1)
    for name in NAMES:
        kiosk.tap(name, 0.1)
    for kind in IDS:
        if not kind.startswith("touch"):
            kiosk.entry(kind, TOUCHD_DEVICE=f"panel {kind}")
    for name in ("ELAN*", "ILITEK*"):
        kiosk.entry("deviceAbsent", TOUCHD_DEVICE=name)
    kiosk.entry("deviceBack", TOUCHD_DEVICE="ILITEK ILITEK-TP", TOUCHD_EXPECTED="ILITEK*")
    kiosk.entry("deviceFailed", TOUCHD_DEVICE="QUANTA", PRIORITY="3")
    ahead = Kiosk(host + "-ahead")
    for seconds in (7_258_118_300, 7_258_118_399, 7_258_118_400, 7_258_118_500):
        ahead.wall = seconds
        ahead.tap(f"in {seconds}", 0.1)
        if ahead.wall >= 7_258_118_400:
            ahead.truth.pop()
    return [kiosk, ahead]


def held(host):
    """Touches that begin in a day and end after it, and the end of that day."""
    kiosk = Kiosk(host)
    until = kiosk.wall = MIDNIGHT + 86400
    kiosk.wall -= 1
    kiosk.uptime = 1000.0
    for after in (539, 599, 601, 661):
        kiosk.began(f"held {after}", 5, 5)
    for number, after in enumerate((539, 599, 601, 661), 1):
        kiosk.wait(until + after - kiosk.wall)
        kiosk.touched("touchEnded", number, "", 5, 5)
    return [kiosk], until


def random_kiosk(rng, host):
    """A week or so of one kiosk."""
    kiosk = Kiosk(rng.choice([host, host, host + "\x07", host + "'; --"]), rng.choice([None, None, "cloned"]))
    units = ["touchd.service"] + rng.sample(["touchd@seat1.service"], rng.random() < 0.2)
    names = rng.sample(NAMES + [f"seat {i}" for i in range(8)], rng.randint(3, 14))
    screens = rng.choice([[{}], [{}], [{"TOUCHD_SCREEN": "left"}, {"TOUCHD_SCREEN": "right"}]])
    down = []
    for unit in units[1:]:
        kiosk.start(unit)
    if rng.random() < 0.8:
        kiosk.load(rng.choice(LAYOUTS))
    for _ in range(rng.choice([5, 60, 150])):
        kiosk.wait(rng.choice([0.001, 0.2, 1, 5, 60, 3000]) * rng.random() * 2)
        event, unit = rng.random(), rng.choice(units)
        if event < 0.01:
            kiosk.restart(rng.choice([20, 86400 * 2]))
            down = []
        elif event < 0.02:
            kiosk.wait(1)
            kiosk.start(unit)
            kiosk.entry("started", unit)
            down = [one for one in down if one[0] != unit]
        elif event < 0.03:
            kiosk.wall -= rng.choice([1, 600, 4000])
        elif event < 0.05:
            kiosk.load(rng.choice(LAYOUTS), unit)
        elif event < 0.08:
            kiosk.entry("gestureRecognized", unit, TOUCHD_TRIGGER=rng.choice(["recognized", "began", "ended", "cancelled"]))
        elif event < 0.12:
            kind = rng.choice([kind for kind in IDS if not kind.startswith("touch")])
            kiosk.entry(kind, unit, TOUCHD_DEVICE=rng.choice(["ELAN", "ILITEK"]), PRIORITY=rng.choice("346"))
        elif event < 0.14:
            kiosk.touched("touchEnded", 900 + rng.randint(0, 99), "stray", 1, 1, unit)
        elif event < 0.2 and down:
            unit, number, name, screen = down.pop(rng.randrange(len(down)))
            kiosk.touched(rng.choice(["touchEnded", "touchCancelled"]), number, name, 10, 10, unit, **screen)
        elif event < 0.28:
            name, screen = rng.choice(names), rng.choice(screens)
            down.append((unit, kiosk.began(name, 10, 10, unit, **screen), name, screen))
        else:
            x, y = rng.randint(0, 1920), rng.randint(0, 1080)
            place = {} if rng.random() < 0.8 else {"x": None, "y": None, "to_x": None, "to_y": None}
            place = place or {"x": x, "y": y, "to_x": x + rng.choice([0, 3, 27, 27.01]), "to_y": y + rng.choice([0, 5, 36, 36.01])}
            kiosk.tap(rng.choice(names), rng.choice([0.02, 0.1, 0.7, 0.749, 0.751, 2]), unit=unit, **place, **rng.choice(screens),
                      end=rng.choice(["touchEnded"] * 5 + ["touchCancelled"]))
    return kiosk


def fleets(seed, count):
    """The kiosks of the fixtures, and of `count` random journals, some of which make a fleet together."""
    yield fixtures("limits")
    rng, made = random.Random(seed), 0
    while made < count:
        size = min(rng.randint(1, 30), count - made)
        yield [random_kiosk(rng, f"kiosk-{made + i}") for i in range(size)]
        made += size


def lines(records):
    """As journalctl writes them: a text with control characters is a list of its bytes."""
    def value(text):
        return list(text.encode()) if any(ord(c) < 32 and c not in "\t\n" for c in text) else text
    return "".join(json.dumps({name: value(text) for name, text in record.items()}, ensure_ascii=False) + "\n" for record in records)


IDS = {}
