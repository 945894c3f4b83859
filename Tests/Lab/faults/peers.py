# Brokers, servers and a name server that do not do their work, and those that do.
import http.server, os, socket, struct, subprocess, tempfile, threading, time

from kiosk import PATIENCE, Failure


class Peer:
    """Listens on a port of this machine, and treats each connection in one way."""

    def __init__(self, port, treat):
        self.treat = treat
        self.changed = threading.Condition()
        # The connections that were accepted, and those that the other end has not closed.
        self.accepted = self.open = 0
        self.listener = socket.create_server(("127.0.0.1", port))
        # That which the kernel chose, if it is 0.
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            connection, _ = self.listener.accept()
            self._count(1, 1)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection:
            try:
                self.treat(connection)
                while connection.recv(65536):
                    pass
            except OSError:
                pass
        self._count(0, -1)

    def _count(self, accepted, opened):
        with self.changed:
            self.accepted += accepted
            self.open += opened
            self.changed.notify_all()

    def wait(self):
        """Waits for the first connection."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.accepted, PATIENCE):
                raise Failure(f"nobody connects to port {self.port}")


def silent(connection):
    """Reads and never answers."""


def endless_response(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        connection.sendall(b"X-More: " + b"x" * 1000 + b"\r\n")


def endless_packets(connection):
    """Accepts the client, and sends it messages without end."""
    connection.recv(1)
    connection.sendall(b"\x20\x02\0\0")
    while True:
        connection.sendall(b"\x30\x82\x08\0\4flood" + b"x" * 1017)


def slow(text):
    """Sends a byte a second, for longer than anybody waits."""
    def treat(connection):
        for byte in text * 1000:
            connection.sendall(bytes([byte]))
            time.sleep(1)
    return treat


def unavailable(connection):
    connection.recv(65536)
    connection.sendall(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")


def not_authorized(connection):
    connection.recv(1)
    connection.sendall(b"\x20\x02\0\5")


class NameServer:
    """Treats each name by its first part: silent, endless (answers to other questions), slow (after two seconds), refusing."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        self.asked = set()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            question, client = self.socket.recvfrom(4096)
            kind = question[13:13 + question[12]].decode()
            self.asked.add(kind)
            if kind == "endless":
                threading.Thread(target=self._flood, args=(question, client), daemon=True).start()
            elif kind == "slow":
                threading.Timer(2, self._answer, (question, client, 3)).start()
            elif kind == "refusing":
                self._answer(question, client, 5)

    def _answer(self, question, client, code):
        self.socket.sendto(question[:2] + struct.pack(">H", 0x8180 | code) + question[4:6] + bytes(6) + question[12:], client)

    def _flood(self, question, client):
        wrong = bytes([question[0] ^ 1]) + question[1:]
        for _ in range(10000):
            self._answer(wrong, client, 0)
            time.sleep(0.001)


class Server(http.server.BaseHTTPRequestHandler):
    """Takes every request and keeps the bodies."""

    protocol_version = "HTTP/1.1"
    bodies = []

    def do_POST(self):
        self.bodies.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass

    @classmethod
    def start(cls, port):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), cls)
        # A client that is killed resets its connection.
        server.handle_error = lambda *arguments: None
        threading.Thread(target=server.serve_forever, daemon=True).start()


class Broker:
    """A mosquitto, and a client that reads everything."""

    def __init__(self, port):
        self.port, self.messages, self.grown = port, [], threading.Condition()
        folder = tempfile.mkdtemp(prefix="broker-", dir="/tmp")
        os.chmod(folder, 0o777)
        self.log = f"{folder}/log"
        with open(f"{folder}/conf", "w") as file:
            file.write(f"listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\nlog_type all\nlog_dest file {self.log}\n")
        self.process = subprocess.Popen(["/usr/sbin/mosquitto", "-c", file.name], stderr=subprocess.DEVNULL)
        self._wait("running")
        self.reader = subprocess.Popen(
            ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(port), "-i", "reader", "-q", "2", "-t", "#", "-F", "%t %p"],
            stdout=subprocess.PIPE, text=True)
        self._wait("SUBACK to reader")
        threading.Thread(target=self._read, daemon=True).start()

    def _wait(self, text):
        limit = time.monotonic() + PATIENCE
        while text not in self.logged():
            if time.monotonic() > limit:
                raise Failure(f"mosquitto does not say '{text}'")
            time.sleep(0.02)

    def _read(self):
        for line in self.reader.stdout:
            with self.grown:
                self.messages.append(tuple(line.rstrip("\n").split(" ", 1)))
                self.grown.notify_all()

    def logged(self):
        try:
            with open(self.log) as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def payloads(self, topic):
        with self.grown:
            return [payload for name, payload in self.messages if name == topic]

    def last(self, topic):
        return (self.payloads(topic) or [None])[-1]

    def wait(self, condition, what):
        """Waits until a condition holds, which a message may change."""
        with self.grown:
            if not self.grown.wait_for(condition, PATIENCE):
                raise Failure(f"{what}: {self.messages[-20:]}")
