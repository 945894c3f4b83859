import Foundation
import Layout
import Reports

/// Counts a day's touches, in constant memory.
struct DayMapTally {
    private struct ShownPage: Hashable {
        var screen, page: String?
    }

    private var fleet: FleetTally
    private var heat: [ShownPage: Heatmap] = [:]
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
        let place = ShownPage(screen: touch.screen, page: page)
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
            DayMap.PageHeat(screen: place.screen, page: place.page, cells: heat.squares)
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
