# Faults of handlers' programs: each button at the lower edge of the layout starts one.
import time

from kiosk import PATIENCE, run


def said(kiosk, x, text):
    """Presses a button and waits for touchd's entry about its program."""
    start = kiosk.journal.mark()
    kiosk.press(x)
    kiosk.tap()
    return kiosk.journal.wait(text, start)["MESSAGE"].split(": ", 1)[-1]


def hanging(kiosk):
    """A program that does not end."""
    return [said(kiosk, 50, "/bin/sleep was stopped")]


def stubborn(kiosk):
    """A program that ignores SIGTERM."""
    return [said(kiosk, 150, "/usr/lib/faults/stubborn was stopped")]


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


def babbling(kiosk):
    """A program that writes lines endlessly."""
    return [said(kiosk, 350, "/usr/bin/yes was stopped")]


def greedy(kiosk):
    """A program that uses all the memory of the service's limit."""
    run("systemctl", "set-property", "--runtime", "touchd-exec.service", "MemoryMax=128M")
    try:
        return [said(kiosk, 450, "/usr/bin/tail was")]
    finally:
        run("systemctl", "set-property", "--runtime", "touchd-exec.service", "MemoryMax=infinity")


FAULTS = [hanging, stubborn, babbling, greedy, bomb]
