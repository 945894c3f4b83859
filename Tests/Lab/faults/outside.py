# Each part that touchd talks to, with each fault: silent, slow, endless (in small and in large packets), full, refusing, with a passed
# descriptor. No touch may reach its handler later than BOUND after the kernel's timestamp, by touchd's own clocks.
import contextlib, itertools, os, shutil, signal, socket, struct, subprocess, threading, time

from kiosk import PATIENCE, Failure, run
from machine import JOURNALD
from peers import Broker, NameServer, Peer, Server, endless_packets, endless_response, silent, slow

BOUND = 0.005
# A debug build needs longer for everything: a touch may wait for as long as five answers take without a fault, 2.6 ms each.
ANSWERS = 5
TAPS = 20
# A fault that makes touches late does it each time; what the machine does for itself, such as to pass on the player's writes, does not.
ATTEMPTS = 6
# For how long the close of a passed socket waits.
LINGER = 3
LAYOUT = "/etc/touchd/touchd.yaml"


def layout(broker=1883, server="127.0.0.1:8080", program="/bin/true"):
    """A touch uses everything: journal, program, broker and server. By default all of them work."""
    return f"""screen: {{size: [1280, 768]}}
views: [{{id: whole, frame: [0, 0, 1280, 768], multiple-touch: true, on: {{began: [logged, program, broker, server]}}}}]
handlers:
  logged: {{log: touched}}
  program: {{exec: {{command: [{program}], timeout: 1}}}}
  broker: {{publish: {{topic: t, message: "{'x' * 16000}", mqtt: {{host: 127.0.0.1, port: {broker}, qos: 1}}}}}}
  server: {{http: {{url: "http://{server}/", retries: 0, timeout: 5 min}}}}
"""


def load(kiosk, text):
    with open(LAYOUT, "w") as file:
        file.write(text)
    answer = kiosk.control.ask("reload")
    if answer:
        raise Failure(f"a reload answers {answer}")


def scheduled(process, thread=None):
    """For how many seconds a thread, by default the main one, ran, and was ready to while the machine ran others
    (proc_pid_schedstat(5))."""
    with open(f"/proc/{process}/task/{thread or process}/schedstat") as file:
        return [int(each) / 1e9 for each in file.read().split()[:2]]


def waited(touchd, player):
    """For how many seconds touchd's main thread and the player's threads waited for a processor: one of the player's writes the
    events, another one answers touchd's reads of a mocked device."""
    return scheduled(touchd)[1] + sum(scheduled(player, thread)[1] for thread in os.listdir(f"/proc/{player}/task"))


def longest(kiosk, begin=None):
    """Taps a hundred times a second, and returns the longest time from the kernel's timestamp to a handler's start, as touchd measures it,
    without the time for which touchd and the player waited for a processor: that depends on the machine's load.

    Nobody waits for a touch: a touchd that does nothing for some time makes the ones of this time late. If several are late together, the
    result is their mean. With a function, calls it before the taps.
    """
    def tap():
        for _ in range(TAPS):
            kiosk.play("down panel 0 200 300", "frame panel", "up panel 0", "frame panel")
            time.sleep(0.01)
        # The answer shows that the player has written all, which touchd handles before the next request.
        kiosk.play("wait-open panel")
        kiosk.player.heard()

    before = kiosk.status
    processes = before["process"], kiosk.player.process.pid
    result, start = 0, waited(*processes)
    if begin:
        begin()
    visitor = threading.Thread(target=tap)
    visitor.start()
    goes_on = True
    while goes_on:
        goes_on = visitor.is_alive()
        time.sleep(0.005)
        # What is waited for between this and the status counts for both: a touch of either may be late because of it.
        next_start = waited(*processes)
        after = kiosk.status
        if after["process"] != before["process"]:
            visitor.join()
            raise Failure("touchd was restarted")
        spent, count = (after["latency"][key] - before["latency"][key] for key in ("sum", "count"))
        if after["touches"]["stale"] > before["touches"]["stale"]:
            # touchd drops what waited for 2 s.
            result = max(result, 2)
        elif count:
            result = max(result, spent / count - (waited(*processes) - start))
        before, start = after, next_start
    kiosk.control.forget()
    return result


