import ControlProtocol
import Foundation
import Layout

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
nonisolated struct Overview: Encodable {
    /// `live` or `recording`.
    var mode: String
    /// The socket's path, or the recording's.
    var source: String
    /// Reasons why something cannot be shown, for people.
    var problems: [String] = []
    /// The layout's file and its content; absent if it cannot be read.
    var file: String?
    var layout: InspectedLayout?
    /// The screens with the pages they show, and the views that differ from the file.
    var screens: [LayoutState.Screen] = []
    var views: [InspectionRecord.ViewState] = []
    /// The devices.
    var devices: [DeviceState] = []
    /// The status of the running touchd; absent for a recording.
    var status: StatusReport?
    /// The duration of the recording in seconds; absent for a running touchd.
    var duration: Double?
}

/// Why the inspector cannot do what the page asks for.
nonisolated struct SessionError: Error, CustomStringConvertible {
    /// The reason and how to fix it.
    let description: String

    init(_ description: String) { self.description = description }
}
