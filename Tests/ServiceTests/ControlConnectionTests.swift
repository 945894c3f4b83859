@testable import ControlProtocol
import Foundation
import Testing

@testable import Service

/// A program's side of the control socket, with a touchd that listens and does nothing.
@Suite("A connection to a touchd that does not answer") struct ControlConnectionTests {
    private let path = FileManager.default.temporaryDirectory
        .appending(path: "touchd-\(UUID().uuidString.prefix(8)).stuck").path
    private let socket: ListeningSocket

    init() throws { socket = try ListeningSocket(path: path) }

    @Test("a request is given up when its time is over, and says so; the connection is over")
    func silence() throws {
        let connection = try ControlConnection(path: path, patience: .milliseconds(20))
        let failure = #expect(throws: ControlConnection.Failure.noAnswer(after: .milliseconds(20))) {
            try connection.send(.status)
        }
        #expect(failure?.description.contains("a handler may be stuck: see 'journalctl -u touchd'") == true)
        #expect(throws: ControlConnection.Failure.closed) { try connection.nextEvent() }
    }

    @Test("events in place of an answer do not prolong its time, but are kept no less")
    func eventsOnly() throws {
        let connection = try ControlConnection(path: path, patience: .milliseconds(20))
        let client = try #require(try socket.accept())
        defer { close(client) }
        let event = Array("{\"event\": \"page\"}\n".utf8)
        #expect(send(client, event, event.count, Int32(MSG_NOSIGNAL)) == event.count)
        #expect(throws: ControlConnection.Failure.noAnswer(after: .milliseconds(20))) {
            try connection.send(.status)
        }
        #expect(try connection.nextEvent() == Data(event.dropLast()))
    }

    @Test("where so many wait to be let in that no more may, that is given up too")
    func crowd() throws {
        var connections: [ControlConnection] = []
        let failure = #expect(throws: ControlConnection.Failure.self) {
            // The kernel lets one more wait than listen(2) was told.
            for _ in 0..<200 { connections.append(try ControlConnection(path: path, patience: .milliseconds(20))) }
        }
        #expect(failure == .noAnswer(after: .milliseconds(20)))
    }

    @Test(
        "an answer that is none of the protocol, or of a later one, is said to be so",
        arguments: [
            "rubbish", "[]", "{\"result\": {\"uptime\": \"long\"}}",
            "{\"error\": {\"code\": \"of-a-later-version\", \"message\": \"no\"}}",
        ])
    func strangeAnswer(line: String) throws {
        let connection = try ControlConnection(path: path)
        let client = try #require(try socket.accept())
        defer { close(client) }
        let bytes = Array("\(line)\n".utf8)
        #expect(send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        let failure = #expect(throws: ControlConnection.Failure.self) { try connection.status() }
        guard case .notAnAnswer? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }
}
