import EventLoop
import Foundation
import Testing

@testable import Handlers
@testable import Layout
@testable import TestSupport

/// The `http` handler with a real server.
@Suite("http") final class HTTPHandler {
    private let loop: EpollRunLoop
    private let folder = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)")
    private let late = LateFailures()
    private var failures: [String] = []
    private let credentials: Credentials
    private let sender: HTTPSender

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        loop = try EpollRunLoop()
        credentials = Credentials(directory: folder.path)
        sender = HTTPSender(
            loop: loop, failures: late, credentials: credentials, firstPause: .milliseconds(10),
            certificates: folder.appending(path: "own.crt").path)
        late.didFail = { [unowned self] in failures.append("\($0.name): \($1)") }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private struct Request: Decodable {
        let path: String
        let body: String
        let headers: [String: String]
    }

    /// Starts a server; returns it with its port.
    private func serve(_ arguments: [String] = []) throws -> (Server, port: String) {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Support/server.py").path
        let server = try Server(["/usr/bin/env", "python3", script] + arguments)
        return (server, try #require(server.line()))
    }

    /// The facts of a missing device.
    private func facts(device: String = "Panel", _ arguments: [String: String] = [:]) -> OccasionFacts {
        OccasionFacts(
            Occasion(.absent, .device(device)), handler: "tell", arguments: arguments,
            context: .init(deviceName: { _ in "" }, now: { 12.5 }))
    }

    private func sendAll() {
        while sender.count > 0 { _ = loop.run(returnAfterSourceHandled: true) }
    }

    private func next(_ server: Server) throws -> Request {
        try JSONDecoder().decode(Request.self, from: Data(try #require(server.line()).utf8))
    }

    @Test("without a body the facts are posted as one JSON object")
    func facts() throws {
        let (server, port) = try serve()
        try sender.send(
            HTTPSpec(url: .init(verbatim: "http://127.0.0.1:\(port)/kiosk"), timeout: 300), facts(["seat": "A\"1"]))
        sendAll()

        let request = try next(server)
        #expect(request.path == "/kiosk")
        #expect(request.headers["content-type"] == "application/json")
        #expect(
            request.body == """
                {"trigger": "absent", "handler": "tell", "device": "Panel", "time": 12.500000, "with": {"seat": "A\\"1"}}
                """)
        #expect(failures == [])
    }

    @Test("facts are percent-encoded in a URL and stay in one line in a header")
    func templates() throws {
        let (server, port) = try serve()
        let device = Template.Segment.fact("device")
        let spec = HTTPSpec(
            url: Template(segments: [.text("http://127.0.0.1:\(port)/d/"), device]), body: Template(segments: [device]),
            headers: ["X-Device": Template(segments: [.text("<"), device, .text(">")])], timeout: 300)
        try sender.send(spec, facts(device: "a/b?c\r\nX-Evil: 1"))
        sendAll()

        let request = try next(server)
        #expect(request.path == "/d/a%2Fb%3Fc%0D%0AX-Evil%3A%201")
        #expect(request.headers["x-device"] == "<a/b?c  X-Evil: 1>")
        #expect(request.headers["x-evil"] == nil)
        #expect(request.headers["content-type"] == "text/plain; charset=utf-8")
        #expect(request.body == "a/b?c\r\nX-Evil: 1")
    }

    @Test("requests to one host arrive in order, even if the first needs three attempts")
    func order() throws {
        let (server, port) = try serve()
        for path in ["busy/2/first", "second", "third"] {
            try sender.send(HTTPSpec(url: .init(verbatim: "http://127.0.0.1:\(port)/\(path)"), timeout: 300), facts())
        }
        sendAll()

        let paths = try (0..<5).map { _ in try next(server).path }
        #expect(paths == ["/busy/2/first", "/busy/2/first", "/busy/2/first", "/second", "/third"])
        #expect(failures == [])
    }

    @Test("after its last attempt a request fails with the reason; the next is sent")
    func givenUp() throws {
        let (server, port) = try serve()
        try sender.send(
            HTTPSpec(url: .init(verbatim: "http://127.0.0.1:\(port)/busy/9/a"), retries: 2, timeout: 300), facts())
        try sender.send(HTTPSpec(url: .init(verbatim: "http://127.0.0.1:\(port)/b"), timeout: 300), facts())
        sendAll()

        let paths = try (0..<4).map { _ in try next(server).path }
        #expect(paths == ["/busy/9/a", "/busy/9/a", "/busy/9/a", "/b"])
        #expect(failures == ["tell: not sent to http://127.0.0.1:\(port): the server answered 503, 3 times"])
    }

    @Test("a request that the server refuses is not retried")
    func refused() throws {
        let (server, port) = try serve()
        try sender.send(HTTPSpec(url: .init(verbatim: "http://127.0.0.1:\(port)/status/404/x"), timeout: 300), facts())
        sendAll()

        #expect(try next(server).path == "/status/404/x")
        #expect(failures == ["tell: not sent to http://127.0.0.1:\(port): the server answered 404"])
    }

    @Test("a server that does not respond fails after the timeout, a missing one at once")
    func unreachable() throws {
        let (server, port) = try serve()
        let closed = freePort()
        let silent = HTTPSpec(url: .init(verbatim: "http://127.0.0.1:\(port)/silent/"), retries: 0, timeout: 2)
        try sender.send(silent, facts())
        try sender.send(
            HTTPSpec(url: .init(verbatim: "http://127.0.0.1:\(closed)/"), retries: 1, timeout: 300), facts())
        sendAll()

        // libcurl spells it out since Debian 13.
        #expect(
            failures.map { $0.replacing("Could not", with: "Couldn't") }.sorted()
                == [
                    "tell: not sent to http://127.0.0.1:\(closed): Couldn't connect to server, 2 times",
                    "tell: not sent to http://127.0.0.1:\(port): Timeout was reached",
                ].sorted())
        server.stop()
    }

    @Test("a response is read up to 64 KiB: its status counts, and the rest is skipped")
    func endlessAnswer() throws {
        let (server, port) = try serve()
        try sender.send(HTTPSpec(url: .init(verbatim: "http://127.0.0.1:\(port)/endless/"), timeout: 300), facts())
        sendAll()
        #expect(try [next(server).path, next(server).path] == ["/endless/", "closed"])
        #expect(failures == [])
    }

    @Test("a response with endless headers is a failure")
    func endlessHeaders() throws {
        let (server, port) = try serve()
        try sender.send(
            HTTPSpec(url: .init(verbatim: "http://127.0.0.1:\(port)/heads/"), retries: 0, timeout: 300), facts())
        sendAll()
        #expect(try [next(server).path, next(server).path] == ["/heads/", "closed"])
        // The text is libcurl's and differs between versions.
        #expect(failures.count == 1)
    }

    @Test("when a host's queue is full, new requests fail and the oldest are kept")
    func bound() throws {
        let (server, port) = try serve()
        let spec = HTTPSpec(url: .init(verbatim: "http://127.0.0.1:\(port)/silent/"))
        for _ in 0..<RetryQueue<Int>.limit { try sender.send(spec, facts()) }
        #expect(
            throws: HandlerFailure.requestNotSent(
                to: "http://127.0.0.1:\(port)", reason: "256 requests are waiting already")
        ) {
            try sender.send(spec, facts())
        }
        #expect(sender.close() == 256)
        server.stop()
    }

    @Test("a body of more than 64 KiB is not sent")
    func largeBody() throws {
        let body = Template(verbatim: String(repeating: "x", count: HTTPSender.bodyLimit + 1))
        let spec = HTTPSpec(url: "http://127.0.0.1:1/", body: body)
        #expect(
            throws: HandlerFailure.requestNotSent(
                to: "http://127.0.0.1:1", reason: "the body must be at most 65536 bytes long (got 65537)")
        ) { try sender.send(spec, facts()) }
    }

    @Test("a credential is sent as bearer token, to other machines only over https")
    func bearer() throws {
        try "s3cret\n".write(to: folder.appending(path: "token"), atomically: true, encoding: .utf8)
        #expect(credentials.load("token") == nil)
        let (server, port) = try serve()
        try sender.send(
            HTTPSpec(url: .init(verbatim: "http://127.0.0.1:\(port)/"), credential: "token", timeout: 300), facts())
        sendAll()
        #expect(try next(server).headers["authorization"] == "Bearer s3cret")

        #expect(
            throws: HandlerFailure.requestNotSent(
                to: "http://example.org:80", reason: "credential 'token' is not sent unencrypted; use https")
        ) { try sender.send(HTTPSpec(url: "http://example.org/", credential: "token"), facts()) }
    }

    @Test("a missing credential, or one with several lines, cannot be used")
    func badCredentials() throws {
        try "a\nX-Evil: 1".write(to: folder.appending(path: "two"), atomically: true, encoding: .utf8)
        #expect(credentials.load("two") == "credential 'two' must be one line of text")
        #expect(
            credentials.load("none")
                == "credential 'none' is missing; add LoadCredential=none:FILE to the service with 'systemctl edit touchd'"
        )
        #expect(credentials.load("../two") == "invalid credential name '../two'")
        #expect(
            throws: HandlerFailure.requestNotSent(to: "https://example.org:443", reason: "credential 'two' is missing")
        ) { try sender.send(HTTPSpec(url: "https://example.org/", credential: "two"), facts()) }
    }

    @Test("only a server with a trusted certificate receives a request")
    func certificates() throws {
        for name in ["own", "other"] { try makeCertificate(name, in: folder) }
        let (own, ownPort) = try serve(["own.crt", "own.key"].map { folder.appending(path: $0).path })
        let (other, otherPort) = try serve(["other.crt", "other.key"].map { folder.appending(path: $0).path })
        try sender.send(HTTPSpec(url: .init(verbatim: "https://localhost:\(ownPort)/yes"), timeout: 300), facts())
        try sender.send(
            HTTPSpec(url: .init(verbatim: "https://localhost:\(otherPort)/no"), retries: 0, timeout: 300), facts())
        sendAll()

        other.stop()
        #expect(try next(own).path == "/yes")
        #expect(other.line() == nil)
        #expect(failures.count == 1)
        #expect(failures.first?.hasPrefix("tell: not sent to https://localhost:\(otherPort): ") == true)
        #expect(failures.first?.contains("certificate") == true)
    }

    // MARK: Secrets

    /// Sends a request with a secret in every possible place.
    private func sendSecrets(to place: String) {
        let url = Template(segments: [.text("http://kiosk:s3cret-password@\(place)?pin="), .fact("pin")])
        let spec = HTTPSpec(
            url: url, body: Template(segments: [.text("s3cret-body "), .fact("pin")]),
            headers: ["X-Key": Template(verbatim: "s3cret-header")], credential: "token", retries: 0,
            timeout: place.contains("silent") ? 0.2 : 600)
        do {
            try sender.send(spec, facts(["pin": "s3cret-pin"]))
        } catch {
            failures.append("\(error)")
        }
        sendAll()
    }

    @Test("no error of a request shows its token, headers, body or URL path")
    func secrets() throws {
        let (server, port) = try serve()
        try "s3cret-token\n".write(to: folder.appending(path: "token"), atomically: true, encoding: .utf8)
        #expect(credentials.load("token") == nil)
        for place in [
            // Refused, failing, silent, closed port, unknown host, unencrypted to another machine, and not a URL.
            "127.0.0.1:\(port)/status/403/s3cret-path", "127.0.0.1:\(port)/busy/9/s3cret-path",
            "127.0.0.1:\(port)/silent/s3cret-path", "127.0.0.1:\(freePort())/s3cret-path",
            "localhost:1/s3cret-path", "example.invalid/s3cret-path", "[/s3cret-path",
        ] {
            failures = []
            sendSecrets(to: place)
            #expect(failures.count == 1, "\(place)")
            #expect(failures.allSatisfy { !$0.contains("s3cret") }, "\(failures)")
        }
        #expect(server.line()?.contains("Bearer s3cret-token") == true)
    }

    @Test("an unusable credential is reported by name only")
    func unusableCredentials() throws {
        try "s3cret\ns3cret".write(to: folder.appending(path: "two"), atomically: true, encoding: .utf8)
        try Data([0x73, 0xff]).write(to: folder.appending(path: "bytes"))
        for name in ["two", "bytes", "none"] {
            let problem = try #require(credentials.load(name))
            #expect(problem.contains("'\(name)'") && !problem.contains("s3cret"))
        }
    }
}
