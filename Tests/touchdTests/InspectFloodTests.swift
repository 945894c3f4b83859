import Foundation
import Testing

@testable import TestSupport

/// Clients without the token that send and hold as much as they can, over real sockets. The limits are those of
/// `WebLimits`.
@Suite struct InspectFlood {
    private let inspector: RunningInspector

    init() throws { inspector = try RunningInspector.ofRecording() }

    private func request(_ path: String, _ headers: String...) -> String {
        (["GET \(path) HTTP/1.1", "Host: 127.0.0.1"] + headers + ["", ""]).joined(separator: "\r\n")
    }

    private var key: String { "Authorization: Bearer \(inspector.token)" }

    @Test("a request is answered while four connections send endless headers")
    func headers() throws {
        let flood = try (0..<4).map { _ in try inspector.connect() }
        defer { for descriptor in flood { close(descriptor) } }
        for descriptor in flood {
            inspector.write("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 512 * 1024))", to: descriptor)
        }
        #expect(try inspector.ask("/api/overview").status == 200)
        for descriptor in flood { #expect(inspector.answer(on: descriptor).status == 431) }
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

    @Test(
        "a request that is not HTTP is answered with 400",
        arguments: ["\u{1}\u{2}\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n"])
    func nonsense(text: String) throws { #expect(try inspector.send(text).status == 400) }

    @Test("silent connections block nobody: the oldest are closed, and an open page stays")
    func connections() throws {
        let page = try inspector.connect()
        inspector.write(request("/api/events", key), to: page)
        var told = ""
        while !told.contains("still here"), let piece = inspector.read(page) {
            told += String(decoding: piece, as: UTF8.self)
        }
        let silent = try (0..<200).map { _ in try inspector.connect() }
        defer { for descriptor in silent + [page] { close(descriptor) } }
        #expect(try inspector.ask("/api/overview").status == 200)
        #expect(silent.prefix(136).allSatisfy { inspector.read($0) == nil })
        var byte: UInt8 = 0
        // The page is sent a line every 15 s; 0 would be the end.
        let count = recv(page, &byte, 1, Int32(MSG_DONTWAIT))
        #expect(count == 1 || count == -1 && errno == EAGAIN)
    }

    @Test("connections with the token are limited to 64, and one more gets an error")
    func members() throws {
        let pages = try (0..<64).map { _ in try inspector.connect() }
        for descriptor in pages {
            inspector.write(request("/api/events", key), to: descriptor)
            #expect(inspector.read(descriptor) != nil)
        }
        let answer = try inspector.ask("/api/overview")
        #expect(answer.status == 503 && answer.text.contains("64 connections are open"))
        for descriptor in pages { close(descriptor) }
    }

    @Test("a connection is reused, and a half-closed client gets its response")
    func reuse() throws {
        let descriptor = try inspector.connect()
        defer { close(descriptor) }
        for _ in 0..<3 {
            inspector.write(request("/asking.js"), to: descriptor)
            var text = ""
            while !text.contains("\r\n\r\n"), let piece = inspector.read(descriptor) {
                text += String(decoding: piece, as: UTF8.self)
            }
            let length = try #require(text.firstMatch(of: /Content-Length: (\d+)/).flatMap { Int($0.output.1) })
            let head = try #require(text.range(of: "\r\n\r\n")).upperBound
            while text[head...].utf8.count < length, let piece = inspector.read(descriptor) {
                text += String(decoding: piece, as: UTF8.self)
            }
            #expect(text.hasPrefix("HTTP/1.1 200 OK") && text[head...].utf8.count == length)
        }
        inspector.write(request("/api/records", key), to: descriptor)
        shutdown(descriptor, Int32(SHUT_WR))
        #expect(inspector.answer(on: descriptor).status == 200)
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
