import Basics
import ControlProtocol
import Foundation

/// A parsed journal entry of touchd; invalid fields are left out.
///
/// Any program on a kiosk can write entries that look like touchd's. `journalctl -u touchd` exports only those of the
/// service.
package struct TouchdEntry: Equatable {
    package struct Touch: Equatable {
        /// The number that touchd counts from 1 in each run.
        var number: UInt64
        /// The name of the view; empty if the touch was outside named views.
        var view: String
        /// In points of the screen; nil in a private view.
        package var location: CGPoint?
        /// The screen's name; nil in a layout with one screen.
        package var screen: String?
        /// The time in seconds on the kiosk's monotonic clock, which cannot be set.
        var time: TimeInterval
        /// When journald received the entry, in seconds since 1970 on the kiosk's clock.
        var date: TimeInterval
    }

    /// One run of the service: each run counts touches from 1, and several services may run for several seats.
    struct Run: Hashable {
        var boot: String
        var process: String
        /// The systemd unit; empty if touchd was not started by systemd.
        var unit = ""
    }

    var kiosk: KioskName
    var run: Run
    /// The time when journald received it, in seconds since 1970 on the kiosk's clock.
    var date: TimeInterval
    /// The same on the clock of its boot, in microseconds; nil if the entry has none.
    var monotonic: UInt64?
    package var identity: MessageID
    /// The touch; nil in an entry about anything else.
    package var touch: Touch?
    /// Whether a gesture was recognized or began, which may take over touches of its run.
    var isGesture: Bool
    /// The device, or the layout's pattern for a missing one, with wildcards; empty in an entry about anything else.
    var device: String
    /// The layout's pattern that expected a device which is back; nil in an entry of an older touchd.
    var expected: String?
    /// Whether a device failed. One that could not be grabbed is still used, so that is only a warning.
    var isError: Bool
    /// The layout that was loaded; nil for a warning about one, which has no hash.
    var layout: LayoutName?

    /// Parses an entry; nil if it is not touchd's or lacks its date or its subject.
    package init?(_ record: JournalRecord) {
        guard let identity = record["MESSAGE_ID"].flatMap(MessageID.init) else { return nil }
        // Without a limit, one record could move the fleet's dates beyond the calendar's range.
        guard let date = record.date?.timeIntervalSince1970, (0..<Self.latestDate).contains(date) else { return nil }
        self.date = date
        monotonic = record["__MONOTONIC_TIMESTAMP"].flatMap { UInt64($0) }
        kiosk = KioskName(record)
        run = Run(boot: record["_BOOT_ID"] ?? "", process: record["_PID"] ?? "", unit: record["_SYSTEMD_UNIT"] ?? "")
        self.identity = identity
        device = record["TOUCHD_DEVICE"]?.printableName ?? ""
        expected = record["TOUCHD_EXPECTED"]?.printableName
        isError = record["PRIORITY"] == "3"
        isGesture = identity == .gestureRecognized && ["recognized", "began"].contains(record["TOUCHD_TRIGGER"])
        if [.touchBegan, .touchEnded, .touchCancelled].contains(identity) {
            guard let touch = Touch(record, date: date) else { return nil }
            self.touch = touch
        }
        if record["TOUCHD_LAYOUT_HASH"] != nil { layout = LayoutName(record) }
    }

    /// The entry of a touch that the inspector saw begin or end; nil for another phase.
    ///
    /// - Parameters:
    ///   - time: In seconds on the clock of the devices' frames.
    ///   - date: In seconds since 1970.
    package init?(_ touch: InspectionRecord.Touch, time: Double, date: Double) {
        switch touch.phase {
        case .began: identity = .touchBegan
        case .ended: identity = .touchEnded
        case .cancelled: identity = .touchCancelled
        case .moved, .stationary: return nil
        }
        guard let number = UInt64(exactly: touch.touch), (0..<Self.latestDate).contains(date) else { return nil }
        (kiosk, run) = (KioskName(JournalRecord(fields: [:])), Run(boot: "", process: ""))
        (self.date, device, isError, isGesture) = (date, "", false, false)
        let location = touch.x.flatMap { x in touch.y.map { CGPoint(x: x, y: $0) } }
        self.touch = Touch(
            number: number, view: touch.view?.printableName ?? "", location: location.flatMap(Touch.checked),
            screen: touch.screen, time: (0..<1e10).contains(time) ? time : date, date: date)
    }

    /// The year 2200.
    private static let latestDate: TimeInterval = 7_258_118_400
}

extension TouchdEntry.Touch {
    /// A location within the limits of screens; nil beyond.
    fileprivate static func checked(_ location: CGPoint) -> CGPoint? {
        abs(location.x) < 1_000_000 && abs(location.y) < 1_000_000 ? location : nil
    }

    fileprivate init?(_ record: JournalRecord, date: TimeInterval) {
        guard let number = record["TOUCHD_TOUCH"].flatMap({ UInt64($0) }) else { return nil }
        self.number = number
        view = record["TOUCHD_VIEW"]?.printableName ?? ""
        location = record.location.flatMap(Self.checked)
        screen = record["TOUCHD_SCREEN"]
        let seconds = record["TOUCHD_TIME"].flatMap { TimeInterval($0) } ?? .nan
        time = (0..<1e10).contains(seconds) ? seconds : date
        self.date = date
    }
}

extension String {
    /// Longer names are cut: systemd's host names have at most 64 characters, and names in layouts are rarely longer.
    private static let greatestLength = 128

    /// A short, printable form of a name from a journal. Anybody who can write to the journal chooses its names.
    var printableName: String { String(UnicodeScalarView(unicodeScalars.prefix(Self.greatestLength))).printable }
}
