import ControlProtocol
import Foundation
import Layout

/// The source of the inspector: a running touchd, or a recording.
@MainActor
protocol Session: AnyObject {
    /// Everything except events, for a page that opens or that learned of a change.
    func overview() async -> Overview
    /// The status of the running touchd; nil for a recording.
    func status() async throws -> StatusReport?
    /// Requests the current touches as events again, because a page has opened or missed some; does nothing for a
    /// recording.
    func sendSnapshot() async throws
    /// The events of a recording, as a JSON array of `InspectionRecord`; empty for a running touchd.
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
struct Overview: JSONRecord {
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
struct SessionError: Error, CustomStringConvertible {
    /// The reason and how to fix it.
    let description: String

    init(_ description: String) { self.description = description }
}

/// A recording of a touchscreen's last minutes, which the page offers for a bug report.
struct RecordingExport: JSONRecord, Equatable {
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
}
