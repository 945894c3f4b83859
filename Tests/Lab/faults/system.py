# Faults of the machine around the service.
import os, resource, signal, socket, time

from kiosk import PATIENCE, SECOND, Failure, run

UDEVD = ["systemd-udevd-control.socket", "systemd-udevd-kernel.socket", "systemd-udevd.service"]
JOURNALD = ["systemd-journald.socket", "systemd-journald-dev-log.socket", "systemd-journald-audit.socket",
            "systemd-journald.service"]


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


def without_journald(kiosk):
    """journald is stopped with its sockets, touchd started without it, and journald is back."""
    run("systemctl", "stop", *JOURNALD)
    try:
        kiosk.restart()
        for _ in range(3):
            kiosk.tap()
        waiting = kiosk.status["log"]["waiting"]
    finally:
        run("systemctl", "start", *JOURNALD)
    kiosk.tap()
    kiosk.settle()
    # Started without journald it has an additional /dev/null, so a normally started process is measured.
    kiosk.restart()
    return ["entries wait for it" if waiting >= 3 * 8 else f"only {waiting} entries wait"]


def without_dbus(kiosk):
    """The D-Bus daemon is stopped, touchd started without it, and the daemon is back."""
    run("systemctl", "stop", "dbus.socket", "dbus.service")
    try:
        kiosk.tap()
        kiosk.restart()
        kiosk.tap()
    finally:
        run("systemctl", "start", "dbus.service")


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


def written(kiosk):
    """Waits until the metrics are written: what is renamed into their place is another file."""
    path, limit = "/var/lib/touchd-metrics/touchd.prom", time.monotonic() + PATIENCE
    before = os.stat(path).st_ino
    while os.stat(path).st_ino == before:
        if time.monotonic() > limit:
            raise Failure("no metrics are written")
        time.sleep(0.1)


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


def full_disk(kiosk):
    """The disk that the metrics are written to is full for a while."""
    # Neither was writing them failing before, nor does a file that is replaced make room now.
    written(kiosk)
    start = kiosk.journal.mark()
    with open("/var/lib/touchd-metrics/full", "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    kiosk.journal.wait("cannot write the metrics", start)
    kiosk.tap()
    os.remove("/var/lib/touchd-metrics/full")
    kiosk.journal.wait("the metrics are written again", start)
    # libdispatch's, where the sandbox forbids what it does.
    complaints = kiosk.journal.texts(0, "thread priority")
    return ["says so, and when it writes again"] + complaints[:1]


def other_day(kiosk):
    """The clock is set a day forward, and back, with four fingers down."""
    kiosk.down()
    for day in 86_400, -86_400:
        time.clock_settime(time.CLOCK_REALTIME, time.clock_gettime(time.CLOCK_REALTIME) + day)
        kiosk.play("move panel 0 210 310", "frame panel")
    kiosk.up()


FAULTS = [without_udevd, without_journald, without_dbus, no_descriptors, no_tasks, full_disk, other_day]