def bound(kiosk):
    """The longest delay that is not late, in seconds: by the processor time of answers, whatever else runs."""
    process, count = kiosk.process, 20
    start = scheduled(process)[0]
    for _ in range(count):
        kiosk.control.ask("status")
    return max(BOUND, ANSWERS * (scheduled(process)[0] - start) / count)


def verdict(kiosk, fault):
    """Whether no touch is late while a fault is there."""
    for _ in range(ATTEMPTS):
        allowed = bound(kiosk)
        with fault(kiosk) as begin:
            delay = longest(kiosk, begin)
        kiosk.delay = round(delay * 1000, 2)
        if delay <= allowed:
            return ["in time"]
    return [f"{kiosk.delay} ms late, over {allowed * 1000:.1f} ms"]


# MARK: Faults of a process at the other end of a local socket

def main_process(unit):
    return int(subprocess.run(
        ["systemctl", "show", "--property=MainPID", "--value", unit], check=True, capture_output=True, text=True).stdout)


class Fault:
    """What runs while a fault is there: threads that end when their sockets are closed."""

    def __init__(self):
        # Ready: touchd is connected.
        self.ended, self.ready = threading.Event(), threading.Event()
        self.sockets, self.threads = [], []

    def start(self, function, *arguments):
        def run_until_closed():
            with contextlib.suppress(OSError):
                function(*arguments)
        thread = threading.Thread(target=run_until_closed, daemon=True)
        thread.start()
        self.threads.append(thread)

    def keep(self, *sockets):
        self.sockets += sockets
        return sockets[0]

    def pause(self, seconds):
        if self.ended.wait(seconds):
            raise OSError("the fault is over")

    def read(self, connection):
        while connection.recv(200_000):
            pass

    def end(self):
        self.ended.set()
        for each in self.sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        for thread in self.threads:
            thread.join()


def lingering(fault):
    """A TCP socket whose last close waits, because it has unsent data (SO_LINGER, socket(7))."""
    listener = fault.keep(socket.create_server(("127.0.0.1", 0)))
    passed = socket.create_connection(listener.getsockname())
    passed.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while True:
            passed.send(bytes(65536))
    passed.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, LINGER))
    return passed


