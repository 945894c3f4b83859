import Foundation
import Testing

@testable import WebServer

/// A server at a port of this machine, and clients that send what a browser would not.
@Suite("Connections of the web server") struct WebConnectionTests {
    private static let token = AccessToken()

    private func serve(_ limits: WebLimits = WebLimits(), answer: WebConfiguration.Answer? = nil) async throws -> UInt16
    {
        let address = try #require(ListenAddress("127.0.0.1:0"))
        let server = WebServer(
            at: .address(address), access: .ownPage(Self.token), limits: limits,
            answer: answer ?? { WebResponse("text/plain", Array("\($0.method) \($0.path) ".utf8) + $0.body) })
        return try await server.listen()
    }

    private static func request(_ line: String, _ headers: [String] = [], body: String = "") -> String {
        let all = ["Host: 127.0.0.1", "Authorization: Bearer \(token.text)"] + headers
        return "\(line) HTTP/1.1\r\n" + all.map { "\($0)\r\n" }.joined() + "\r\n" + body
    }

    private static func post(_ body: String, length: Int? = nil) -> String {
        request(
            "POST /api/x", ["Content-Type: application/json", "Content-Length: \(length ?? body.utf8.count)"],
            body: body)
    }

    @Test("each request beyond a limit, or of another form, gets its status, and the client can read why")
    func statuses() async throws {
        var limits = WebLimits()
        (limits.head, limits.fields, limits.body) = (2048, 16, 64)
        let port = try await serve(limits)
        let cases: [(request: String, status: String, text: String)] = [
            (Self.request("GET /api/x"), "200", "GET /api/x"),
            (Self.post("[1]"), "200", "POST /api/x [1]"),
            (Self.post(String(repeating: "1", count: 64)), "200", "POST /api/x 1111"),
            (Self.post("", length: 65), "413", "at most 64 bytes"),
            (Self.request("GET /\(String(repeating: "a", count: 3000))"), "431", "at most 2048 bytes"),
            (Self.request("GET /api/x", ["A: \(String(repeating: "a", count: 3000))"]), "431", "at most 2048 bytes"),
            (Self.request("GET /api/x", (0..<20).map { "A\($0): b" }), "431", "16 headers"),
            ("nonsense\r\n\r\n", "400", "not valid HTTP/1.1"),
            ("GET / HTTP/1.1\r\n\r\n", "400", "one Host header"),
            (Self.request("GET /", ["Host: 127.0.0.1"]), "400", "one Host header"),
            ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421", "unknown host name"),
            ("GET /api/x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "401", "the token is missing or wrong"),
            (Self.request("DELETE /api/x"), "405", "GET or POST"),
        ]
        let wrong = try cases.filter { request, status, text in
            let client = try RawClient(port: port)
            client.send(request)
            client.endOutput()
            let answer = client.rest()
            return !answer.hasPrefix("HTTP/1.1 \(status) ") || !answer.contains(text)
        }
        #expect(wrong.map(\.request) == [])
    }

    @Test("the reason of a refusal is read although the client is still sending a body")
    func drained() async throws {
        let client = try RawClient(port: try await serve())
        client.send(Self.post(String(repeating: "1", count: 500_000)))
        client.endOutput()
        #expect(client.rest().hasPrefix("HTTP/1.1 413 "))
    }

    @Test("requests follow each other on a connection; one before the answer to another closes it")
    func order() async throws {
        let port = try await serve()
        let client = try RawClient(port: port)
        for number in 0..<3 {
            client.send(Self.request("GET /api/\(number)"))
            #expect(client.read(until: "GET /api/\(number)").hasPrefix("HTTP/1.1 200 "))
        }
        let hasty = try RawClient(
            port: try await serve(answer: { _ in
                while !Task.isCancelled { await Task.yield() }
                return WebResponse(status: 500, reason: "cancelled")
            }))
        hasty.send(Self.request("GET /api/1") + Self.request("GET /api/2"))
        #expect(hasty.rest() == "")
    }

    @Test("a client that sends no whole request in time is disconnected")
    func slow() async throws {
        var limits = WebLimits()
        limits.timeout = 1
        let client = try RawClient(port: try await serve(limits))
        client.send("GET /api/x HTTP/1.1\r\nHost:")
        #expect(client.rest() == "")
    }

    @Test("a further client without the token takes the place of the one that has waited longest")
    func unauthenticated() async throws {
        var limits = WebLimits()
        limits.unauthenticatedConnections = 2
        let port = try await serve(limits)
        let clients = try (0..<3).map { _ in
            let client = try RawClient(port: port)
            // The answer shows that the server has the connection.
            client.send("GET /missing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            _ = client.read(until: "GET /missing")
            return client
        }
        #expect(clients[0].rest() == "")
        clients[2].send(Self.request("GET /api/x"))
        #expect(clients[2].read(until: "GET /api/x").hasPrefix("HTTP/1.1 200 "))
    }

    @Test("more clients with the token than the limit get status 503, and a place again when one leaves")
    func authenticated() async throws {
        var limits = WebLimits()
        limits.authenticatedConnections = 1
        let port = try await serve(limits)
        let first = try RawClient(port: port)
        first.send(Self.request("GET /api/1"))
        _ = first.read(until: "GET /api/1")
        let second = try RawClient(port: port)
        second.send(Self.request("GET /api/2"))
        second.endOutput()
        #expect(second.rest().hasPrefix("HTTP/1.1 503 "))
        first.endOutput()
        _ = first.rest()
        let third = try RawClient(port: port)
        third.send(Self.request("GET /api/3"))
        #expect(third.read(until: "GET /api/3").hasPrefix("HTTP/1.1 200 "))
    }
}

/// A TCP client that sends any bytes.
private final class RawClient {
    private let descriptor: Int32
    private var text = ""

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        (address.sin_port, address.sin_addr.s_addr) = (port.bigEndian, in_addr_t(0x7f00_0001).bigEndian)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    deinit { close(descriptor) }

    /// Sends a text; a server that closes meanwhile is noticed when reading.
    func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }

    func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Reads until a text has come, or the end.
    func read(until end: String) -> String {
        while !text.contains(end), receive() {}
        defer { text = "" }
        return text
    }

    /// Reads to the end.
    func rest() -> String {
        while receive() {}
        defer { text = "" }
        return text
    }

    private func receive() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count > 0 { text += String(decoding: bytes[..<count], as: UTF8.self) }
        return count > 0
    }
}
