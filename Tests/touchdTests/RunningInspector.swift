import Foundation

/// A `touchd inspect` that goes on while a test asks it, over sockets of the test's own.
final class RunningInspector {
    /// The port it listens at, and the token of its link.
    let port: UInt16
    let token: String
    private let process = Process()

    /// What came back for a request.
    struct Answer {
        let status: Int
        let headers: String
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    init(_ arguments: String...) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: TouchdProgram.path)
        process.currentDirectoryURL = TouchdProgram.root
        process.arguments = ["inspect", "--listen", "0"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.contains("\n") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw CocoaError(.fileReadUnknown) }
            text += String(decoding: piece, as: UTF8.self)
        }
        guard let link = text.firstMatch(of: /Open http:\/\/127\.0\.0\.1:(\d+)\/#token=([0-9a-f]+)\n/),
            let port = UInt16(link.output.1)
        else { throw CocoaError(.fileReadCorruptFile) }
        (self.port, token) = (port, String(link.output.2))
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// The link that a browser opens.
    var link: String { "http://127.0.0.1:\(port)/#token=\(token)" }

    /// Sends it a signal and waits for its end; answers its exit status.
    func end(_ signal: Int32 = SIGTERM) -> Int32 {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }

    /// Asks with the token, as the page does.
    func ask(_ path: String, _ body: String? = nil) throws -> Answer {
        let content = body.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n" } ?? ""
        return try send(
            """
            \(body == nil ? "GET" : "POST") \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r
            Authorization: Bearer \(token)\r\n\(content)\r\n\(body ?? "")
            """)
    }

    /// The answer to a question as JSON.
    func json(_ path: String, _ body: String? = nil) throws -> NSDictionary {
        let answer = try ask(path, body)
        guard answer.status == 200, let json = try JSONSerialization.jsonObject(with: answer.body) as? NSDictionary
        else {
            throw CocoaError(.coderReadCorrupt, userInfo: [NSLocalizedDescriptionKey: answer.text])
        }
        return json
    }

    /// Sends bytes as they are and reads until the other side hangs up.
    func send(_ request: String) throws -> Answer {
        let descriptor = try connect()
        defer { close(descriptor) }
        write(request, to: descriptor)
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

    /// Reads the stream of events until it holds a text; answers what came.
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

    private func connect() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let failed = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard failed == 0 else { throw CocoaError(.fileReadUnknown) }
        // An inspector that says nothing fails the test instead of keeping it waiting.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    private func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private func read(_ descriptor: Int32) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? Data(bytes[..<count]) : nil
    }
}
