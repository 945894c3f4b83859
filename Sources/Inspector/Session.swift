import ControlProtocol
import EventLoop
import Foundation
import Layout
import WebServer

/// The source of the inspector: a running touchd, or a recording.
protocol Session: AnyObject {
    /// Everything except events, for a page that opens or that learned of a change.
    func overview() async -> Overview
    /// The status of the running touchd; nil for a recording.
    func status() async throws -> StatusReport?
    /// Requests the current touches as events again, because a page has opened or missed some; does nothing for a
    /// recording.
    func sendSnapshot() async throws
    /// What happened, of a recording, as a JSON array of `InspectionRecord`; empty of a running touchd.
    var records: [UInt8] { get }
    /// Asks what would take a touch.
    func answer(_ question: WhatIf) async throws -> HitReport
    /// The YAML to write into the layout's file for a trial.
    func yaml(for trial: Trial) async throws -> String
    /// The places touched today, or since the inspector started.
    func dayMap() async throws -> DayMap
    /// The kept recording of a touchscreen's last minutes.
    func export(_ question: RecordingExport.Question) async throws -> RecordingExport
    /// Sends a request to the running touchd.
    func perform(_ request: ControlRequest) async throws
}

/// The content of the page apart from events.
nonisolated struct Overview: JSONRecord {
    var mode: String, source: String
    var problems: [String] = [], file: String?, layout: InspectedLayout?
    var screens: [LayoutState.Screen] = [], views: [InspectionRecord.ViewState] = [], devices: [DeviceState] = []
    var status: StatusReport?, duration: Double?

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("mode", "`live` or `recording`", \.mode)
        visitor.member("source", "the socket's path, or the recording's", \.source)
        visitor.member("problems", "reasons why something cannot be shown, for people", \.problems)
        visitor.member("file", "the layout's file; absent if it cannot be read", \.file)
        visitor.member("layout", "the file's content") { $0.layout }
        visitor.member("screens", "the screens with the pages they show", \.screens)
        visitor.member("views", "the views that differ from the file", \.views)
        visitor.member("devices", "the devices", \.devices)
        visitor.member("status", "the status of the running touchd; absent for a recording", \.status)
        visitor.member("duration", .seconds, "the duration of the recording; absent for a running touchd", \.duration)
    }
}

/// Why the inspector cannot do what the page asks for.
nonisolated struct SessionError: Error, CustomStringConvertible {
    /// The reason and how to fix it.
    let description: String

    init(_ description: String) { self.description = description }
}

/// A recording of a touchscreen's last minutes, which the page offers for a bug report.
nonisolated struct RecordingExport: JSONRecord, Equatable {
    var file: String, text: String

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("file", "the suggested name, without characters that are invalid in file names", \.file)
        visitor.member("text", "evemu text; touchd leaves out contacts in private views", \.text)
    }

    /// Which touchscreen to export.
    struct Question: JSONMessage, Equatable {
        var source: UInt32?

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("source", "the number of the touchscreen; absent if there is only one", \.source)
        }
    }

    /// Requests the recording from a running touchd.
    init(of source: UInt32?, from connection: ControlConnection) throws {
        var text = ""
        try connection.recording(of: source) { text += $0 }
        file = source.map { "touches-\($0).evemu" } ?? "touches.evemu"
        self.text = text
    }
}

/// Serves the page to browsers.
///
/// Responses are created on the main actor; `WebServer` reads requests and writes responses on its own thread.
package final class InspectorServer {
    private let address: ListenAddress
    private let answers: PageAnswers
    private let server: WebServer
    private var pulse: RunLoopTimer?

    /// Creates a server for a running touchd. It does not listen yet.
    package convenience init(_ session: LiveSession, address: ListenAddress, token: AccessToken) {
        self.init(of: session, address: address, token: token)
        session.onEvent = { [answers] line in answers.send(line) }
    }

    /// Creates a server for a recording. It does not listen yet.
    package convenience init(_ session: RecordedSession, address: ListenAddress, token: AccessToken) {
        self.init(of: session, address: address, token: token)
    }

    private init(of session: any Session, address: ListenAddress, token: AccessToken) {
        self.address = address
        let answers = PageAnswers(session)
        self.answers = answers
        server = WebServer(at: .address(address), access: .ownPage(token)) { await answers.answer($0) }
    }

    /// Listens and answers until the process ends. Only its owner can connect to a local socket.
    ///
    /// - Returns: The port; 0 for a local socket.
    package func listen() async throws(InspectorServerError) -> UInt16 {
        do {
            if case .unix(let path) = address { try LocalAddress.makeRoom(at: path) }
            let port = try await server.listen()
            // Only a write shows that a page has gone.
            let pulse = RunLoopTimer(name: "inspector pulse", after: .seconds(15), repeating: .seconds(15)) {
                [answers] _ in answers.sendPulse()
            }
            EpollRunLoop.main.add(pulse)
            self.pulse = pulse
            return port
        } catch ListeningSocketError.isTaken {
            throw InspectorServerError(address: address, reason: "another process listens there")
        } catch ListeningSocketError.isNoSocket {
            throw InspectorServerError(address: address, reason: "the file there is not a socket and is not replaced")
        } catch ListeningSocketError.isNoAddress {
            throw InspectorServerError(
                address: address,
                reason: "a socket's path must be at most \(LocalAddress.lengths.upperBound) bytes long")
        } catch ListeningSocketError.refused(_, let error) {
            throw InspectorServerError(address: address, reason: error.reason)
        } catch {
            throw InspectorServerError(address: address, reason: "\(error)")
        }
    }

    /// Removes the local socket, if the server listened at one.
    package func removeSocket() {
        if case .unix(let path) = address { unlink(path) }
    }
}

/// Why an inspector cannot listen.
package struct InspectorServerError: Error, CustomStringConvertible {
    let address: ListenAddress
    let reason: String

    /// The error and how to fix it.
    package var description: String {
        "cannot listen at \(address.text): \(reason); choose another address with --listen"
    }
}
