import Foundation
import Testing

/// A running `touchd-web` at a port that the kernel chooses.
final class RunningWeb {
    let port: UInt16
    /// Its messages.
    let errors: URL
    private let program: Server
    /// The folder of its files.
    let folder: TemporaryFolder

    /// - Parameter settings: The text of web.yaml; `FOLDER` is replaced by that of its `files`.
    init(control: String, settings: String = "", files: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        for (name, text) in files { _ = try folder.file(name, text) }
        let settings = try folder.file("web.yaml", settings.replacing("FOLDER", with: folder.url.path))
        errors = try folder.file("errors", "")
        program = try Server(
            [TouchdProgram.path + "-web", "--settings", settings.path, "--socket", control, "--listen", "0"],
            errors: errors)
        guard let link = program.line()?.firstMatch(of: /serving http:\/\/127\.0\.0\.1:(\d+)\/touchd\.js/),
            let port = UInt16(link.output.1)
        else { throw CocoaError(.fileReadCorruptFile) }
        self.port = port
    }

    /// The most memory that it has used, in KiB (proc_pid_status(5), VmHWM).
    func peakMemory() throws -> Int {
        let status = try String(contentsOf: program.systemFolder.appending(path: "status"), encoding: .utf8)
        guard let match = status.firstMatch(of: /VmHWM:\s+(\d+) kB/), let size = Int(match.output.1) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return size
    }

    var host: String { "127.0.0.1:\(port)" }
    /// The origin of the pages that it serves.
    var origin: String { "http://\(host)" }

    /// The status of a request's response.
    func status(_ lines: String..., body: String = "") throws -> Int {
        let client = try Connection(port: port)
        client.write((lines + ["Connection: close", "", body]).joined(separator: "\r\n"))
        let words = client.read(until: "\r\n").split(separator: " ")
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    /// Opens a WebSocket; the response's head is returned too.
    func webSocket(
        origin: String? = nil, host: String? = nil, path: String = "/events", version: Int = 13, _ lines: String...
    ) throws -> (client: Connection, head: String) {
        let client = try Connection(port: port)
        let names = ["Host: \(host ?? self.host)", "Origin: \(origin ?? self.origin)"]
        return (client, client.openWebSocket(path, names + lines, version: version))
    }
}

extension Connection {
    /// Asks for a WebSocket (RFC 6455, section 4.1); returns the response's head.
    func openWebSocket(_ path: String, _ lines: [String], version: Int = 13) -> String {
        let head = [
            "GET \(path) HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: \(version)",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        write((head + lines + ["", ""]).joined(separator: "\r\n"))
        return read(until: "\r\n\r\n")
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
        func number(_ bytes: [UInt8]?) -> Int { bytes?.reduce(0) { $0 << 8 | Int($1) } ?? 0 }
        var count = Int(head[1])
        if count >= 126 { count = number(take(count == 126 ? 2 : 8)) }
        guard let text = take(count) else { return nil }
        return head[0] == 0x88 ? "\(number(text))" : String(decoding: text, as: UTF8.self)
    }
}
