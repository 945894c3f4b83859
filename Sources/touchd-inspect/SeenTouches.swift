import ControlProtocol
import Reports

/// The begin or end of a touch that the inspector saw.
struct SeenTouch {
    var entry: TouchdEntry
    /// The pages of all screens that were shown; for each screen the most recent one comes first.
    var pages: [String]
}

/// The touches that the inspector has seen since it started.
struct SeenTouches {
    /// More than a busy kiosk has in a day; beyond it the older half is dropped.
    static let capacity = 100_000

    private(set) var touches: [SeenTouch] = []
    private var pages: [String] = []

    /// Adds the touches of a record; `date` is in seconds since 1970.
    mutating func add(_ record: InspectionRecord, date: Double) {
        // A touch belongs to the page that was shown before the touch had its effect.
        let before = pages.isEmpty ? record.pages ?? [] : pages
        for touch in record.touches {
            guard let entry = TouchdEntry(touch, time: record.time, date: date) else { continue }
            touches.append(SeenTouch(entry: entry, pages: before))
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
