# Faults of handlers' programs: each button at the lower edge of the layout starts one.


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


def babbling(kiosk):
    """A program that writes lines endlessly."""
    return [said(kiosk, 350, "/usr/bin/yes was stopped")]


FAULTS = [hanging, stubborn, babbling]
