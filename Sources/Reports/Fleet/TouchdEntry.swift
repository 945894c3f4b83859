import ControlProtocol
import Foundation

/// A parsed journal entry of touchd; invalid fields are left out.
///
/// Any program on a kiosk can write entries that look like touchd's. `journalctl -u touchd` exports only those of the
/// service.
struct TouchdEntry {
    /// The event in an entry.
    enum Event {
        case began(Touch)
        case ended(Touch)
        case cancelled(Touch)
        case deviceAdded(String)
        case deviceRemoved(String)
        case deviceFailed(String)
        /// The name is the layout's pattern, with wildcards.
        case deviceMissed(String)
        case deviceSilent(String)
        case deviceBack(String)
        case layoutLoaded(LayoutName)
        /// Any other entry of touchd.
        case other
    }

    /// The fields of a touch.
    struct Touch {
        /// The number that touchd counts from 1 in each run.
        var number: UInt64
        /// The name of the view; empty if the touch was outside named views.
        var view: String
        /// In points of the screen; nil in a private view.
        var location: CGPoint?
        /// The screen's name; nil in a layout with one screen.
        var screen: String?
        /// The time in seconds on the kiosk's monotonic clock, which cannot be set.
        var time: TimeInterval
    }

    /// One run of the service: each run counts touches from 1, and several services may run for several seats.
    struct Run: Hashable {
        var boot: String
        var process: String
    }

    var kiosk: KioskName
    var run: Run
    /// The time when journald received it, in seconds since 1970 on the kiosk's clock.
    var date: TimeInterval
    var event: Event

    /// Parses an entry; nil if it is not touchd's or lacks its date or its subject.
    init?(_ record: JournalRecord) {
        guard let identity = record["MESSAGE_ID"].flatMap(MessageID.init) else { return nil }
        // Without a limit, one record could move the fleet's dates beyond the calendar's range.
        guard let date = record.date?.timeIntervalSince1970, (0..<Self.latestDate).contains(date) else { return nil }
        self.date = date
        kiosk = KioskName(record)
        run = Run(boot: record["_BOOT_ID"] ?? "", process: record["_PID"] ?? "")
        let device = PrintableName(record["TOUCHD_DEVICE"]).text
        switch identity {
        case .touchBegan, .touchEnded, .touchCancelled:
            guard let touch = Touch(record, date: date) else { return nil }
            event =
                identity == .touchBegan ? .began(touch) : identity == .touchEnded ? .ended(touch) : .cancelled(touch)
        case .deviceAdded: event = .deviceAdded(device)
        case .deviceRemoved: event = .deviceRemoved(device)
        // A device that could not be grabbed is still used, so that is only a warning.
        case .deviceFailed: event = record["PRIORITY"] == "3" ? .deviceFailed(device) : .other
        // Warnings about the layout have the same ID, but no hash.
        case .layoutLoaded:
            event = record["TOUCHD_LAYOUT_HASH"] == nil ? .other : .layoutLoaded(LayoutName(record))
        case .deviceAbsent: event = .deviceMissed(device)
        case .deviceSilent: event = .deviceSilent(device)
        case .deviceBack: event = .deviceBack(device)
        default: event = .other
        }
    }

    /// The year 2200.
    private static let latestDate: TimeInterval = 7_258_118_400
}

extension TouchdEntry.Touch {
    fileprivate init?(_ record: JournalRecord, date: TimeInterval) {
        guard let number = record["TOUCHD_TOUCH"].flatMap({ UInt64($0) }) else { return nil }
        self.number = number
        view = PrintableName(record["TOUCHD_VIEW"]).text
        location = record.location.flatMap { abs($0.x) < 1_000_000 && abs($0.y) < 1_000_000 ? $0 : nil }
        screen = record["TOUCHD_SCREEN"]
        let seconds = record["TOUCHD_TIME"].flatMap { TimeInterval($0) } ?? .nan
        time = (0..<1e10).contains(seconds) ? seconds : date
    }
}
