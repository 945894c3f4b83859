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
    private let program: Server

    /// A response.
    struct Answer {
        let status: Int
        let headers: String
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }

        /// Reads a response until the other side closes the connection.
        init(_ connection: Connection) {
            let bytes = connection.readToEnd()
            let end = bytes.range(of: Data("\r\n\r\n".utf8)) ?? bytes.endIndex..<bytes.endIndex
            headers = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
            status = headers.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            body = bytes[end.upperBound...]
        }
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
        program = try Server([TouchdProgram.path, "inspect", "--listen", listen] + arguments)
        var text = ""
        while !text.contains("#token="), let line = program.line() { text += line + "\n" }
        guard let link = text.firstMatch(of: /[Oo]pen http:\/\/[a-z0-9.]+:(\d+)\/#token=([A-Za-z0-9_-]+)/),
            let port = UInt16(link.output.1)
        else { throw CocoaError(.fileReadCorruptFile) }
        announcement = text
        socketPath = listen.hasPrefix("unix:") ? String(listen.dropFirst("unix:".count)) : nil
        (self.port, token) = (socketPath == nil ? port : 0, String(link.output.2))
    }

    /// The link that a browser opens.
    var link: String { "http://127.0.0.1:\(port)/#token=\(token)" }

    /// Its folder in /proc.
    var systemFolder: URL { program.systemFolder }

    /// Sends a signal and waits for the end; returns the exit status.
    func end(_ signal: Int32 = SIGTERM) -> Int32 { program.end(signal) }

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
        let connection = try connect()
        connection.write(request)
        return Answer(connection)
    }

    /// Opens a page's WebSocket with the token, as a browser sends it, and reads its first event.
    func openEvents() throws -> Connection {
        let connection = try connect()
        let offer = "Sec-WebSocket-Protocol: touchd, touchd.token.\(token)"
        let head = connection.openWebSocket("/api/events", ["Host: 127.0.0.1:\(port)", offer])
        #expect(head.hasPrefix("HTTP/1.1 101 ") && head.contains("Sec-WebSocket-Protocol: touchd\r\n"))
        #expect(connection.message() == #"{"event": "opened"}"#)
        return connection
    }

    /// Reads the events up to one with a text; returns all, a line each.
    ///
    /// - Parameter meanwhile: Called when the events are open, before any other is read.
    func events(until text: String, _ meanwhile: () throws -> Void = {}) throws -> String {
        let connection = try openEvents()
        try meanwhile()
        var lines = ""
        while !lines.contains(text), let event = connection.message() { lines += event + "\n" }
        return lines
    }

    func connect() throws -> Connection {
        try socketPath.map { try Connection(path: $0) } ?? Connection(port: port)
    }
}
