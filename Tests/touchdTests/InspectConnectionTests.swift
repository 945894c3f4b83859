import Foundation
import Testing

@testable import TestSupport

/// The requests that `touchd inspect` refuses, and clients that send and hold as much as they can, over real sockets.
///
/// The tests of WebServer have every reason for a refusal. The limits are those of `WebLimits`.
@Suite struct InspectConnections {
    private let inspector: RunningInspector

    init() throws { inspector = try RunningInspector.ofRecording() }

    private func request(_ path: String, _ headers: String..., host: String = "127.0.0.1") -> String {
        (["GET \(path) HTTP/1.1", "Host: \(host)"] + headers + ["", ""]).joined(separator: "\r\n")
    }

    private var key: String { "Authorization: Bearer \(inspector.token)" }

    private static func arguments(_ address: String) -> [String] {
        [
            "inspect", "--layout", RunningInspector.layout, "--replay", RunningInspector.recording, "--listen",
            address,
        ]
    }

    @Test("requests from another origin, for another host, without the token or too long are refused")
    func strangers() throws {
        let close = "Connection: close", evil = "Origin: http://evil.example"
        // DNS rebinding: a foreign host name resolves to this machine. WebSocket: browsers do not restrict it to one origin.
        for (text, status) in [
            (request("/api/records", close), 401),
            (request("/api/records?token=\(inspector.token)", close), 401),
            (request("/api/records", key, close, host: "evil.example:\(inspector.port)"), 421),
            (request("/api/events", key, evil, close), 403), (request("/api/events", key, close), 426),
            (
                request(
                    "/api/events", key, evil, "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", close), 403
            ),
        ] {
            #expect(try inspector.send(text).status == status, "\(text)")
        }
        #expect(try inspector.ask("/api/hit", String(repeating: " ", count: 100_000)).status == 413)
    }

    @Test("the page loads nothing from other origins and cannot be framed")
    func headers() throws {
        let page = try inspector.send(request("/", "Connection: close", host: "localhost"))
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
        for body in ["", "{}", "[]", "null", #"{"x": "a", "y": 1}"#, #"{"x": 1e999, "y": 0}"#, "{\"x\": 1"] {
            #expect(try inspector.ask("/api/hit", body).status == 400)
        }
        #expect(try inspector.ask("/api/hit", #"{"x": 1, "y": 1, "screen": "none"}"#).status == 409)
        #expect(try inspector.ask("/api/command", #"{"command": "hide", "view": "buy"}"#).status == 409)
        for text in ["\u{1}\u{2}\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n"] {
            #expect(try inspector.send(text).status == 400)
        }
        #expect(try inspector.ask("/api/overview").status == 200)
        #expect(inspector.end() == 0)
    }

    @Test("other machines are accepted only with the token of a file that only its owner may read")
    func listening() throws {
        let open = try TouchdProgram.run("inspect", "--listen", "0.0.0.0:0")
        #expect(open.status == 64 && open.errors.contains("is open to other machines"))
        let taken = try TouchdProgram.run(Self.arguments("\(inspector.port)"))
        #expect(taken.status == 71 && taken.errors.contains("cannot listen at 127.0.0.1:\(inspector.port)"))
        #expect(taken.errors.contains("choose another address with --listen"))
        let nonsense = try TouchdProgram.run("inspect", "--listen", "localhost:80")
        #expect(nonsense.status == 64 && nonsense.errors.contains("(got 'localhost:80')"))

        let folder = try TemporaryFolder(), file = try folder.file("token", "abcdefghijklmnopqrstuvwxyz")
        #expect(chmod(file.path, 0o644) == 0)
        let readable = try TouchdProgram.run("inspect", "--listen", "0.0.0.0:0", "--token-file", file.path)
        #expect(readable.status == 71 && readable.errors.contains("the token is readable by all users"))
        #expect(chmod(file.path, 0o600) == 0)
        let wide = try RunningInspector(
            "--layout", RunningInspector.layout, "--replay", RunningInspector.recording, "--token-file", file.path,
            listen: "0.0.0.0:0")
        #expect(wide.token == "abcdefghijklmnopqrstuvwxyz")
        #expect(try wide.ask("/api/overview").status == 200)
        #expect(try wide.send(request("/api/overview", key, "Connection: close")).status == 401)
    }

