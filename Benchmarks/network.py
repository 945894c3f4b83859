#!/usr/bin/env python3
"""Prints the time from a touchscreen's frame to a broker's subscriber and to a web server.

BINARY names the touchd; OTHER, if it is set, another one to compare it with, in turns.
"""
import http.server, os, queue, socket, subprocess, threading, time

from screen import Screen, figures, file, running

TAPS = 300
arrivals = queue.Queue()


def free():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        arrivals.put(time.monotonic())
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_): pass


def subscribe(port):
    """Follows all topics; mosquitto_sub prints each message at once."""
    words = ["stdbuf", "-oL", "mosquitto_sub", "-p", str(port), "-q", "2", "-t", "kiosk/#", "-F", "%t", "-d"]
    subscriber = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    for line in subscriber.stdout:
        if line.startswith("Subscribed"):
            break

    def read():
        for line in subscriber.stdout:
            if line.startswith("kiosk/"):
                arrivals.put(time.monotonic())
    threading.Thread(target=read, daemon=True).start()
    return subscriber


def measure(touchd, layout):
    """The times of touches on a layout, in ms. The first ones also open the connection."""
    screen, times = Screen(), []
    with running(screen.command([touchd, "run", "--layout", layout]), " is ready"):
        # A touch before umockdev has opened its pipe can be lost.
        while True:
            screen.down(300, 300)
            screen.up()
            try:
                arrivals.get(timeout=2)
                break
            except queue.Empty:
                pass
        for _ in range(TAPS + 20):
            start = time.monotonic()
            screen.down(300, 300)
            times.append((arrivals.get(timeout=60) - start) * 1000)
            screen.up()
            # The next finger finds everything idle.
            time.sleep(0.01)
    return times[20:]


def layout(name, action):
    return file(name, f"screen: {{size: [1000, 1000]}}\non: {{began: tell}}\nhandlers:\n  tell: {action}\n")


port = free()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
publish = "{publish: {topic: kiosk/touch, mqtt: {host: 127.0.0.1, port: %d, qos: %d}}}"
layouts = {
    "a broker's subscriber, QoS 0": layout("once.yaml", publish % (port, 0)),
    "a broker's subscriber, QoS 1": layout("often.yaml", publish % (port, 1)),
    "a web server": layout("http.yaml", "{http: {url: \"http://127.0.0.1:%d/\"}}" % server.server_port),
}
broker = ["mosquitto", "-c", file("mosquitto.conf", f"listener {port} 127.0.0.1\nallow_anonymous true\n")]
binaries = [os.environ["BINARY"], *filter(None, [os.environ.get("OTHER")])]
with running(broker, " running"):
    subscriber = subscribe(port)
    print(f"\nFrom the frame to the arrival, median and 99th percentile of {TAPS} touches, in ms:\n")
    print("| to | median | p99 |" + " other median | p99 |" * (len(binaries) - 1))
    print("|---|---:|---:|" + "---:|---:|" * (len(binaries) - 1))
    for way, path in layouts.items():
        print(f"| {way} |", " | ".join(figures(measure(os.path.realpath(binary), path)) for binary in binaries), "|")
    subscriber.kill()
