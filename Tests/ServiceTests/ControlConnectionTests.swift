@testable import ControlProtocol
import Foundation
import Testing

@testable import Service

/// The client's end of the control socket, with a touchd that listens and does nothing.
@Suite("A connection to a touchd that does not answer") struct ControlConnectionTests {
    private let path = FileManager.default.temporaryDirectory
        .appending(path: "touchd-\(UUID().uuidString.prefix(8)).stuck").path
    private let socket: ListeningSocket

    init() throws { socket = try ListeningSocket(path: path) }

    private func accepted() throws -> Int32 {
        let client = accept(socket.descriptor, nil, nil)
        try #require(client >= 0)
        return client
    }

    @Test("a request times out with an error, and its connection closes")
    func silence() throws {
        let connection = try ControlConnection(path: path, timeout: .milliseconds(20))
        let failure = #expect(throws: ControlConnectionError.noAnswer(after: .milliseconds(20))) {
            try connection.send(.status)
        }
        #expect(failure?.description.contains("a handler may be stuck: see 'journalctl -u touchd'") == true)
        #expect(throws: ControlConnectionError.closed) { try connection.nextEvent() }
    }

    @Test("events before a response do not extend its timeout, and are kept")
    func eventsOnly() throws {
        let connection = try ControlConnection(path: path, timeout: .milliseconds(20))
        let client = try accepted()
        defer { close(client) }
        let event = Array("{\"event\": \"page\"}\n".utf8)
        #expect(send(client, event, event.count, Int32(MSG_NOSIGNAL)) == event.count)
        #expect(throws: ControlConnectionError.noAnswer(after: .milliseconds(20))) {
            try connection.send(.status)
        }
        #expect(try connection.nextEvent() == event.dropLast())
    }

    @Test("a connection request times out if the listen queue is full")
    func crowd() throws {
        var connections: [ControlConnection] = []
        let failure = #expect(throws: ControlConnectionError.self) {
            // The kernel accepts one more than the backlog of listen(2).
            for _ in 0..<200 { connections.append(try ControlConnection(path: path, timeout: .milliseconds(20))) }
        }
        #expect(failure == .noAnswer(after: .milliseconds(20)))
    }

    @Test(
        "an invalid response, or one of a later protocol, is reported as such",
        arguments: [
            "rubbish", "[]", "{\"result\": {\"uptime\": \"long\"}}",
            "{\"error\": {\"code\": \"of-a-later-version\", \"message\": \"no\"}}",
        ])
    func strangeAnswer(line: String) throws {
        let connection = try ControlConnection(path: path)
        let client = try accepted()
        defer { close(client) }
        let bytes = Array("\(line)\n".utf8)
        #expect(send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        let failure = #expect(throws: ControlConnectionError.self) { try connection.status() }
        guard case .notAnAnswer? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("a recording ends if the number of its next part is invalid", arguments: ["1e300", "-1e300", "1e400", "0.5"])
    func strangePart(number: String) throws {
        let connection = try ControlConnection(path: path)
        let client = try accepted()
        defer { close(client) }
        let bytes = Array("{\"result\": {\"text\": \"a\", \"next\": \(number)}}\n".utf8)
        #expect(send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        var text = ""
        try connection.recording { text += $0 }
        #expect(text == "a")
    }
}
