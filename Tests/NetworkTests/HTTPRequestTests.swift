import ControlProtocol
import EventLoop
import Foundation
import Testing

@testable import Network
@testable import TestSupport

/// Requests through `touchd network` to a real server.
@Suite final class HTTPRequestTests {
    private let helper: Helper
    private let touchd: TouchdEnd

    init() throws {
        helper = try Helper()
        touchd = try helper.connect()
    }

    @Test("a request has its headers and body, and a path that is not changed")
    func request() throws {
        let (server, port) = try helper.start("server.py")
        touchd.post("http://127.0.0.1:\(port)/doors/../%2e%2e/open") {
            $0.headers = ["Content-Type: text/plain", "X-Seat: a"]
        }
        touchd.waitForOutcomes(1)
        let request = try server.request()
        #expect(request.path == "/doors/../%2e%2e/open")
        #expect(request.body == "hello" && request.headers["x-seat"] == "a")
        #expect(request.headers["content-type"] == "text/plain")
        #expect(touchd.begun == [1] && touchd.done == [1])
        #expect(touchd.peers == ["connected -"])
    }

    @Test(
        "requests to one server arrive in order; a failed one is tried again before the next, a refused one is not",
        arguments: [
            ("busy/2/a", 3, nil), ("busy/9/a", 3, "the server answered 503, 3 times"),
            ("status/404/a", 1, "the server answered 404"),
        ] as [(String, Int, String?)])
    func order(first: String, attempts: Int, reason: String?) throws {
        let (server, port) = try helper.start("server.py")
        for path in [first, "second", "third"] { touchd.post("http://127.0.0.1:\(port)/\(path)", retries: 2) }
        touchd.waitForOutcomes(3)
        let paths = try (0..<attempts + 2).map { _ in try server.request().path }
        #expect(paths == Array(repeating: "/\(first)", count: attempts) + ["/second", "/third"])
        #expect(touchd.failures == (reason.map { [1: $0] } ?? [:]))
    }

    @Test(
        "the status decides, whatever becomes of the rest of the response",
        arguments: ["broken/200", "endless", "heads"])
    func brokenResponse(path: String) throws {
        let (server, port) = try helper.start("server.py")
        touchd.post("http://127.0.0.1:\(port)/\(path)/")
        touchd.post("http://127.0.0.1:\(port)/next")
        touchd.waitForOutcomes(2)
        #expect(touchd.done == [1, 2] && touchd.failures == [:])
        // The server notices the end of the first connection before or after the next request.
        let paths = try (0..<(path == "broken/200" ? 2 : 3)).map { _ in try server.request().path }
        #expect(paths.filter { $0 != "closed" } == ["/\(path)/", "/next"])
    }

    @Test("a request that must go once is sent once, even if the server closes the connection that was kept")
    func once() throws {
        let (server, port) = try helper.start("server.py")
        touchd.post("http://127.0.0.1:\(port)/first", retries: 0)
        touchd.post("http://127.0.0.1:\(port)/hangup/", retries: 0)
        touchd.post("http://127.0.0.1:\(port)/last", retries: 0)
        touchd.waitForOutcomes(3)
        #expect(try (0..<3).map { _ in try server.request().path } == ["/first", "/hangup/", "/last"])
        #expect(touchd.done == [1, 3] && Array(touchd.failures.keys) == [2])
    }

    @Test("a silent server delays only its own requests")
    func silentServer() throws {
        let (silent, silentPort) = try helper.start("server.py")
        let (other, port) = try helper.start("server.py")
        touchd.post("http://127.0.0.1:\(silentPort)/silent/")
        touchd.post("http://127.0.0.1:\(silentPort)/behind")
        touchd.post("http://127.0.0.1:\(port)/other")
        touchd.waitForOutcomes(1)
        #expect(touchd.done == [3])
        silent.stop()
        other.stop()
    }

