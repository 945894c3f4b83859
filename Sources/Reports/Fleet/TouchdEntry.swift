import ControlProtocol
import Foundation

/// A journal entry of touchd as a report understands it; what makes no sense in it is left out.
///
/// Any program of a kiosk can write entries that look like touchd's. `journalctl -u touchd` exports those of the service
/// alone.
struct TouchdEntry {
    /// What an entry says.
    enum Event {
        case began(Touch)
        case ended(Touch)
        case cancelled(Touch)
        case deviceAdded(String)
        case deviceRemoved(String)
        case deviceFailed(String)
        /// The name is the one the layout has for it, wildcards and all.
        case deviceMissed(String)
        case deviceSilent(String)
        case deviceBack(String)
        /// Any other entry of touchd.
        case other
    }

    /// A touch as one of its entries has it.
    struct Touch {
        /// Counted by touchd from 1, anew in each run.
        var number: UInt64
        /// The name of the view; empty where the touch was on none.
        var view: String
        /// In points of the screen; nil in a private view.
        var location: CGPoint?
        /// The screen's name; nil in a layout of one.
        var screen: String?
        /// When it happened, in seconds of the kiosk's monotonic clock, which nobody sets.
        var time: TimeInterval
    }

    /// One run of the service: touches are counted from 1 in each, and several may run for several seats.
    struct Run: Hashable {
        var boot: String
        var process: String
    }

    var kiosk: KioskName
    var run: Run
    /// When journald took it, in seconds since 1970 of the kiosk's own clock.
    var date: TimeInterval
    var event: Event

    /// Understands an entry; nil where it is not touchd's, or says neither when it was written nor what of.
    init?(_ record: JournalRecord) {
        guard let identity = record["MESSAGE_ID"].flatMap(MessageID.init) else { return nil }
        // Without a bound, one record could move the whole fleet's dates beyond what a calendar holds.
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
        // A device that could not be grabbed is used all the same, and only a warning.
        case .deviceFailed: event = record["PRIORITY"] == "3" ? .deviceFailed(device) : .other
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
