import ControlProtocol
import Foundation
import Reports

/// The beginning or the end of a touch that the inspector was told of.
nonisolated struct SeenTouch {
    var touch: InspectionRecord.Touch
    /// Seconds on the clock of the records, and since 1970.
    var time, date: Double
    /// The pages that were shown, of all screens; of each the one that was shown last comes first.
    var pages: [String]

    /// The journal's entry for it, so that what was seen is judged by the rules for journals.
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

/// The touches that the inspector was told of since it was started.
nonisolated struct SeenTouches {
    /// More than a busy kiosk has in a day; then the older half is let go.
    static let capacity = 100_000
    private static let phases: Set<String> = ["began", "ended", "cancelled"]

    private(set) var touches: [SeenTouch] = []
    private var pages: [String] = []

    /// Takes what happened; `date` is in seconds since 1970.
    mutating func add(_ record: InspectionRecord, date: Double) {
        // A touch is on the page that was shown before it had its effect.
        let before = pages.isEmpty ? record.pages ?? [] : pages
        for touch in record.touches where Self.phases.contains(touch.phase) {
            touches.append(SeenTouch(touch: touch, time: record.time, date: date, pages: before))
        }
        pages = record.pages ?? pages
        if touches.count > Self.capacity { touches.removeFirst(Self.capacity / 2) }
    }

    /// Takes that a page is shown; which one it replaces, its screen says.
    mutating func show(page: String) {
        pages.removeAll { $0 == page }
        pages.insert(page, at: 0)
    }
}
