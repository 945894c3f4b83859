# Faults that need a separate kernel: its clock, its limits on tasks, memory and descriptors, and udev; and one that
# takes minutes with a program that is not optimized.
import json, os, resource, signal, socket, time

from kiosk import PATIENCE, SECOND, run
from programs import said

UDEVD = ["systemd-udevd-control.socket", "systemd-udevd-kernel.socket", "systemd-udevd.service"]


def without_udevd(kiosk):
    """udevd is stopped, touchd started without it, a screen plugged in meanwhile; udevd is back."""
    # In this order: a socket's unit that is masked forgets to remove its socket, by which udevd is known to run.
    run("systemctl", "stop", *UDEVD)
    run("systemctl", "mask", "--runtime", *UDEVD)
    try:
        kiosk.tap()
        process = kiosk.process
        os.kill(process, signal.SIGKILL)
        kiosk.stopped(process)
        kiosk.connect()
        kiosk.tap()
        kiosk.control.forget()
        start = kiosk.journal.mark()
        kiosk.play(f"attach late {SECOND}")
        node = kiosk.player.heard()[-1]
        kiosk.journal.wait("only root may open it", start)
        # As a late udev rule would, but without an event.
        os.chmod(node, 0o666)
        kiosk.control.wait("device", change=["added"])
        kiosk.tap("late")
    finally:
        run("systemctl", "unmask", "--runtime", *UDEVD)
        run("systemctl", "start", *UDEVD)
        kiosk.player.unplug("late")
    kiosk.control.wait("device", change=["removed"])
    # It has watched /dev/input itself since its start; from here on udev reports devices.
    kiosk.restart()
    return ["says that it may not open a screen that comes", "uses it once it may"]


def crowd(kiosk):
    """A thousand programs that subscribe to everything and never read."""
    request = json.dumps({"request": "subscribe", "to": ["touches", "gestures", "devices", "pages", "published"],
                          "moves": True}).encode() + b"\n"
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits[1], limits[1]))
    refused = kiosk.status["control"]["refused"]
    clients = []
    for _ in range(1000):
        client = socket.socket(socket.AF_UNIX)
        client.connect("/run/touchd/control")
        try:
            client.send(request)
        except OSError:
            # It was refused before its request.
            pass
        clients.append(client)
    # At most 64 may connect, and one of them is the monitor.
    while kiosk.status["control"]["refused"] - refused < 1000 - 63:
        pass
    kiosk.down()
    while not kiosk.status["control"]["droppedEvents"]:
        kiosk.play("flood panel 0 1000", "wait-open panel")
        # It reports this after the flood, because touchd has the screen open all the time.
        kiosk.player.heard()
    kiosk.up()
    connected = kiosk.status["control"]["clients"]
    for client in clients:
        client.close()
    while kiosk.status["control"]["clients"] > 1:
        pass
    return [f"{connected} stay connected, the others are refused", "events are dropped"]


def greedy(kiosk):
    """A program that uses all the memory of the service's limit."""
    run("systemctl", "set-property", "--runtime", "touchd-exec.service", "MemoryMax=128M")
    try:
        return [said(kiosk, 450, "/usr/bin/tail was")]
    finally:
        run("systemctl", "set-property", "--runtime", "touchd-exec.service", "MemoryMax=infinity")


def bomb(kiosk):
    """A program that starts itself twice, and so on, and is over itself at once. What it starts stays until its timeout.

    How many of them there are by then is a matter of the machine's speed; that there are many is waited for.
    """
    kiosk.press(250)
    limit = time.monotonic() + PATIENCE
    while (count := kiosk.children()) <= 16 and time.monotonic() < limit:
        time.sleep(0.05)
    for _ in range(3):
        kiosk.tap()
    return ["touches are delivered meanwhile" if count > 16 else f"only {count} programs"]


def no_descriptors(kiosk):
    """touchd has as many descriptors as it may have, and a screen is plugged in."""
    process = kiosk.process
    limits = resource.prlimit(process, resource.RLIMIT_NOFILE)
    highest = max(int(name) for name in os.listdir(f"/proc/{process}/fd"))
    resource.prlimit(process, resource.RLIMIT_NOFILE, (highest + 4, limits[1]))
    start = kiosk.journal.mark()
    clients = []
    try:
        for _ in range(20):
            clients.append(socket.socket(socket.AF_UNIX))
            clients[-1].connect("/run/touchd/control")
        kiosk.journal.wait("accepts no clients for", start)
        kiosk.control.forget()
        kiosk.player.plug("late", SECOND)
        kiosk.control.wait("device", change=["failed"])
        kiosk.tap()
        for client in clients:
            client.close()
        kiosk.control.wait("device", change=["added"])
        kiosk.tap("late")
    finally:
        for client in clients:
            client.close()
        kiosk.player.unplug("late")
    kiosk.control.wait("device", change=["removed"])
    resource.prlimit(process, resource.RLIMIT_NOFILE, limits)
    while kiosk.status["control"]["clients"] > 1:
        pass
    return ["says that it cannot open the screen", "uses it once it can"]


def other_day(kiosk):
    """The clock is set a day forward, and back, with four fingers down."""
    kiosk.down()
    for day in 86_400, -86_400:
        time.clock_settime(time.CLOCK_REALTIME, time.clock_gettime(time.CLOCK_REALTIME) + day)
        kiosk.play("move panel 0 210 310", "frame panel")
    kiosk.up()


FAULTS = [without_udevd, crowd, greedy, bomb, no_descriptors, other_day]
