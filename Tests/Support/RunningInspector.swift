import Foundation
import Testing

/// A running `touchd inspect` with the test's own sockets.
final class RunningInspector {
    /// Its port, 0 for a local socket, and the token in its link.
    let port: UInt16
    let token: String
    /// Its output.
    let announcement: String
    private let socketPath: String?
    private let process = Process()

    /// A response.
    struct Answer {
        let status: Int
        let headers: String
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// The ticket machine, and a recording of its visitors.
    static let layout = "config/examples/ticket-machine.yaml"
    static let recording = "config/examples/recordings/ticket-machine.evemu"

    /// Starts an inspector of the ticket machine's recording.
    static func ofRecording() throws -> RunningInspector {
        try RunningInspector("--layout", layout, "--replay", recording)
    }

    /// Starts an inspector at a port that the kernel chooses, or at a given address.
    init(_ arguments: String..., listen: String = "0") throws {
        let output = Pipe()
        process.executableURL = URL(filePath: TouchdProgram.path)
        process.currentDirectoryURL = TouchdProgram.root
        process.arguments = ["inspect", "--listen", listen] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.contains("\n") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw CocoaError(.fileReadUnknown) }
            text += String(decoding: piece, as: UTF8.self)
        }
        guard let link = text.firstMatch(of: /[Oo]pen http:\/\/[a-z0-9.]+:(\d+)\/#token=([A-Za-z0-9_-]+)/),
            let port = UInt16(link.output.1)
        else { throw CocoaError(.fileReadCorruptFile) }
        announcement = text
        socketPath = listen.hasPrefix("unix:") ? String(listen.dropFirst("unix:".count)) : nil
        (self.port, token) = (socketPath == nil ? port : 0, String(link.output.2))
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The link that a browser opens.
    var link: String { "http://127.0.0.1:\(port)/#token=\(token)" }

    /// Its folder in /proc.
    var systemFolder: URL { URL(filePath: "/proc/\(process.processIdentifier)") }

    /// Sends a signal and waits for the end; returns the exit status.
    func end(_ signal: Int32 = SIGTERM) -> Int32 {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }

    /// Sends a request with the token, as the page does.
    func ask(_ path: String, _ body: String? = nil) throws -> Answer {
        let content = body.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n" } ?? ""
        return try send(
            """
            \(body == nil ? "GET" : "POST") \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r
            Authorization: Bearer \(token)\r\n\(content)\r\n\(body ?? "")
            """)
    }

    /// The response to a request as JSON.
    func json(_ path: String, _ body: String? = nil) throws -> NSDictionary {
        let answer = try ask(path, body)
        guard answer.status == 200, let json = try JSONSerialization.jsonObject(with: answer.body) as? NSDictionary
        else {
            throw CocoaError(.coderReadCorrupt, userInfo: [NSLocalizedDescriptionKey: answer.text])
        }
        return json
    }

    /// Sends unmodified bytes and reads until the other side closes the connection.
    func send(_ request: String) throws -> Answer {
        let descriptor = try connect()
        defer { close(descriptor) }
        write(request, to: descriptor)
        return answer(on: descriptor)
    }

    /// Reads a response until the other side closes the connection.
    func answer(on descriptor: Int32) -> Answer {
        var bytes = Data()
        while let piece = read(descriptor) { bytes += piece }
        let parts = String(decoding: bytes, as: UTF8.self)
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)),
            let status = parts.split(separator: " ").dropFirst().first
        else { return Answer(status: 0, headers: parts, body: Data()) }
        return Answer(
            status: Int(status) ?? 0, headers: String(decoding: bytes[..<end.lowerBound], as: UTF8.self),
            body: bytes[end.upperBound...])
    }

    /// Reads the event stream until it contains a text; returns everything read.
    ///
    /// - Parameter meanwhile: Called when the stream is open, before anything is read.
    func events(until text: String, _ meanwhile: () throws -> Void = {}) throws -> String {
        let descriptor = try connect()
        defer { close(descriptor) }
        write(
            "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(token)\r\n\r\n",
            to: descriptor)
        var told = ""
        while !told.contains("still here"), let piece = read(descriptor) {
            told += String(decoding: piece, as: UTF8.self)
        }
        try meanwhile()
        while !told.contains(text), let piece = read(descriptor) { told += String(decoding: piece, as: UTF8.self) }
        return told
    }

    /// Opens a connection, which the caller closes.
    func connect() throws -> Int32 {
        let descriptor = socket(socketPath == nil ? AF_INET : AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        func connect<Address>(to address: Address) -> Int32 {
            withUnsafeBytes(of: address) { bytes in
                // Both kinds of address start with their family, as `sockaddr` does.
                guard let start = bytes.bindMemory(to: sockaddr.self).baseAddress else { return -1 }
                return Foundation.connect(descriptor, start, socklen_t(bytes.count))
            }
        }
        let failed: Int32
        if let socketPath {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
            failed = connect(to: address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            failed = connect(to: address)
        }
        guard failed == 0 else {
            close(descriptor)
            throw CocoaError(.fileReadUnknown)
        }
        // A silent inspector fails the test instead of blocking it.
        var limit = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    /// Writes as much of a text as the other side accepts.
    func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// The next bytes; nil when the other side has closed the connection.
    func read(_ descriptor: Int32) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count < 0 { Issue.record("the inspector said nothing more: \(String(cString: strerror(errno)))") }
        return count > 0 ? Data(bytes[..<count]) : nil
    }
}
