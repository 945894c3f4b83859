import Foundation
import Testing

/// A running `touchd-web` at a port that the kernel chooses.
final class RunningWeb {
    let port: UInt16
    /// Its messages.
    let errors: URL
    private let process = Process()
    private let folder: TemporaryFolder

    /// A WebSocket's or other client's connection.
    final class Client {
        let descriptor: Int32
        private var unread = Data()

        init(port: UInt16) throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            let failed = withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard failed == 0 else { throw CocoaError(.fileReadUnknown) }
            // A silent server fails the test instead of blocking it.
            var limit = timeval(tv_sec: 600, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        func write(_ data: Data) {
            var rest = Array(data)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }

        /// Reads up to and including a text; everything if the other side closes the connection before.
        func read(until text: String) -> String {
            while true {
                if let range = unread.range(of: Data(text.utf8)) {
                    let piece = unread[..<range.upperBound]
                    unread = Data(unread[range.upperBound...])
                    return String(decoding: piece, as: UTF8.self)
                }
                guard fill() else {
                    defer { unread = Data() }
                    return String(decoding: unread, as: UTF8.self)
                }
            }
        }

        /// Sends a message of a WebSocket (RFC 6455, section 5.2), with the mask zero.
        func send(message: String) {
            let text = Data(message.utf8), count = text.count
            var frame = Data([0x81])
            if count < 126 {
                frame.append(0x80 | UInt8(count))
            } else if count < 65536 {
                frame.append(contentsOf: [0xFE, UInt8(count >> 8), UInt8(count & 255)])
            } else {
                frame.append(0xFF)
                withUnsafeBytes(of: UInt64(count).bigEndian) { frame.append(contentsOf: $0) }
            }
            write(frame + Data(count: 4) + text)
        }

        /// The next message of a WebSocket, or the number of its close frame as text; nil at the end.
        func message() -> String? {
            guard let head = take(2) else { return nil }
            var count = Int(head[1])
            if count == 126 { count = take(2)?.reduce(0) { $0 << 8 | Int($1) } ?? 0 }
            if count == 127 { count = take(8)?.reduce(0) { $0 << 8 | Int($1) } ?? 0 }
            guard let text = take(count) else { return nil }
            return head[0] == 0x88 ? "\(text.reduce(0) { $0 << 8 | Int($1) })" : String(decoding: text, as: UTF8.self)
        }

        private func take(_ count: Int) -> [UInt8]? {
            while unread.count < count { guard fill() else { return nil } }
            defer { unread = Data(unread.dropFirst(count)) }
            return Array(unread.prefix(count))
        }

        private func fill() -> Bool {
            var bytes = [UInt8](repeating: 0, count: 64 * 1024)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count > 0 { unread += bytes[..<count] }
            return count > 0
        }
    }

    /// - Parameter settings: The text of web.yaml; `FOLDER` is replaced by that of its `files`.
    init(control: String, settings: String = "", files: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        for (name, text) in files { _ = try folder.file(name, text) }
        let settings = try folder.file(
            "web.yaml", settings.replacing("FOLDER", with: folder.url.path))
        errors = try folder.file("errors", "")
        let output = Pipe()
        process.executableURL = URL(filePath: TouchdProgram.path).deletingLastPathComponent().appending(
            path: "touchd-web")
        process.arguments = ["--settings", settings.path, "--socket", control, "--listen", "0"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        var text = ""
        while !text.contains("\n") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw CocoaError(.fileReadUnknown) }
            text += String(decoding: piece, as: UTF8.self)
        }
        guard let link = text.firstMatch(of: /serving http:\/\/127\.0\.0\.1:(\d+)\/touchd\.js/),
            let port = UInt16(link.output.1)
        else { throw CocoaError(.fileReadCorruptFile) }
        self.port = port
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    var host: String { "127.0.0.1:\(port)" }
    /// The origin of the pages that it serves.
    var origin: String { "http://\(host)" }

    /// The status of a request's response.
    func status(_ lines: String..., body: String = "") throws -> Int {
        let client = try Client(port: port)
        client.write(Data((lines + ["Connection: close", "", body]).joined(separator: "\r\n").utf8))
        let words = client.read(until: "\r\n").split(separator: " ")
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    /// Opens a WebSocket; the response's head is returned too.
    func webSocket(origin: String? = nil, host: String? = nil, path: String = "/events", _ lines: String...) throws
        -> (client: Client, head: String)
    {
        let client = try Client(port: port)
        let head = [
            "GET \(path) HTTP/1.1", "Host: \(host ?? self.host)", "Origin: \(origin ?? self.origin)",
            "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        client.write(Data((head + lines + ["", ""]).joined(separator: "\r\n").utf8))
        return (client, client.read(until: "\r\n\r\n"))
    }
}
