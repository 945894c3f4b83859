# Faults of the service itself.
import os, signal

from kiosk import Failure, run


def start(kiosk):
    """Starts the service with the faults' layout."""
    run("cp", "Tests/Lab/faults/faults.yaml", "/etc/touchd/touchd.yaml")
    run("systemctl", "start", "touchd.service")
    kiosk.connect()


def terminated(kiosk):
    """SIGTERM with four fingers down, and a start."""
    kiosk.down()
    kiosk.restart()
    kiosk.up(told=False)


def killed(kiosk):
    """SIGKILL with four fingers down, three times."""
    for _ in range(3):
        kiosk.down()
        process = kiosk.process
        os.kill(process, signal.SIGKILL)
        kiosk.stopped(process)
        kiosk.connect()
        kiosk.up(told=False)
        # Touches that were down when it started are not delivered; the next ones are.
        kiosk.tap()


def reloaded(kiosk):
    """A hundred reloads, under touches that nobody waits for."""
    start = kiosk.journal.mark()
    for _ in range(100):
        kiosk.play(*(f"down panel {slot} {200 + 200 * slot} 300" for slot in range(4)), "frame panel")
        answer = kiosk.control.ask("reload")
        if answer:
            raise Failure(f"a reload answers {answer}")
        kiosk.play(*(f"up panel {slot}" for slot in range(4)), "frame panel")
    kiosk.play("wait-open panel")
    kiosk.player.heard()
    kiosk.settle()
    kiosk.journal.mark()
    return [f"{len(kiosk.journal.texts(start, 'layout loaded'))} loaded"]


FAULTS = [terminated, killed, reloaded]
