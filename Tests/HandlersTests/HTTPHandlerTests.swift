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
            NetworkContext(
                loop: loop, failures: late, credentials: credentials, firstPause: .milliseconds(10),
                certificates: folder.appending(path: "own.crt").path))
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
            deviceName: { _ in "" }, now: { 12.5 })
    }

    /// Sends a request.
    private func send(
        _ url: String, retries: Int = 3, timeout: TimeInterval = 300, credential: String? = nil,
        _ facts: OccasionFacts? = nil
    ) throws {
        try sender.send(
            HTTPSpec(
                url: .init(verbatim: url), credential: credential, retries: retries, timeout: timeout),
            facts ?? self.facts())
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
        try send("http://127.0.0.1:\(port)/kiosk", facts(["seat": "A\"1"]))
        sendAll()

        let request = try next(server)
        #expect(request.path == "/kiosk")
        #expect(request.headers["content-type"] == "application/json")
        #expect(
            request.body == """
                {"trigger": "absent", "handler": "tell", "device": "Panel", "time": 12.5, "with": {"seat": "A\\"1"}}
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

    @Test(
        "requests to one host arrive in order; a failed one is tried again before the next, a refused one is not",
        arguments: [
            ("busy/2/a", 3, nil), ("busy/9/a", 3, "the server answered 503, 3 times"),
            ("status/404/a", 1, "the server answered 404"),
        ] as [(String, Int, String?)])
    func order(first: String, attempts: Int, reason: String?) throws {
        let (server, port) = try serve()
        for path in [first, "second", "third"] { try send("http://127.0.0.1:\(port)/\(path)", retries: 2) }
        sendAll()

        let paths = try (0..<attempts + 2).map { _ in try next(server).path }
        #expect(paths == Array(repeating: "/\(first)", count: attempts) + ["/second", "/third"])
        #expect(failures == (reason.map { ["tell: not sent to http://127.0.0.1:\(port): \($0)"] } ?? []))
    }

    @Test("the pauses between attempts grow only until a request succeeds")
    func pauses() throws {
        let (server, port) = try serve()
        let start = ContinuousClock.now
        for number in 1...12 { try send("http://127.0.0.1:\(port)/busy/1/\(number)") }
        sendAll()
        // Twelve growing pauses would take 41 seconds.
        #expect(ContinuousClock.now - start < .seconds(20))
        server.stop()
    }

    @Test("a server that does not respond fails after the timeout, a missing one at once")
    func unreachable() throws {
        let (server, port) = try serve()
        let closed = freePort()
        try send("http://127.0.0.1:\(port)/silent/", retries: 0, timeout: 2)
        try send("http://127.0.0.1:\(closed)/", retries: 1)
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

    @Test(
        "a response is read up to 64 KiB: its status counts, and the rest is skipped; endless headers are a failure",
        arguments: [("endless", 0), ("heads", 1)])
    func endlessAnswer(path: String, count: Int) throws {
        let (server, port) = try serve()
        try send("http://127.0.0.1:\(port)/\(path)/", retries: 0)
        sendAll()
        #expect(try [next(server).path, next(server).path] == ["/\(path)/", "closed"])
        // The text is libcurl's and differs between versions.
        #expect(failures.count == count)
    }

    @Test("when a host's queue is full, new requests fail and the oldest are kept")
    func bound() throws {
        let (server, port) = try serve()
        for _ in 0..<RetryQueue<Int>.limit { try send("http://127.0.0.1:\(port)/silent/") }
        #expect(
            throws: HandlerFailure.requestNotSent(
                to: "http://127.0.0.1:\(port)", reason: "256 requests are waiting already")
        ) { try send("http://127.0.0.1:\(port)/silent/") }
        #expect(sender.close() == 256)
        server.stop()
    }

    @Test("a body of more than 64 KiB is not sent")
    func largeBody() throws {
        let body = Template(verbatim: String(repeating: "x", count: HTTPSender.bodyLimit + 1))
        #expect(
            throws: HandlerFailure.requestNotSent(
                to: "http://127.0.0.1:1", reason: "the body must be at most 65536 bytes long (got 65537)")
        ) { try sender.send(HTTPSpec(url: "http://127.0.0.1:1/", body: body), facts()) }
    }

    @Test("a credential is sent as bearer token, to other machines only over https")
    func bearer() throws {
        try "s3cret\n".write(to: folder.appending(path: "token"), atomically: true, encoding: .utf8)
        #expect(credentials.load("token") == nil)
        let (server, port) = try serve()
        try send("http://127.0.0.1:\(port)/", credential: "token")
        sendAll()
        #expect(try next(server).headers["authorization"] == "Bearer s3cret")

        #expect(
            throws: HandlerFailure.requestNotSent(
                to: "http://example.org:80", reason: "credential 'token' is not sent unencrypted; use https")
        ) { try send("http://example.org/", credential: "token") }
    }

    @Test("a missing credential, or one that is not one line of text, cannot be used, and is reported by name only")
    func badCredentials() throws {
        try Data("s3cret\nX-Evil: 1".utf8).write(to: folder.appending(path: "two"))
        try Data([0x73, 0xff]).write(to: folder.appending(path: "bytes"))
        #expect(credentials.load("two") == "credential 'two' must be one line of text")
        #expect(credentials.load("bytes")?.contains("'bytes'") == true)
        #expect(
            credentials.load("none")
                == "credential 'none' is missing; add LoadCredential=none:FILE to the service with 'systemctl edit touchd'"
        )
        #expect(credentials.load("../two") == "invalid credential name '../two'")
        #expect(
            throws: HandlerFailure.requestNotSent(to: "https://example.org:443", reason: "credential 'two' is missing")
        ) { try send("https://example.org/", credential: "two") }
    }

    @Test("only a server with a trusted certificate receives a request")
    func certificates() throws {
        for name in ["own", "other"] { try makeCertificate(name, in: folder) }
        let (own, ownPort) = try serve(["own.crt", "own.key"].map { folder.appending(path: $0).path })
        let (other, otherPort) = try serve(["other.crt", "other.key"].map { folder.appending(path: $0).path })
        try send("https://localhost:\(ownPort)/yes")
        try send("https://localhost:\(otherPort)/no", retries: 0)
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
}
