"""A mocked touchscreen for measurements of times, and what they share."""
import contextlib, os, re, struct, subprocess, sys, tempfile, threading, time

folder = tempfile.TemporaryDirectory()


def file(name, text):
    with open(f"{folder.name}/{name}", "w") as made:
        made.write(text)
    return made.name


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
def running(words, line):
    """A program that has printed a line; yields what it matched."""
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        try:
            for text in process.stdout:
                if found := re.search(line, text.decode()):
                    break
            else:
                sys.exit(f"{words[0]} has ended")
            threading.Thread(target=process.stdout.read, daemon=True).start()
            yield found
        finally:
            process.kill()


def figures(times):
    times = sorted(times)
    return " | ".join(f"{times[min(len(times) - 1, int(len(times) * part))]:.2f}" for part in (0.5, 0.99))