def pass_sockets(kiosk, fault, connection, *packets):
    """Sends packets, each with such a socket, and closes it before touchd reads: the close that waits is touchd's, if the kernel passes it."""
    process = kiosk.process
    os.kill(process, signal.SIGSTOP)
    try:
        while True:
            with open(f"/proc/{process}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "T":
                    break
        for packet in packets:
            with lingering(fault) as passed:
                try:
                    socket.send_fds(connection, [packet], [passed.fileno()])
                except OSError:
                    # The kernel refuses it for touchd (SO_PASSRIGHTS), so the close is the last one here.
                    passed.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    finally:
        os.kill(process, signal.SIGCONT)


@contextlib.contextmanager
def helper(kiosk, name, treat, packets=()):
    """This process listens in a helper's place, and treats each connection in one way; without one it accepts none. With packets, it
    yields a function that sends them on the last connection, each with a socket."""
    unit, path, fault = f"touchd-{name}.socket", f"/run/touchd.{name}", Fault()
    run("systemctl", "stop", unit, f"touchd-{name}.service")
    # A restart of touchd would start it.
    run("systemctl", "mask", "--runtime", unit)
    listener = fault.keep(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
    listener.bind(path)
    shutil.chown(path, "touchd")
    listener.listen(1 if treat is None else 64)

    def accept():
        while True:
            connection = fault.keep(listener.accept()[0])
            fault.start(treat, fault, connection)
            fault.ready.set()

    if treat:
        fault.start(accept)
    try:
        # touchd connects to touchd-exec with the first touch, and to touchd-network after growing pauses, or at its start.
        if name == "network":
            kiosk.restart()
            if not fault.ready.wait(PATIENCE):
                raise Failure("touchd does not connect")

        def begin():
            # touchd connects to touchd-exec with a touch.
            kiosk.tap()
            if not fault.ready.wait(PATIENCE):
                raise Failure("touchd does not connect")
            pass_sockets(kiosk, fault, fault.sockets[-1], *packets)

        yield begin if packets else None
    finally:
        fault.end()
        os.unlink(path)
        run("systemctl", "unmask", "--runtime", unit)
        run("systemctl", "start", unit)
        if name == "network":
            kiosk.restart()


HELLO, PEER = b'{"hello": 1}\n', b'{"peer": {"name": "mqtt://127.0.0.1:1883", "phase": "connected"}}\n'
LARGE = PEER[:-3] + b', "error": "' + b"x" * 16_000 + b'"}}\n'
# A report without a descriptor, one of an address that the layout does not have, an invalid one, and one that is not read after it.
PASSING = [PEER, b'{"datagram": 7}\n', b"\n", PEER]


def network_silent(fault, connection):
    fault.read(connection)


def network_slow(fault, connection):
    connection.send(HELLO)
    while connection.recv(200_000):
        fault.pause(0.2)


def network_endless(fault, connection, report=PEER):
    """As many reports as touchd reads."""
    connection.send(HELLO)
    fault.start(fault.read, connection)
    while True:
        for _ in range(9):
            connection.send(report)
        fault.pause(0.01)


def network_large(fault, connection):
    network_endless(fault, connection, LARGE)


def network_greeting(fault, connection):
    connection.send(HELLO)
    fault.read(connection)


def network_full(fault, connection):
    connection.send(HELLO)
    fault.pause(3600)


def network_refusing(fault, connection):
    connection.close()


def exec_silent(fault, connection):
    fault.read(connection)


def exec_slow(fault, connection):
    connection.recv(200_000)
    for event in [b'{"started": 5}\n', b'{"exited": 0}\n', b'{"gone": true}\n']:
        fault.pause(0.2)
        connection.send(event)
    connection.close()


def exec_endless(fault, connection, event=b'{"started": 5}\n'):
    connection.recv(200_000)
    while True:
        connection.send(event)


def exec_large(fault, connection):
    exec_endless(fault, connection, b'{"notStarted": "' + b"x" * 2000 + b'"}\n')


def exec_refusing(fault, connection):
    connection.close()


HELPERS = {
    "network": [network_silent, network_slow, network_endless, network_large, network_full, network_refusing],
    "exec": [exec_silent, exec_slow, exec_endless, exec_large, exec_refusing],
}


# MARK: Faults of clients of the control socket

@contextlib.contextmanager
def client(treat, count=4):
    """Clients of the control socket, each treating it in one way."""
    fault = Fault()
    for _ in range(count):
        fault.start(treat, fault)
    try:
        yield
    finally:
        fault.end()


def connected(fault):
    connection = fault.keep(socket.socket(socket.AF_UNIX))
    connection.connect("/run/touchd/control")
    return connection


STATUS = b'{"request": "status"}\n'


def control_silent(fault):
    fault.read(connected(fault))


def control_slow(fault):
    connection = connected(fault)
    for byte in itertools.cycle(STATUS):
        connection.send(bytes([byte]))
        fault.pause(0.02)


def control_endless(fault):
    connection = connected(fault)
    while True:
        connection.send(STATUS)
        connection.recv(200_000)


def control_full(fault):
    """Subscribes to everything, asks, and never reads."""
    connection = connected(fault)
    connection.send(b'{"request": "subscribe", "to": ["touches", "devices"]}\n')
    while True:
        connection.send(STATUS)


def control_refusing(fault):
    while not fault.ended.is_set():
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect("/run/touchd/control")
            connection.send(b"\xff\0{\n")
        fault.pause(0.01)


@contextlib.contextmanager
def control_descriptor(kiosk):
    """A client, such as touchd-web, passes descriptors with requests, and leaves one unread."""
    fault = Fault()
    try:
        connection = connected(fault)
        yield lambda: pass_sockets(kiosk, fault, connection, STATUS, b"\n", STATUS)
    finally:
        fault.end()


CLIENTS = [control_silent, control_slow, control_endless, control_full, control_refusing]


# MARK: Faults of journald

@contextlib.contextmanager
def journald_full(kiosk):
    """It is suspended, and its socket's queue is full soon."""
    number = main_process("systemd-journald.service")
    os.kill(number, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(number, signal.SIGCONT)


@contextlib.contextmanager
def journald_slow(kiosk):
    """It runs for 1 ms in 100."""
    number, fault = main_process("systemd-journald.service"), Fault()

    def hold():
        while True:
            os.kill(number, signal.SIGSTOP)
            fault.pause(0.1)
            os.kill(number, signal.SIGCONT)
            fault.pause(0.001)

    fault.start(hold)
    try:
        yield
    finally:
        fault.end()
        os.kill(number, signal.SIGCONT)


@contextlib.contextmanager
def journald_refusing(kiosk):
    """It is stopped, with its sockets."""
    run("systemctl", "stop", *JOURNALD)
    try:
        yield
    finally:
        run("systemctl", "start", *JOURNALD)


# MARK: Faults beyond the process with the network, and of programs

def full(connection):
    """Reads nothing."""
    time.sleep(3600)


def refusing(connection):
    """Resets the connection."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


BROKERS = {"silent": silent, "slow": slow(b"\x20"), "endless": endless_packets, "full": full, "refusing": refusing}
SERVERS = {"silent": silent, "slow": slow(b"HTTP/1.1 200 OK\r\n"), "endless": endless_response, "full": full, "refusing": refusing}
NAMES = ["silent", "slow", "endless", "refusing"]
PROGRAMS = {
    "silent": "/bin/sleep, infinity", "slow": "/usr/lib/faults/dripping", "endless": "/usr/bin/yes", "refusing": "/bin/false",
}


def rows():
    """Each row by its name: the layout for it, and its fault."""
    for name, treats in HELPERS.items():
        for treat in treats:
            yield treat.__name__, lambda: layout(), lambda kiosk, name=name, treat=treat: helper(kiosk, name, treat)
    yield "exec_full", lambda: layout(), lambda kiosk: helper(kiosk, "exec", None)
    yield "network_descriptor", lambda: layout(), lambda kiosk: helper(kiosk, "network", network_greeting, PASSING)
    yield "exec_descriptor", lambda: layout(), lambda kiosk: helper(
        kiosk, "exec", exec_silent, [b'{"started": 5}\n', b'{"gone": true}\n', b'{"gone": true}\n'])
    yield control_descriptor.__name__, lambda: layout(), control_descriptor
    for treat in CLIENTS:
        yield treat.__name__, lambda: layout(), lambda kiosk, treat=treat: client(treat)
    for fault in [journald_slow, journald_full, journald_refusing]:
        yield fault.__name__, lambda: layout(), fault
    for name, treat in BROKERS.items():
        yield f"broker_{name}", lambda treat=treat: layout(broker=Peer(0, treat).port), healthy
    for name, treat in SERVERS.items():
        yield f"server_{name}", lambda treat=treat: layout(server=f"127.0.0.1:{Peer(0, treat).port}"), healthy
    for name in NAMES:
        yield f"name_{name}", lambda name=name: layout(server=f"{name}.example:8080"), name_server
    for name, program in PROGRAMS.items():
        yield f"program_{name}", lambda program=program: layout(program=program), healthy


def healthy(kiosk):
    """The row's layout has the fault."""
    return contextlib.nullcontext()


working = []


def start(kiosk):
    """Starts the broker and the server that work, and loads the layout that uses them."""
    working.append(Broker(1883))
    Server.start(8080)
    load(kiosk, layout())


@contextlib.contextmanager
def name_server(kiosk):
    """The one that all names of the table are asked for; it stays."""
    if not any(isinstance(each, NameServer) for each in working):
        with open("/etc/resolv.conf", "w") as file:
            file.write("nameserver 127.0.0.1\noptions timeout:30 attempts:1\n")
        working.append(NameServer())
    yield


def row(name, text, fault):
    def cause(kiosk):
        load(kiosk, text())
        # The first touch with a layout connects, and starts helpers.
        longest(kiosk)
        try:
            return verdict(kiosk, fault)
        finally:
            load(kiosk, layout())

    cause.__name__ = name
    return cause


FAULTS = [row(*each) for each in rows()]
