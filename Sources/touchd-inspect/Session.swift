import ControlProtocol
import Foundation

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
