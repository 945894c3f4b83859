# What leaves the machine, with brokers and servers that do not answer, a process with the network that dies, is stopped, starved or hijacked,
# and a touchd that dies. Prints in sections what came of that. Arguments: the seed of the moments, and rows, by default all.
import glob, os, random, re, signal, subprocess, sys, threading, time

from kiosk import PANEL, PATIENCE, Failure, Kiosk, run
from peers import (
    Broker, NameServer, Peer, Server, endless_packets, endless_response, not_authorized, silent, slow, unavailable)
from restarts import section, state
from table import touches

UNIT, SOCKET = "touchd-network.service", "touchd-network.socket"
DROP_IN = f"/run/systemd/system/{UNIT}.d"
LAYOUT = "/etc/touchd/touchd.yaml"
KILLS = 50
# A process is killed at most this many seconds after its start.
MOMENT = 0.4

# Nobody gives up while a touch is tested.
HANGING = {
    "http-silent": "http://127.0.0.1:8081", "http-slow": "http://127.0.0.1:8083",
    "http-silent-name": "http://silent.example:8080", "http-endless-name": "http://endless.example:8080",
    "mqtt-silent": "mqtt://127.0.0.1:1881", "mqtt-endless": "mqtt://127.0.0.1:1882", "mqtt-slow": "mqtt://127.0.0.1:1884",
    "mqtt-silent-name": "mqtt://silent.example:1883", "mqtt-endless-name": "mqtt://endless.example:1883",
    "mqtt-not-authorized": "mqtt://127.0.0.1:1885", "mqtt-refusing": "mqtt://127.0.0.1:1886",
}
# An endless answer begins with its status, which decides.
ENDLESS = {"http-endless": "http://127.0.0.1:8082"}
# These fail within seconds.
FAILING = {
    "http-unavailable": "http://127.0.0.1:8084", "http-refusing": "http://127.0.0.1:8085",
    "http-slow-name": "http://slow.example:8080", "http-refusing-name": "http://refusing.example:8080",
    "http-silent-briefly": "http://127.0.0.1:8086", "http-slow-briefly": "http://127.0.0.1:8087",
}


def action(name, url):
    scheme, host, port = re.fullmatch(r"(\w+)://([^:]+):(\d+)", url).groups()
    if scheme == "mqtt":
        return f"{{publish: {{topic: {name}, mqtt: {{host: {host}, port: {port}, qos: 1}}}}}}"
    return f"{{http: {{url: \"{url}/\", retries: 0, timeout: {'300 ms' if name.endswith('briefly') else '5 min'}}}}}"


def layout(handlers, start=""):
    return "\n".join([
        "screen: {size: [1280, 768]}", start, f"views: [{{id: all, frame: [0, 0, 1280, 768], on: {{began: [{', '.join(handlers)}]}}}}]",
        "handlers:", *(f"  {name}: {text}" for name, text in handlers.items())]) + "\n"


def sending(port=1883, message="{touch} {time}"):
    """Handlers for a broker and a server that work: one message that must arrive, and two that must not arrive twice."""
    return {
        "q1": f"{{publish: {{topic: q1, message: \"{message}\", mqtt: {{host: 127.0.0.1, port: {port}, qos: 1}}}}}}",
        "q0": f"{{publish: {{topic: q0, message: \"{message}\", mqtt: {{host: 127.0.0.1, port: {port}, qos: 0}}}}}}",
        "post": f"{{http: {{url: \"http://127.0.0.1:8080/\", body: \"{message}\", retries: 0}}}}",
    }


def show(unit, *properties):
    answer = subprocess.run(
        ["systemctl", "show", "--value", *(f"--property={name}" for name in properties), unit], capture_output=True, text=True)
    return answer.stdout.split()


def logged(unit, start=0):
    """The entries of a unit, and systemd's about it."""
    run("journalctl", "--sync")
    answer = subprocess.run(
        ["journalctl", "--boot", "--output=cat", f"--since=@{start}", f"--unit={unit}"], capture_output=True, text=True)
    return answer.stdout.splitlines()