    @Test("a server that does not respond fails after the timeout, a missing one at once")
    func unreachable() throws {
        let (server, port) = try helper.start("server.py")
        let closed = freePort()
        touchd.post("http://127.0.0.1:\(port)/silent/", retries: 0, timeout: 1)
        touchd.post("http://127.0.0.1:\(closed)/", retries: 1)
        touchd.waitForOutcomes(2)
        // libcurl spells it out since Debian 13.
        #expect(
            touchd.failures.mapValues { $0.replacing("Could not", with: "Couldn't") }
                == [1: "Timeout was reached", 2: "Couldn't connect to server, 2 times"])
        server.stop()
    }

    @Test("an invalid URL fails at once", arguments: ["[", "gopher://127.0.0.1/", "http://127.0.0.1:99999/"])
    func invalidURL(url: String) throws {
        touchd.post("http://127.0.0.1/") { $0.url = url }
        touchd.waitForOutcomes(1)
        #expect(touchd.failures.count == 1 && touchd.failures[1]?.contains("times") == false)
    }

    @Test("requests to more servers than the limit fail while all have waiting requests")
    func servers() throws {
        let (server, port) = try helper.start("server.py")
        for number in 1...16 {
            touchd.post("http://127.0.0.1:\(port)/silent/") { $0.server = "http://server\(number):80" }
        }
        touchd.post("http://127.0.0.1:\(port)/") { $0.server = "http://another:80" }
        touchd.waitForOutcomes(1)
        #expect(touchd.failures == [17: "dropped, because requests to 16 other servers are waiting"])
        server.stop()
    }

    @Test("servers without waiting requests make room")
    func idleServers() throws {
        let (server, port) = try helper.start("server.py")
        for number in 1...40 {
            touchd.post("http://127.0.0.1:\(port)/\(number)") { $0.server = "http://server\(number):80" }
            touchd.waitForOutcomes(number)
        }
        #expect(touchd.done == Array(1...40))
        server.stop()
    }

    // MARK: Secrets

    /// Sends a setup that needs a credential.
    private func need(_ credential: String) {
        touchd.send { $0.requests = [RequestSetup { $0.credential = credential }] }
    }

    @Test("a credential is sent as bearer token, to other machines only over https")
    func bearer() throws {
        _ = try helper.folder.file("touchd_token", "s3cret\n")
        need("token")
        let (server, port) = try helper.start("server.py")
        touchd.post("http://127.0.0.1:\(port)/") { $0.credential = "token" }
        touchd.post("http://localhost:80@example.invalid/") { $0.credential = "token" }
        touchd.post("https://example.invalid/") { $0.credential = "none" }
        touchd.waitForOutcomes(3)
        #expect(try server.request().headers["authorization"] == "Bearer s3cret")
        #expect(touchd.failures[2] == "credential 'token' is not sent unencrypted; use https")
        #expect(touchd.failures[3] == "credential 'none' is missing")
    }

    @Test("a proxy of the environment gets nothing")
    func proxy() throws {
        let (proxy, proxyPort) = try helper.start("server.py")
        let (server, port) = try helper.start("server.py")
        setenv("http_proxy", "http://127.0.0.1:\(proxyPort)", 1)
        defer { unsetenv("http_proxy") }
        touchd.post("http://127.0.0.1:\(port)/secret")
        touchd.waitForOutcomes(1)
        #expect(try server.request().path == "/secret")
        proxy.stop()
        #expect(proxy.line() == nil)
    }

    @Test("only a server with a trusted certificate gets a request; another one is no temporary error")
    func certificates() throws {
        let folder = helper.folder.url
        for name in ["own", "other"] { try makeCertificate(name, in: folder) }
        let helper = try Helper { $0.certificates = folder.appending(path: "own.crt").path }
        let touchd = try helper.connect()
        let (own, ownPort) = try helper.start(
            "server.py", ["own.crt", "own.key"].map { folder.appending(path: $0).path })
        let (other, otherPort) = try helper.start(
            "server.py", ["other.crt", "other.key"].map { folder.appending(path: $0).path })
        touchd.post("https://localhost:\(ownPort)/yes")
        touchd.post("https://localhost:\(otherPort)/no", retries: 3)
        touchd.waitForOutcomes(2)
        other.stop()
        #expect(try own.request().path == "/yes")
        #expect(other.line() == nil)
        #expect(touchd.failures.count == 1)
        #expect(touchd.failures[2]?.contains("certificate") == true && touchd.failures[2]?.contains("times") == false)
    }

    @Test("no report on a request shows its token, headers, body or URL path")
    func secrets() throws {
        let (server, port) = try helper.start("server.py")
        _ = try helper.folder.file("token", "s3cret-token\n")
        need("token")
        let places = [
            "127.0.0.1:\(port)/status/403/s3cret-path", "127.0.0.1:\(port)/busy/9/s3cret-path",
            "127.0.0.1:\(port)/hangup/s3cret-path", "127.0.0.1:\(freePort())/s3cret-path",
            "localhost:1/s3cret-path", "example.invalid/s3cret-path", "[/s3cret-path",
        ]
        for place in places {
            touchd.post("http://kiosk:s3cret-password@\(place)", retries: 0) {
                $0.server = "http://server:80"
                $0.credential = "token"
                $0.headers = ["X-Key: s3cret-header"]
            }
        }
        touchd.waitForOutcomes(places.count)
        #expect(touchd.failures.count == places.count)
        #expect(touchd.failures.values.allSatisfy { !$0.contains("s3cret") }, "\(touchd.failures)")
        #expect(server.line()?.contains("Bearer s3cret-token") == true)
        #expect(helper.log.lines == [])
    }
}
