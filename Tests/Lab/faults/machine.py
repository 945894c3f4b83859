# Faults that need a kernel of their own: its clock, its limits on tasks and memory, and udev.
import os, signal, time

from kiosk import PATIENCE, SECOND, run, written
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


def greedy(kiosk):
    """A program that uses all the memory of the service's limit."""
    run("systemctl", "set-property", "--runtime", "touchd-exec.service", "MemoryMax=128M")
    try:
        return [said(kiosk, 450, "/usr/bin/tail was")]
    finally:
        run("systemctl", "set-property", "--runtime", "touchd-exec.service", "MemoryMax=infinity")


def bomb(kiosk):
    """A program that starts itself twice, and so on, and is over itself at once.

    How many of them there are by its timeout is a matter of the machine's speed; that there are many is waited for.
    """
    kiosk.press(250)
    most = 0
    limit = time.monotonic() + PATIENCE
    while most <= 16 and time.monotonic() < limit:
        most = max(most, kiosk.children())
    for _ in range(3):
        kiosk.tap()
    return ["touches are delivered meanwhile" if most > 16 else f"only {most} programs"]


def no_tasks(kiosk):
    """The service may have no more threads or processes when its metrics are to be written."""
    # An earlier failure is not reported again.
    written(kiosk)
    start = kiosk.journal.mark()
    run("systemctl", "set-property", "--runtime", "touchd.service", "TasksMax=1")
    try:
        kiosk.journal.wait("cannot write the metrics: pthread_create: ", start)
        kiosk.tap()
    finally:
        run("systemctl", "set-property", "--runtime", "touchd.service", "TasksMax=512")
    kiosk.journal.wait("the metrics are written again", start)
    return ["says so, and when it writes again"]


def other_day(kiosk):
    """The clock is set a day forward, and back, with four fingers down."""
    kiosk.down()
    for day in 86_400, -86_400:
        time.clock_settime(time.CLOCK_REALTIME, time.clock_gettime(time.CLOCK_REALTIME) + day)
        kiosk.play("move panel 0 210 310", "frame panel")
    kiosk.up()


FAULTS = [without_udevd, greedy, bomb, no_tasks, other_day]
