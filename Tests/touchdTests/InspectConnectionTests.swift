import Foundation
import Testing

@testable import TestSupport

/// The requests that `touchd inspect` refuses, over real sockets.
@Suite struct InspectConnections {
    @Test(
        "requests from another origin or without the token are refused"
    )
    func strangers() throws {
        let inspector = try RunningInspector.ofRecording()
        let (host, key) = ("127.0.0.1:\(inspector.port)", "Authorization: Bearer \(inspector.token)")
        func status(_ lines: String...) throws -> Int {
            try inspector.send((lines + ["Connection: close", "", ""]).joined(separator: "\r\n")).status
        }
        // The token is missing or wrong.
        #expect(try status("GET /api/records HTTP/1.1", "Host: \(host)") == 401)
        #expect(
            try status("GET /api/records HTTP/1.1", "Host: \(host)", "Authorization: Bearer \(inspector.token)0") == 401
        )
        #expect(try status("GET /api/records?token=\(inspector.token) HTTP/1.1", "Host: \(host)") == 401)
        // DNS rebinding: a foreign host name resolves to this machine.
        #expect(try status("GET /api/records HTTP/1.1", "Host: evil.example:\(inspector.port)", key) == 421)
        #expect(try status("GET /api/records HTTP/1.1", key) == 421)
        // A page of another origin sends a request or a form.
        let evil = "Origin: http://evil.example"
        #expect(try status("GET /api/events HTTP/1.1", "Host: \(host)", key, evil) == 403)
        #expect(
            try status("OPTIONS /api/hit HTTP/1.1", "Host: \(host)", evil, "Access-Control-Request-Method: POST") == 405
        )
        #expect(
            try status(
                "POST /api/hit HTTP/1.1", "Host: \(host)", evil, "Content-Type: text/plain", "Content-Length: 0") == 403
        )
        #expect(
            try status(
                "POST /api/hit HTTP/1.1", "Host: \(host)", key, "Content-Type: text/plain", "Content-Length: 0") == 415)
        #expect(try inspector.ask("/api/hit", String(repeating: " ", count: 100_000)).status == 413)
        // A WebSocket, which browsers do not restrict to one origin.
        #expect(
            try status(
                "GET /api/events HTTP/1.1", "Host: \(host)", evil, "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==") == 403)
    }

    @Test("the page loads nothing from other origins and cannot be framed")
    func headers() throws {
        let inspector = try RunningInspector.ofRecording()
        let page = try inspector.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(page.status == 200 && page.text.hasPrefix("<!doctype html>"))
        for answer in [page, try inspector.ask("/api/overview"), try inspector.ask("/api/nothing")] {
            #expect(answer.headers.contains("Content-Security-Policy: default-src 'self';"))
            #expect(answer.headers.contains("frame-ancestors 'none'"))
            #expect(answer.headers.contains("X-Content-Type-Options: nosniff"))
            #expect(!answer.headers.lowercased().contains("access-control-allow"))
        }
        #expect(!page.text.contains(inspector.token))
    }

    @Test("an invalid request is refused with a reason, and the inspector continues")
    func nonsense() throws {
        let inspector = try RunningInspector.ofRecording()
        for body in ["", "{}", "[]", "null", #"{"x": "a", "y": 1}"#, #"{"x": 1e999, "y": 0}"#, "{\"x\": 1"] {
            #expect(try inspector.ask("/api/hit", body).status == 400)
        }
        #expect(try inspector.ask("/api/hit", #"{"x": 1, "y": 1, "screen": "none"}"#).status == 409)
        #expect(try inspector.ask("/api/command", #"{"command": "hide", "view": "buy"}"#).status == 409)
        _ = try inspector.send("\u{0}\u{1} rubbish\r\n\r\n")
        #expect(try inspector.ask("/api/overview").status == 200)
        #expect(inspector.end() == 0)
    }

    @Test("other machines are accepted only with a chosen token")
    func listening() throws {
        let open = try TouchdProgram.run("inspect", "--listen", "0.0.0.0:0")
        #expect(open.status == 64 && open.errors.contains("is open to other machines"))
        let inspector = try RunningInspector.ofRecording()
        let taken = try TouchdProgram.run(
            "inspect", "--layout", RunningInspector.layout, "--replay", RunningInspector.recording, "--listen",
            "\(inspector.port)")
        #expect(taken.status == 71 && taken.errors.contains("cannot listen at 127.0.0.1:\(inspector.port)"))
        #expect(taken.errors.contains("choose another address with --listen"))
        let nonsense = try TouchdProgram.run("inspect", "--listen", "localhost:80")
        #expect(nonsense.status == 64 && nonsense.errors.contains("(got 'localhost:80')"))
    }

    @Test("at a wildcard address the token from the named file is required, and no other")
    func tokenFile() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("token", "abcdefghijklmnopqrstuvwxyz")
        #expect(chmod(file.path, 0o644) == 0)
        let open = try TouchdProgram.run("inspect", "--listen", "0.0.0.0:0", "--token-file", file.path)
        #expect(open.status == 71 && open.errors.contains("the token is readable by all users"))
        #expect(chmod(file.path, 0o600) == 0)
        let inspector = try RunningInspector(
            "--layout", RunningInspector.layout, "--replay", RunningInspector.recording, "--token-file", file.path,
            listen: "0.0.0.0:0")
        #expect(inspector.token == "abcdefghijklmnopqrstuvwxyz")
        #expect(try inspector.ask("/api/overview").status == 200)
        let wrong =
            "GET /api/overview HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer abcdefghijklmnopqrstuvwxyy\r\n"
        #expect(try inspector.send(wrong + "Connection: close\r\n\r\n").status == 401)
    }

    @Test(
        "a local socket works like a port, and is removed at the end"
    )
    func localSocket() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "inspect").path
        func start() throws -> RunningInspector {
            try RunningInspector(
                "--layout", RunningInspector.layout, "--replay", RunningInspector.recording, listen: "unix:\(path)")
        }
        #expect(try start().end(SIGKILL) == -1)
        let inspector = try start()
        #expect(inspector.announcement.contains("ssh -L 8347:\(path) KIOSK"))
        #expect(try inspector.send("GET / HTTP/1.1\r\nHost: localhost:8347\r\nConnection: close\r\n\r\n").status == 200)
        #expect(try inspector.ask("/api/overview").status == 200)
        let taken = try TouchdProgram.run(
            "inspect", "--layout", RunningInspector.layout, "--replay", RunningInspector.recording, "--listen",
            "unix:\(path)")
        #expect(taken.status == 71 && taken.errors.contains("cannot listen at unix:\(path)"))
        #expect(inspector.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        // A file that is not a socket belongs to the user.
        let file = try folder.file("notes", "mine")
        let refused = try TouchdProgram.run(
            "inspect", "--layout", RunningInspector.layout, "--replay", RunningInspector.recording, "--listen",
            "unix:\(file.path)")
        #expect(refused.status == 71 && FileManager.default.fileExists(atPath: file.path))
    }
}
