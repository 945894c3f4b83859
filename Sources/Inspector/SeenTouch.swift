import ControlProtocol
import Foundation
import Reports

/// The begin or end of a touch that the inspector saw.
nonisolated struct SeenTouch {
    var touch: InspectionRecord.Touch
    /// The time in seconds on the clock of the records, and the date in seconds since 1970.
    var time, date: Double
    /// The pages of all screens that were shown; for each screen the most recent one comes first.
    var pages: [String]

    /// The equivalent journal entry, so that the rules for journals apply to touches that were seen.
    func record(page: String?) -> JournalRecord {
        let identity: MessageID =
            switch touch.phase {
            case "began": .touchBegan
            case "ended": .touchEnded
            default: .touchCancelled
            }
        var fields = [
            "MESSAGE_ID": identity.rawValue, "TOUCHD_TOUCH": "\(touch.touch)", "TOUCHD_VIEW": touch.view ?? "",
            "TOUCHD_TIME": "\(time)", "__REALTIME_TIMESTAMP": "\(Int64(date * 1_000_000))",
        ]
        if let page { fields["TOUCHD_PAGE"] = page }
        if let screen = touch.screen { fields["TOUCHD_SCREEN"] = screen }
        if let x = touch.x, let y = touch.y {
            fields["TOUCHD_X"] = "\(x)"
            fields["TOUCHD_Y"] = "\(y)"
        }
        return JournalRecord(fields: fields)
    }
}

/// The touches that the inspector has seen since it started.
nonisolated struct SeenTouches {
    /// More than a busy kiosk has in a day; beyond it the older half is dropped.
    static let capacity = 100_000
    private static let phases: Set<String> = ["began", "ended", "cancelled"]

    private(set) var touches: [SeenTouch] = []
    private var pages: [String] = []

    /// Adds the touches of a record; `date` is in seconds since 1970.
    mutating func add(_ record: InspectionRecord, date: Double) {
        // A touch belongs to the page that was shown before the touch had its effect.
        let before = pages.isEmpty ? record.pages ?? [] : pages
        for touch in record.touches where Self.phases.contains(touch.phase) {
            touches.append(SeenTouch(touch: touch, time: record.time, date: date, pages: before))
        }
        pages = record.pages ?? pages
        if touches.count > Self.capacity { touches.removeFirst(Self.capacity / 2) }
    }

    /// Records that a page is shown; it replaces the page of the same screen.
    mutating func show(page: String) {
        pages.removeAll { $0 == page }
        pages.insert(page, at: 0)
    }
}