def until(condition, what):
    limit = time.monotonic() + PATIENCE
    while not (result := condition()):
        if time.monotonic() > limit:
            raise Failure(what)
        time.sleep(0.02)
    return result


def helper():
    return int(show(UNIT, "MainPID")[0])


def load(kiosk, text):
    with open(LAYOUT, "w") as file:
        file.write(text)
    answer = kiosk.control.ask("reload")
    if answer:
        raise Failure(f"a reload answers {answer}")


def tap(kiosk, count):
    """Taps, and waits for each end. Returns what the status says of brokers and servers then."""
    kiosk.control.forget()
    for _ in range(count):
        kiosk.play("down panel 0 200 300", "frame panel", "up panel 0", "frame panel")
        kiosk.control.wait("touch", phase=["ended"])
    return {peer["name"]: peer for peer in kiosk.status.get("network", [])}


def all_ended(kiosk, start):
    """Counts the touches in the journal since a position: each that began has ended."""
    kiosk.settle()
    end = kiosk.journal.mark()
    with kiosk.journal.grown:
        count = touches(kiosk.journal.entries[start:end])
    complete = count["began"] == count["ended"] > 0 and not count["open"] and not count["mistakes"] and not count["cancelled"]
    return "all touches ended" if complete else f"touches {dict(count)}"


def drop_in(text):
    """Sets properties of the unit, or none, for processes that start after this; the running one is killed."""
    if text:
        os.makedirs(DROP_IN, exist_ok=True)
        with open(f"{DROP_IN}/fault.conf", "w") as file:
            file.write(f"[Service]\n{text}\n")
    else:
        os.remove(f"{DROP_IN}/fault.conf")
    run("systemctl", "daemon-reload")
    subprocess.run(["systemctl", "kill", "--signal=KILL", UNIT], stderr=subprocess.DEVNULL)


