# Faults of the service itself.
import json, os, resource, signal, socket

from kiosk import Failure, run

DROP_IN = "/run/systemd/system/touchd.service.d/faults.conf"


def start(kiosk):
    """Starts the service with the faults' layout, and its metrics on a separate small disk."""
    os.makedirs("/var/lib/touchd-metrics", exist_ok=True)
    run("mount", "-t", "tmpfs", "-o", "size=64k,mode=1777", "tmpfs", "/var/lib/touchd-metrics")
    os.makedirs(os.path.dirname(DROP_IN), exist_ok=True)
    with open(DROP_IN, "w") as file:
        file.write(
            "[Service]\nReadWritePaths=/var/lib/touchd-metrics\nExecStart=\n"
            "ExecStart=/usr/bin/touchd run --layout /etc/touchd/touchd.yaml --output journal "
            "--metrics-file /var/lib/touchd-metrics/touchd.prom\n")
    run("cp", "Tests/Lab/faults/faults.yaml", "/etc/touchd/touchd.yaml")
    run("systemctl", "daemon-reload")
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


FAULTS = [terminated, killed, reloaded, crowd]
