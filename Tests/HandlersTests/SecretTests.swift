import EventLoop
import Foundation
import Testing

@testable import Handlers
@testable import Layout
@testable import TestSupport

/// Secrets are sent only to their destination and are never logged, whatever fails.
@Suite("Secrets") final class SecretTests {
    private let loop: EpollRunLoop
    private let folder = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)")
    private let late = LateFailures()
    private var told: [String] = []
    private let credentials: Credentials
    private let sender: HTTPSender

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        loop = try EpollRunLoop()
        credentials = Credentials(directory: folder.path)
        sender = HTTPSender(
            loop: loop, failures: late, credentials: credentials, firstPause: .milliseconds(10))
        try "s3cret-token\n".write(to: folder.appending(path: "token"), atomically: true, encoding: .utf8)
        #expect(credentials.load("token") == nil)
        late.didFail = { [unowned self] in told.append("\($0.name): \($1)") }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var facts: OccasionFacts {
        OccasionFacts(
            Occasion(.absent, .device("Panel")), handler: "tell", arguments: ["pin": "s3cret-pin"],
            context: .init(deviceName: { _ in "" }, now: { 12.5 }))
    }

    /// Sends a request with a secret in every possible place.
    private func send(to place: String) {
        let url = Template(segments: [.text("http://kiosk:s3cret-password@\(place)?pin="), .fact("pin")])
        let spec = HTTPSpec(
            url: url, body: Template(segments: [.text("s3cret-body "), .fact("pin")]),
            headers: ["X-Key": Template(verbatim: "s3cret-header")], credential: "token", retries: 0,
            timeout: place.contains("silent") ? 0.2 : 600)
        do {
            try sender.send(spec, facts)
        } catch {
            told.append("\(error)")
        }
        while sender.count > 0 { _ = loop.run(returnAfterSourceHandled: true) }
    }

    @Test("no error of a request shows its token, headers, body or URL path")
    func requests() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Support/server.py").path
        let server = try Server(["/usr/bin/env", "python3", script])
        let port = try #require(server.line())
        for place in [
            // Refused, failing, silent, closed port, unknown host, unencrypted to another machine, and not a URL.
            "127.0.0.1:\(port)/status/403/s3cret-path", "127.0.0.1:\(port)/busy/9/s3cret-path",
            "127.0.0.1:\(port)/silent/s3cret-path", "127.0.0.1:\(freePort())/s3cret-path",
            "localhost:1/s3cret-path", "example.invalid/s3cret-path", "[/s3cret-path",
        ] {
            told = []
            send(to: place)
            #expect(told.count == 1, "\(place)")
            #expect(told.allSatisfy { !$0.contains("s3cret") }, "\(told)")
        }
        #expect(server.line()?.contains("Bearer s3cret-token") == true)
    }

    @Test("an unusable credential is reported by name only")
    func badCredentials() throws {
        try "s3cret\ns3cret".write(to: folder.appending(path: "two"), atomically: true, encoding: .utf8)
        try Data([0x73, 0xff]).write(to: folder.appending(path: "bytes"))
        for name in ["two", "bytes", "none"] {
            let problem = try #require(credentials.load(name))
            #expect(problem.contains("'\(name)'") && !problem.contains("s3cret"))
        }
    }
}
