import ControlProtocol
import Foundation
import Layout

/// What the inspector looks at: a running touchd, or a recording.
protocol Session: AnyObject {
    /// Everything but what happens: for a page that opens, or that was told that something else changed.
    func overview() async -> Overview
    /// How the running touchd is; nil of a recording.
    func status() async throws -> StatusReport?
    /// Has what is down told again, since a page has opened or missed something; a recording has nothing to tell.
    func tellAnew() async throws
    /// What happened, of a recording, as a JSON array of `InspectionRecord`; empty of a running touchd.
    var records: [UInt8] { get }
    /// Asks what would take a touch.
    func answer(_ question: WhatIf) async throws -> HitReport
    /// What is to be written into the layout's file for a trial.
    func yaml(for trial: Trial) async throws -> String
    /// Where it was touched today, or while somebody looked.
    func dayMap() async throws -> DayMap
    /// What was kept of a touchscreen's last minutes.
    func export(_ question: RecordingExport.Question) async throws -> RecordingExport
    /// Has a running touchd do something.
    func perform(_ request: ControlRequest) async throws
}

/// What the page shows beside what happens.
nonisolated struct Overview: Encodable {
    /// `live` or `recording`.
    var mode: String
    /// The socket's path, or the recording's.
    var source: String
    /// What keeps something from being shown, in words for people.
    var problems: [String] = []
    /// The layout's file, and what is in it; absent where it cannot be read.
    var file: String?
    var layout: InspectedLayout?
    /// The screens with the pages they show, and the views that are not as the file has them.
    var screens: [LayoutState.Screen] = []
    var views: [InspectionRecord.ViewState] = []
    /// The devices.
    var devices: [DeviceState] = []
    /// The state of the running touchd; absent of a recording.
    var status: StatusReport?
    /// How long the recording is, in seconds; absent of a running touchd.
    var duration: Double?
}

/// Why the inspector cannot do what the page asks for.
nonisolated struct SessionError: Error, CustomStringConvertible {
    /// The reason, and what to do.
    let description: String

    init(_ description: String) { self.description = description }
}
