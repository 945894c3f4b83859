# A collector for day.sh: prints each request as a line of JSON. Arguments: its port, a certificate, its key, and the status of its answers.
import gzip, http.server, json, ssl, sys

class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name: self.headers.get(name) for name in ("Authorization", "Content-Encoding", "Content-Type")}
        lines = [json.loads(line) for line in gzip.decompress(body).splitlines()]
        print(json.dumps({"path": self.path, "headers": headers, "lines": lines}), flush=True)
        self.send_response(int(sys.argv[4]))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass

server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[2], sys.argv[3])
server.socket = context.wrap_socket(server.socket, server_side=True)
print("ready", flush=True)
server.serve_forever()