class Account:
    """What was sent since a moment, and what became of it."""

    def __init__(self, kiosk, broker):
        self.kiosk, self.broker, self.start, self.time = kiosk, broker, kiosk.journal.mark(), time.time()
        self.before = {"q1": len(broker.payloads("q1")), "q0": len(broker.payloads("q0")), "post": len(Server.bodies)}

    def arrived(self):
        arrived = {"q1": self.broker.payloads("q1"), "q0": self.broker.payloads("q0"), "post": list(Server.bodies)}
        return {name: values[self.before[name]:] for name, values in arrived.items()}

    def named(self, name):
        """How many messages of a handler the journal names as not sent, or as perhaps not sent."""
        count = len([text for text in self.kiosk.journal.texts(self.start, f"handler '{name}'") if "not sent" in text])
        for line in logged(UNIT, self.time):
            if match := re.match(rf"handler '{name}': (\d+) message", line):
                count += int(match[1])
            elif line.startswith(f"handler '{name}': not sent"):
                count += 1
        return count

    def settle(self):
        """Waits until all messages have an outcome."""
        until(lambda: not any(peer["waiting"] for peer in self.kiosk.status.get("network", [])), "messages wait for ever")
        # What the process that has the network still holds of a touchd that has ended.
        mark = f"{time.monotonic()}"
        run("mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.broker.port), "-q", "1", "-t", "mark", "-m", mark)
        self.broker.wait(lambda: ("mark", mark) in self.broker.messages, "the broker does not answer")

    def close(self, name):
        """Prints the result: each message has arrived or is named, and what must go once has not gone twice."""
        self.settle()
        ended = all_ended(self.kiosk, self.start)
        with self.kiosk.journal.grown:
            began = touches(self.kiosk.journal.entries[self.start:])["began"]
        lines, figures = [], [f"touches {began}"]
        for handler, values in self.arrived().items():
            missing, named = began - len(set(values)), self.named(handler)
            figures.append(f"{handler}: arrived {len(set(values))}, again {len(values) - len(set(values))}, named {named}")
            # With quality of service 0, nobody knows what a broker has read of a connection that broke.
            if handler != "q0":
                lines.append(f"{handler} arrived" if missing <= named else f"{handler}: {missing} missing, {named} named")
            if handler != "q1" and len(values) != len(set(values)):
                lines.append(f"{handler} twice")
        section(name, ended, *lines, f"socket {state(SOCKET)}")
        section(f"{name}-figures", *figures)


class Visitor(threading.Thread):
    """Taps until it is stopped."""

    def __init__(self, player, pause=0.05):
        super().__init__(daemon=True)
        self.player, self.pause, self.stopped = player, pause, threading.Event()
        self.start()

    def run(self):
        while not self.stopped.wait(self.pause):
            self.player.play("down panel 0 200 300", "frame panel", "up panel 0", "frame panel")

    def stop(self):
        self.stopped.set()
        self.join()


# MARK: Rows

def peers(kiosk):
    """Everything outside is silent, endless, slow or refuses."""
    names = NameServer()
    with open("/etc/resolv.conf", "w") as file:
        file.write("nameserver 127.0.0.1\noptions timeout:30 attempts:1\n")
    hanging = [Peer(8081, silent), Peer(8082, endless_response), Peer(8083, slow(b"HTTP/1.1 200 OK\r\n")), Peer(1881, silent),
               Peer(1882, endless_packets), Peer(1884, slow(b"\x20"))]
    Peer(8084, unavailable), Peer(8086, silent), Peer(8087, slow(b"H")), Peer(1885, not_authorized)
    handlers = {name: action(name, url) for name, url in (HANGING | ENDLESS | FAILING).items()}
    start = kiosk.journal.mark()
    load(kiosk, layout(handlers))
    tap(kiosk, 1)
    for peer in hanging:
        peer.wait()
    until(lambda: names.asked >= {"silent", "endless", "slow", "refusing"}, f"only {names.asked} were asked for")
    # Now everybody has a question and no answer.
    known = tap(kiosk, 19)
    waiting = sorted(name for name, url in HANGING.items() if known.get(url, {}).get("waiting") == 20)
    section("hanging", *waiting)
    for name, url in FAILING.items():
        kiosk.journal.wait(f"handler '{name}'", start)
    until(lambda: not any(peer["waiting"] for peer in kiosk.status["network"] if peer["name"] in ENDLESS.values()), "no end")
    section("failures", *sorted(
        {re.sub(r".*(handler '[^']*').*?: ", r"\1: ", text) for text in kiosk.journal.texts(start, "handler '")}))
    for name, url in HANGING.items():
        if url.startswith("mqtt:") and "-name" not in name:
            kiosk.journal.wait(url, start)
    section("brokers", *sorted({text for text in kiosk.journal.texts(start, "mqtt://") if "touchd will retry" in text}))
    section("touches", all_ended(kiosk, start))
    begun = time.time()
    run("systemctl", "stop", "touchd.service")
    section("stopped", *show("touchd.service", "ActiveState", "Result", "ExecMainStatus"))
    section("stop-figures", f"stopped in {time.time() - begun:.2f} s")
    until(lambda: state(UNIT) == "inactive", "the helper does not end")
    section("left", *sorted(line for line in logged(UNIT, begun) if "touchd has ended" in line and "slow-name" not in line))
    run("systemctl", "start", "touchd.service")
    kiosk.connect()


def killed(kiosk, broker, seed):
    """The process that has the network is killed 50 times, under taps."""
    account, moments = Account(kiosk, broker), random.Random(seed)
    visitor, last = Visitor(kiosk.player), 0
    for _ in range(KILLS):
        last = until(lambda: (number := helper()) != last and number, "it does not come back")
        time.sleep(moments.uniform(0, MOMENT))
        os.kill(last, signal.SIGKILL)
    visitor.stop()
    account.close("killed")


def stopped(kiosk, broker):
    """The process that has the network is stopped; touchd is restarted meanwhile."""
    account, number = Account(kiosk, broker), helper()
    os.kill(number, signal.SIGSTOP)
    known = tap(kiosk, 60)
    section("stopped-helper", f"waiting {known['mqtt://127.0.0.1:1883']['waiting']}")
    os.kill(number, signal.SIGCONT)
    account.close("continued")
    values = account.arrived()["q1"]
    section("order", "in order" if values == sorted(set(values), key=lambda text: int(text.split()[0])) else f"{values}")


STARVED = {
    "ended": "ExecPaths=/bin /usr/bin\nExecStart=\nExecStart=/bin/true", "threads": "TasksMax=1\nLimitNPROC=1", "descriptors": "LimitNOFILE=12",
    "memory": "MemoryMax=4M\nMemorySwapMax=0\nLimitDATA=4M",
}


def starved(kiosk, broker):
    """It ends at once, and lacks threads, descriptors and memory."""
    for name, text in STARVED.items():
        account, before = Account(kiosk, broker), show(UNIT, "InvocationID")
        drop_in(text)
        tap(kiosk, 5)
        until(lambda: show(UNIT, "InvocationID") != before, "it is not started")
        tap(kiosk, 5)
        if name == "threads":
            kiosk.journal.wait("no thread can be started", account.start)
        section(f"without-{name}", f"socket {state(SOCKET)}")
        section(f"without-{name}-figures", *logged(UNIT, account.time)[-12:])
        drop_in(None)
        tap(kiosk, 1)
        account.close(f"{name}-again")


def deaths(kiosk, broker):
    """touchd is restarted and killed while the broker hangs, so that the messages of three runs wait."""
    account = Account(kiosk, broker)
    os.kill(broker.process.pid, signal.SIGSTOP)
    tap(kiosk, 10)
    number, begun = helper(), time.monotonic()
    run("systemctl", "restart", "touchd.service")
    seconds = time.monotonic() - begun
    section("restart", "the helper has not ended" if helper() == number else "another helper")
    section("restart-figures", f"restarted in {seconds:.2f} s")
    kiosk.connect()
    kiosk.play("wait-open panel")
    kiosk.player.heard()
    tap(kiosk, 10)
    process = kiosk.process
    os.kill(process, signal.SIGKILL)
    kiosk.stopped(process)
    kiosk.connect()
    kiosk.play("wait-open panel")
    kiosk.player.heard()
    tap(kiosk, 10)
    os.kill(broker.process.pid, signal.SIGCONT)
    until(lambda: len(set(account.arrived()["q1"])) + account.named("q1") >= 30, "messages of a touchd that ended do not arrive")
    account.close("deaths")


def sandboxes(kiosk, broker):
    """Which libraries and sockets the two processes have, after messages and requests."""
    def libraries(number):
        with open(f"/proc/{number}/maps") as file:
            return sorted(set(re.findall(r"lib(?:curl|mosquitto)(?=[-.])", file.read())))

    def internet(number):
        numbers = {os.readlink(path) for path in glob.glob(f"/proc/{number}/fd/*") if os.path.islink(path)}
        found = set()
        for kind in ["tcp", "tcp6", "udp", "udp6"]:
            with open(f"/proc/{number}/net/{kind}") as file:
                found |= {f"socket:[{line.split()[9]}]" for line in file if ":" in line}
        return "sockets" if numbers & found else "no sockets"

    account = Account(kiosk, broker)
    tap(kiosk, 3)
    account.close("used")
    section("touchd-process", *libraries(kiosk.process), internet(kiosk.process))
    section("network-process", *libraries(helper()), internet(helper()))


def hijacked(kiosk, broker):
    """A program in its place attacks touchd."""
    load(kiosk, layout(sending(), "mqtt: {host: 127.0.0.1, topic: kiosk, commands: go}\npages: {start: {views: []}}"))
    account = Account(kiosk, broker)
    python = os.path.realpath("/usr/bin/python3")
    drop_in(f"ExecPaths={python} /usr/local/bin\nExecStart=\nExecStart=/usr/local/bin/hijacked-network")
    limit = time.monotonic() + PATIENCE
    while "hijacked: silent" not in logged(UNIT, account.time):
        tap(kiosk, 5)
        if time.monotonic() > limit:
            raise Failure(f"the attacks do not end: {logged(UNIT, account.time)}")
    tap(kiosk, 100)
    section("hijacked", *(line for line in logged(UNIT, account.time) if line.startswith("hijacked: ")))
    texts = kiosk.journal.texts(account.start, "")
    performed = sum("command 'go' start" in text for text in texts)
    section("refused", *sorted({text for text in texts if "command 'hide'" in text or "touchd-network sent" in text}),
            f"some commands performed {0 < performed < 200}")
    section("hijacked-figures", f"performed {performed} of 201 commands")
    drop_in(None)
    tap(kiosk, 1)
    account.close("hijacked-again")
    load(kiosk, layout(sending()))


def reloaded(kiosk, broker, other):
    """The broker of the layout changes."""
    def start(port):
        return f"mqtt: {{host: 127.0.0.1, port: {port}, topic: kiosk, discovery: true}}"

    load(kiosk, layout(sending(), start(broker.port)))
    broker.wait(lambda: broker.last("kiosk/availability") == "online", "the first broker hears nothing")
    config = until(lambda: [name for name, _ in broker.messages if name.startswith("homeassistant/")], "no discovery")[0]
    load(kiosk, layout(sending(other.port), start(other.port)))
    other.wait(lambda: other.last("kiosk/availability") == "online", "the second broker hears nothing")
    broker.wait(lambda: broker.last("kiosk/availability") == "offline" and broker.last(config) == "", "the first broker is not left")
    section("reloaded", f"first {broker.last('kiosk/availability')}, forgotten", f"second {other.last('kiosk/availability')}")
    load(kiosk, layout(sending()))


def seats(kiosk, broker):
    """Two seats with one broker."""
    for seat in ["left", "right"]:
        with open(f"/etc/touchd/{seat}.yaml", "w") as file:
            file.write(f"screen: {{size: [100, 100]}}\ndevices: [{{match: {{name: {seat}}}}}]\nmqtt: {{host: 127.0.0.1, topic: {seat}}}\n"
                       "views: [{id: all, frame: [0, 0, 100, 100]}]\n")
        run("systemctl", "start", f"touchd@{seat}.service")
    for seat in ["left", "right"]:
        broker.wait(lambda: broker.last(f"{seat}/availability") == "online", f"{seat} is not online")
    log = broker.logged()
    clients = set(re.findall(r"New client connected from \S+ as (touchd\w+)", log))
    section("seats", *(f"{seat} {broker.payloads(f'{seat}/availability')}" for seat in ["left", "right"]),
            *(f"touchd-network@{seat} {state(f'touchd-network@{seat}.service')}" for seat in ["left", "right"]),
            f"taken over {log.count('already connected')}")
    run("systemctl", "stop", "touchd@left.service", "touchd@right.service")
    for seat in ["left", "right"]:
        broker.wait(lambda: broker.last(f"{seat}/availability") == "offline", f"{seat} is not offline")


def by_hand(kiosk, broker):
    """touchd in a terminal: Ctrl-C, which reaches its group of processes, while its child has messages for a broker that hangs."""
    run("systemctl", "stop", "touchd.service")
    count = len(broker.payloads("q1"))
    with open("/tmp/by-hand", "w") as log:
        process = subprocess.Popen(
            ["touchd", "run", "--layout", LAYOUT, "--format", "json", "--control", "/tmp/control"], stdout=subprocess.PIPE,
            stderr=log, text=True, start_new_session=True)
    kiosk.play("wait-open panel")
    kiosk.player.heard()

    def tap_once():
        kiosk.play("down panel 0 200 300", "frame panel", "up panel 0", "frame panel")
        for line in process.stdout:
            if '"ended"' in line:
                return
        raise Failure("touchd ended")

    tap_once()
    broker.wait(lambda: len(broker.payloads("q1")) == count + 1, "the first message does not arrive")
    with open(f"/proc/{process.pid}/task/{process.pid}/children") as file:
        child = int(file.read().split()[0])
    os.kill(broker.process.pid, signal.SIGSTOP)
    for _ in range(20):
        tap_once()
    os.killpg(process.pid, signal.SIGINT)
    process.stdout.read()
    status = process.wait()
    lives = os.path.exists(f"/proc/{child}")
    os.kill(broker.process.pid, signal.SIGCONT)
    until(lambda: not os.path.exists(f"/proc/{child}"), "the child does not end")
    with open("/tmp/by-hand") as log:
        named = sum(int(number) for number in re.findall(r"handler 'q1': (\d+) message", log.read()))
    broker.wait(lambda: len(set(broker.payloads("q1")[count:])) + named >= 21, "messages of a touchd that ended do not arrive")
    section("by-hand", f"exit status {status}", "its child sends the rest" if lives else "its child has ended")


def recording(count):
    lines = [line for line in open(PANEL) if line[0] in "NIPBA"]
    for number in range(count):
        start = number / 100
        for events, moment in [([(3, 57, number), (3, 53, 200), (3, 54, 300), (1, 330, 1)], start),
                               ([(3, 57, -1), (1, 330, 0)], start + 0.005)]:
            lines += [f"E: {moment:.6f} {kind:04x} {code:04x} {value}\n" for kind, code, value in [*events, (0, 0, 0)]]
    with open("/tmp/taps.evemu", "w") as file:
        file.writelines(lines)


def replayed(kiosk, broker):
    """A recording of 120 taps without pauses, with a broker that answers and with one that does not listen."""
    recording(120)

    def replay(port):
        with open("/tmp/replay.yaml", "w") as file:
            file.write(layout({"q1": sending(port)["q1"]}))
        begun = time.monotonic()
        answer = subprocess.run(
            ["/usr/bin/touchd", "run", "--layout", "/tmp/replay.yaml", "--replay", "/tmp/taps.evemu", "--speed", "max", "--format", "json"],
            capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return answer, time.monotonic() - begun

    count = len(broker.payloads("q1"))
    answer, first = replay(broker.port)
    broker.wait(lambda: len(broker.payloads("q1")) >= count + 120, "messages of a recording do not arrive")
    section("replayed", f"exit status {answer.returncode}", f"arrived {len(set(broker.payloads('q1')[count:]))}",
            *(line for line in answer.stderr.splitlines() if "not sent" in line))
    answer, second = replay(9)
    # Two processes write.
    section("replayed-in-vain", f"exit status {answer.returncode}",
            *sorted(line for line in answer.stderr.splitlines() if "were not sent" in line))
    section("replay-figures", f"with a broker {first:.1f} s, without {second:.1f} s")


def main(seed, *chosen):
    section("seed", seed)
    kiosk = Kiosk()
    with open(LAYOUT, "w") as file:
        file.write(layout({"tapped": "{log: tapped}"}))
    run("systemctl", "start", "touchd.service")
    kiosk.connect()
    broker, other = Broker(1883), Broker(1888)
    Server.start(8080)
    rows = {
        "peers": lambda: peers(kiosk), "killed": lambda: killed(kiosk, broker, seed), "stopped": lambda: stopped(kiosk, broker),
        "starved": lambda: starved(kiosk, broker), "deaths": lambda: deaths(kiosk, broker),
        "sandboxes": lambda: sandboxes(kiosk, broker), "hijacked": lambda: hijacked(kiosk, broker),
        "reloaded": lambda: reloaded(kiosk, broker, other), "seats": lambda: seats(kiosk, broker),
        "by_hand": lambda: by_hand(kiosk, broker), "replayed": lambda: replayed(kiosk, broker),
    }
    durations = []
    for name in chosen or rows:
        begun = time.monotonic()
        if name not in ("peers", "by_hand", "replayed"):
            load(kiosk, layout(sending()))
        elif name != "peers":
            with open(LAYOUT, "w") as file:
                file.write(layout(sending()))
        try:
            rows[name]()
        except Failure:
            print(*logged(UNIT)[-20:], *kiosk.journal.texts(0, "")[-20:], sep="\n", file=sys.stderr, flush=True)
            raise
        durations.append(f"{name} {time.monotonic() - begun:.1f} s")
    section("durations", *durations)
    section("failed", *subprocess.run(
        ["systemctl", "list-units", "--failed", "--plain", "--no-legend"], capture_output=True, text=True).stdout.splitlines())
    section("end")


main(*sys.argv[1:])