    @Test("a local socket works like a port, and is removed at the end; a file that is no socket is kept")
    func localSocket() throws {
        let folder = try TemporaryFolder(), path = folder.url.appending(path: "inspect").path
        func start() throws -> RunningInspector {
            try RunningInspector(
                "--layout", RunningInspector.layout, "--replay", RunningInspector.recording, listen: "unix:\(path)")
        }
        #expect(try start().end(SIGKILL) == -1)
        let inspector = try start()
        #expect(inspector.announcement.contains("ssh -L 8347:\(path) KIOSK"))
        #expect(try inspector.send(request("/", "Connection: close", host: "localhost:8347")).status == 200)
        #expect(try inspector.ask("/api/overview").status == 200)
        let file = try folder.file("notes", "mine").path
        for path in [path, file] {
            let taken = try TouchdProgram.run(Self.arguments("unix:\(path)"))
            #expect(taken.status == 71 && taken.errors.contains("cannot listen at unix:\(path)"))
        }
        #expect(inspector.end() == 0)
        #expect(!FileManager.default.fileExists(atPath: path) && FileManager.default.fileExists(atPath: file))
    }

    @Test("a request is answered while four connections send endless headers")
    func flood() throws {
        let flood = try (0..<4).map { _ in try inspector.connect() }
        for connection in flood {
            connection.write("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 512 * 1024))")
        }
        #expect(try inspector.ask("/api/overview").status == 200)
        for connection in flood { #expect(RunningInspector.Answer(connection).status == 431) }
    }

    @Test("more than 16 KiB of headers, or 64 fields, are answered with 431")
    func head() throws {
        let long = String(repeating: "a", count: 20_000), fitting = String(repeating: "a", count: 15_000)
        let many = (0..<70).map { "X-\($0): 1" }.joined(separator: "\r\n")
        let halves = "X: \(fitting)\r\nY: \(fitting)"
        for text in [request("/\(long)"), request("/", "X: \(long)"), request("/", many), request("/", halves)] {
            let answer = try inspector.send(text)
            #expect(answer.status == 431 && answer.text.contains("at most 16384 bytes and 64 headers"))
        }
        #expect(try inspector.send(request("/", "X: \(fitting)", "Connection: close")).status == 200)
    }

    @Test("silent connections block nobody: the oldest are closed, and an open page stays")
    func connections() throws {
        let page = try inspector.openEvents()
        let silent = try (0..<200).map { _ in try inspector.connect() }
        #expect(try inspector.ask("/api/overview").status == 200)
        #expect(silent.prefix(136).allSatisfy { $0.take(1) == nil })
        var byte: UInt8 = 0
        // 0 would be the end.
        #expect(recv(page.descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == -1 && errno == EAGAIN)
    }

    @Test("connections with the token are limited to 64, and one more gets an error")
    func members() throws {
        let pages = try (0..<64).map { _ in try inspector.openEvents() }
        let answer = try inspector.ask("/api/overview")
        #expect(answer.status == 503 && answer.text.contains("64 connections are open"))
        withExtendedLifetime(pages) {}
    }

    @Test("a connection is reused, and a half-closed client gets its response")
    func reuse() throws {
        let connection = try inspector.connect()
        for _ in 0..<3 {
            connection.write(request("/asking.js"))
            let head = connection.read(until: "\r\n\r\n")
            #expect(head.hasPrefix("HTTP/1.1 200 OK"))
            let length = try #require(head.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.output.1) })
            #expect(connection.take(length) != nil)
        }
        connection.write(request("/api/records", key))
        shutdown(connection.descriptor, Int32(SHUT_WR))
        #expect(RunningInspector.Answer(connection).status == 200)
    }

    @Test("a response of any size arrives completely")
    func large() throws {
        let folder = try TemporaryFolder()
        let views = (0..<3000).map { "  - {id: view-\($0), frame: [\($0 % 40 * 20), \($0 / 40 * 10), 10, 5]}" }
        let text = "screen: {size: [1920, 1080]}\nviews:\n" + views.joined(separator: "\n") + "\n"
        let file = try folder.file("large.yaml", text)
        let large = try RunningInspector("--layout", file.path, "--replay", RunningInspector.recording)
        let answer = try large.ask("/api/overview")
        #expect(answer.body.count > 500_000)
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: answer.body) }
        #expect(answer.text.contains(#""view-0""#) && answer.text.contains(#""view-2999""#))
    }
}
