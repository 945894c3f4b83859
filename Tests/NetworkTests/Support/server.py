# An HTTP server for tests: prints its port, then each request as one line of JSON. The path selects the response:
# /busy/N/… with 503 the first N times, /status/N/… with N, anything else with 200; /silent/… with nothing at all;
# /endless/… with a body, /heads/… with headers, until the client hangs up, which it prints as {"path": "closed"}.
# /broken/N/… answers with N and the beginning of a body, /hangup/… with nothing, and both close the connection.
# With a certificate and its key as arguments it uses TLS.
import http.server, json, ssl, sys, threading

counts = {}

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        parts = self.path.split("/")
        counts[self.path] = counts.get(self.path, 0) + 1
        print(json.dumps({"path": self.path, "body": body, "headers": {k.lower(): v for k, v in self.headers.items()}}),
              flush=True)
        if parts[1] == "silent":
            threading.Event().wait()
        status = 200
        if parts[1] == "busy" and counts[self.path] <= int(parts[2]):
            status = 503
        if parts[1] == "status":
            status = int(parts[2])
        if parts[1] in ("broken", "hangup"):
            if parts[1] == "broken":
                self.wfile.write(f"HTTP/1.1 {parts[2]} Fine\r\nContent-Length: 100\r\n\r\nthan".encode())
            self.close_connection = True
            return
        if parts[1] in ("endless", "heads"):
            head = b"HTTP/1.1 200 OK\r\n" + (b"\r\n" if parts[1] == "endless" else b"")
            try:
                self.wfile.write(head)
                while True:
                    self.wfile.write((b"X-Header: " + b"x" * 1000 + b"\r\n") * 60)
            except OSError:
                print(json.dumps({"path": "closed", "body": "", "headers": {}}), flush=True)
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", "6")
        self.end_headers()
        self.wfile.write(b"thanks")

    def log_message(self, *arguments):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
