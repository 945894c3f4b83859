import ControlProtocol
import Foundation
import Layout
import Reports

/// The places touched today on a kiosk, which the page draws over the layout.
///
/// A touch in a private view is counted without its place. Private views are not listed as untouched either, because a
/// list of unused keys would reveal something about the used ones.
struct DayMap: JSONRecord, Equatable {
    /// The source of the touches.
    enum Source: String, JSONValue {
        /// All touches in the journal since midnight.
        case journal
        /// The touches seen since the inspector started.
        case opened
        /// A whole recording.
        case recording
    }

    /// A page of a screen with the touches that began while it was shown.
    struct Place: JSONRecord, Equatable {
        var screen, page: String?
        var cells: [Heatmap.Square]

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("screen", "the screen's name, if the layout has several", \.screen)
            visitor.member("page", "the page's name, if the layout has pages", \.page)
            visitor.member("cells", "in rows from the top, each from the left") { $0.cells }
        }
    }

    var source: Source
    var reason: String?
    var touches: Int, cellSize: Double, places: [Place], untouched: [String], ghosts: [GhostSuspect]

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("source", "`journal`, `opened` or `recording`", \.source)
        visitor.member("reason", "why the source is not the journal", \.reason)
        visitor.member("touches", "the number of touches that began, including private ones", \.touches)
        visitor.member("cellSize", .points, "the side of a square", \.cellSize)
        visitor.member("places", "the pages that were touched, with their screens and names") { $0.places }
        visitor.member("untouched", "the ids of the enabled views that were not touched", \.untouched)
        visitor.member("ghosts", "touches that probably no person made") { $0.ghosts }
    }
}

/// Counts a day's touches, in constant memory.
struct DayMapTally {
    private struct Place: Hashable {
        var screen, page: String?
    }

    private var fleet: FleetTally
    private var heat: [Place: Heatmap] = [:]
    private(set) var touches = 0
    private let sizes: [String?: CGSize]
    /// The pages, each with the screen that shows it.
    private let pages: [String: String?]

    /// Creates a tally for a layout.
    init(_ document: LayoutDocument) {
        let zones = LayoutZones(document)
        fleet = FleetTally(layout: zones)
        sizes = zones.sizes
        let first = document.screens[0].name
        pages = Dictionary(document.pages.map { ($0.name, $0.screen ?? first) }) { $1 }
    }

    /// Counts a touch in a journal entry. A touch on a page that the layout no longer has gets no place; other entries
    /// are ignored.
    mutating func add(_ record: JournalRecord) {
        if let entry = TouchdEntry(record) { add(entry, page: record["TOUCHD_PAGE"]) }
    }

    private mutating func add(_ entry: TouchdEntry, page: String?) {
        fleet.add(entry)
        guard entry.identity == .touchBegan, let touch = entry.touch else { return }
        touches += 1
        let place = Place(screen: touch.screen, page: page)
        guard let location = touch.location, let size = sizes[place.screen],
            CGRect(origin: .zero, size: size).contains(location), place.page.map({ pages[$0] != nil }) ?? true
        else { return }
        heat[place, default: Heatmap()].add(location)
    }

    /// Counts a touch that the inspector saw.
    mutating func add(_ touch: SeenTouch) {
        // The first is the newest of its screen; with several screens, each touch names its screen.
        let screen = touch.entry.touch?.screen
        add(touch.entry, page: touch.pages.first { name in screen == nil || pages[name] == .some(screen) })
    }

    /// The resulting map.
    func map(_ source: DayMap.Source, reason: String? = nil) -> DayMap {
        let places = heat.map { place, heat in
            DayMap.Place(screen: place.screen, page: place.page, cells: heat.squares)
        }.sorted { ($0.screen ?? "", $0.page ?? "") < ($1.screen ?? "", $1.page ?? "") }
        // One machine's journal belongs to one kiosk, unless the kiosk was renamed today.
        let kiosks = fleet.report(now: .now).kiosks
        var untouched = Set(kiosks.first?.deadZones.map(\.view) ?? [])
        for kiosk in kiosks.dropFirst() { untouched.formIntersection(kiosk.deadZones.map(\.view)) }
        return DayMap(
            source: source, reason: reason, touches: touches, cellSize: Double(Heatmap().cellSize), places: places,
            untouched: untouched.sorted(), ghosts: kiosks.flatMap(\.ghosts))
    }
}

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
