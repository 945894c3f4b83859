# Faults of the machine around the service.
import os, signal, subprocess

from kiosk import run

JOURNALD = ["systemd-journald.socket", "systemd-journald-dev-log.socket", "systemd-journald-audit.socket",
            "systemd-journald.service"]


def without_journald(kiosk):
    """journald is stopped with its sockets, touchd started without it, and after 2,400 entries journald starts again.

    journald accepts 10,000 entries of a unit in 30 s.
    """
    run("systemctl", "stop", *JOURNALD)
    try:
        kiosk.restart()
        for _ in range(300):
            kiosk.tap()
        waiting = kiosk.status["log"]["waiting"]
    finally:
        run("systemctl", "start", *JOURNALD)
    kiosk.tap()
    kiosk.settle()
    # Started without journald it has an additional /dev/null, so a normally started process is measured.
    kiosk.restart()
    return ["entries wait for it" if waiting else "no entry waits"]


def stopped_journald(kiosk):
    """journald is suspended, as with a disk that does not respond, until touchd's entries wait, and continues."""
    journald = subprocess.run(["systemctl", "show", "--property=MainPID", "--value", "systemd-journald.service"],
                              check=True, capture_output=True, text=True).stdout
    os.kill(int(journald), signal.SIGSTOP)
    try:
        while not kiosk.status["log"]["waiting"]:
            kiosk.tap()
    finally:
        os.kill(int(journald), signal.SIGCONT)
    return ["entries wait for it"]


def without_dbus(kiosk):
    """The D-Bus daemon is stopped, touchd started without it, and the daemon is back."""
    run("systemctl", "stop", "dbus.socket", "dbus.service")
    try:
        kiosk.tap()
        kiosk.restart()
        kiosk.tap()
    finally:
        run("systemctl", "start", "dbus.service")


FAULTS = [without_journald, stopped_journald, without_dbus]
