# Faults of screens.
import os, re, signal

from kiosk import PANEL, SECOND, Failure, Player, run

# A hundred with TOUCHD_FAULT_ROUNDS=100, which takes some minutes.
ROUNDS = int(os.environ.get("TOUCHD_FAULT_ROUNDS", "10"))


def replugged(kiosk):
    """The screen is unplugged and plugged in repeatedly with four fingers down."""
    for _ in range(ROUNDS):
        kiosk.down()
        kiosk.player.unplug("panel")
        kiosk.control.wait("touch", 4, phase=["cancelled"])
        kiosk.control.wait("device", change=["removed"])
        kiosk.player.plug("panel", PANEL)
        kiosk.control.wait("device", change=["added"])


def swapped(kiosk):
    """Two screens of one kind change places, with fingers down on both."""
    kiosk.control.forget()
    nodes = [device["path"] for device in kiosk.status["devices"] if device["use"] == "used"]
    nodes.append(kiosk.player.plug("twin", PANEL))
    kiosk.control.wait("device", change=["added"])
    for device in ("panel", "twin"):
        kiosk.down(device)
    for device in ("panel", "twin"):
        kiosk.player.unplug(device)
    kiosk.control.wait("device", 2, change=["removed"])
    again = [kiosk.player.plug(device, PANEL) for device in ("twin", "panel")]
    kiosk.control.wait("device", 2, change=["added"])
    kiosk.tap("twin")
    kiosk.player.unplug("twin")
    kiosk.control.wait("device", change=["removed"])
    return ["each has the other's node" if again == nodes else f"nodes: {nodes}, then {again}"]


def dropped(kiosk):
    """touchd is suspended while fingers move, until the kernel has dropped events, repeatedly."""
    process = kiosk.process
    before = kiosk.status["touches"]["began"]
    taps = 0
    # A slow machine suspends it for longer than systemd's watchdog allows.
    run("systemctl", "service-watchdogs", "no")
    try:
        for _ in range(5):
            kiosk.control.forget()
            kiosk.play("down panel 0 100 100", "frame panel")
            kiosk.control.wait("touch", phase=["began"])
            os.kill(process, signal.SIGSTOP)
            try:
                for _ in range(50):
                    kiosk.play(*(f"down panel {slot} {200 * slot} 300" for slot in range(1, 5)), "frame panel")
                    kiosk.play(*(f"up panel {slot}" for slot in range(1, 5)), "frame panel")
                kiosk.play("up panel 0", "frame panel", "down panel 0 100 200", "frame panel", "wait-open panel")
                kiosk.player.heard()
            finally:
                os.kill(process, signal.SIGCONT)
            kiosk.play("up panel 0", "frame panel")
            taps += 2 + 50 * 4
            kiosk.settle()
    finally:
        run("systemctl", "service-watchdogs", "yes")
    began = kiosk.status["touches"]["began"] - before
    return ["events were lost" if began < taps else f"all {taps} touches came"]


def flooding(kiosk):
    """A screen reports moves as fast as the kernel accepts them, while another one is touched."""
    flood = Player()
    flood.plug("flood", SECOND)
    kiosk.control.wait("device", change=["added"])
    flood.play("down flood 0 100 100", "frame flood", "flood flood 0 20000")
    for _ in range(5):
        kiosk.tap()
    # Finished once the flood is over.
    flood.unplug("flood")
    flood.process.stdin.close()
    flood.process.wait()
    return ["the other screen answers meanwhile"]


def lying(kiosk):
    """A screen without a width, one with two thousand million units, and positions, slots and numbers beyond all ranges."""
    with open(PANEL) as file:
        description = file.read()
    for name, axis in ("flat", "35 0 0 0 0 0"), ("vast", "35 -1073741823 1073741823 0 0 2147483647"):
        with open(f"/tmp/{name}.desc", "w") as file:
            file.write("".join(
                f"A: {axis}\n" if line.startswith("A: 35 ") else line
                for line in description.splitlines(keepends=True)))
    kiosk.control.forget()
    node = kiosk.player.plug("flat", "/tmp/flat.desc")
    kiosk.control.wait("device", change=["ignored"])
    reason = next(device["reason"] for device in kiosk.status["devices"] if device["path"] == node)
    kiosk.player.unplug("flat")
    kiosk.player.plug("vast", "/tmp/vast.desc")
    kiosk.control.wait("device", change=["added"])
    kiosk.tap("vast")
    for device in "panel", "vast":
        for value in 2147483647, -2147483648, 65536, -1:
            for code in "ABS_MT_SLOT", "ABS_MT_TRACKING_ID", "ABS_MT_POSITION_X", "ABS_MT_POSITION_Y":
                kiosk.play(f"event {device} {code} {value}", f"frame {device}")
        kiosk.play(f"event {device} ABS_MT_TRACKING_ID -1", f"frame {device}")
    kiosk.tap("vast")
    kiosk.player.unplug("vast")
    kiosk.control.wait("device", change=["removed"])
    return [reason]


RULED = """
devices:
  - match: {name: EP0430M09}
    expected: 1
    silent-after: 2
    on: {absent: {log: gone}, silent: {log: still}, back: {log: here}}
"""


def missed(kiosk):
    """An expected screen is silent, then missing, for longer than its rule allows; the rule moves to another line."""
    with open("/etc/touchd/touchd.yaml") as file:
        layout = file.read()

    def load(text):
        with open("/etc/touchd/touchd.yaml", "w") as file:
            file.write(text)
        answer = kiosk.control.ask("reload")
        if answer:
            raise Failure(f"a reload answers {answer}")

    start = kiosk.journal.mark()
    load(layout + RULED)
    kiosk.journal.wait("has sent no events for longer than the rule", start)
    load("# another line\n" + layout + RULED)
    kiosk.tap()
    kiosk.journal.wait("sends events again", start)
    kiosk.player.unplug("panel")
    kiosk.journal.wait("an expected device is missing", start)
    kiosk.player.plug("panel", PANEL)
    kiosk.journal.wait("is back, as the rule", start)
    load(layout)
    kiosk.journal.mark()
    lines = [int(line) for text in kiosk.journal.texts(start, "the rule at")
             for line in re.findall(r"touchd\.yaml:(\d+)", text)]
    steps = [text for text in kiosk.journal.texts(start, "") if text in ("still", "here", "gone")]
    # It may fall silent again before it is unplugged.
    return [f"logged the rule's line {list(dict.fromkeys(line - lines[0] for line in lines))}",
            f"did {', '.join(dict.fromkeys(steps))}"]


FAULTS = [replugged, swapped, dropped, flooding, lying, missed]
