import ControlProtocol
import Foundation
import Layout
import Reports

/// The places touched today on a kiosk, which the page draws over the layout.
///
/// A touch in a private view is counted without its place. Private views are not listed as untouched either, because a
/// list of unused keys would reveal something about the used ones.
nonisolated struct DayMap: JSONRecord, Equatable {
    /// The source of the touches.
    enum Source: String, JSONValue {
        /// All touches in the journal since midnight.
        case journal
        /// The touches seen since the inspector started.
        case opened
        /// A whole recording.
        case recording
    }

    /// The number of touches that began in a square of the screen.
    struct Cell: JSONRecord, Equatable {
        var column, row, count: Int

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("column", "counted from the left", \.column)
            visitor.member("row", "counted from the top", \.row)
            visitor.member("count", "the number of touches", \.count)
        }
    }

    /// A page of a screen with the touches that began while it was shown.
    struct Place: JSONRecord, Equatable {
        var screen, page: String?
        var cells: [Cell]

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("screen", "the screen's name, if the layout has several", \.screen)
            visitor.member("page", "the page's name, if the layout has pages", \.page)
            visitor.member("cells", "in rows from the top, each from the left") { $0.cells }
        }
    }

    /// Touches at one spot that probably no person made.
    struct Ghost: JSONRecord, Equatable {
        var x, y: Double, view: String, touches: Int, oddities: [String]
        var first, last: Double?

        static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("x", .points, "the position on the screen", \.x)
            visitor.member("y", .points, "see `x`", \.y)
            visitor.member("view", "the touched view; empty if the touches were on no view", \.view)
            visitor.member("touches", "the number of touches", \.touches)
            visitor.member("oddities", "why the touches are suspicious", \.oddities)
            visitor.member(
                "first", .seconds, "the time of the first touch, since 1970; absent for a recording", \.first)
            visitor.member("last", .seconds, "the time of the last touch, likewise", \.last)
        }
    }

    var source: Source
    var reason: String?
    var touches: Int, cellSize: Double, places: [Place], untouched: [String], ghosts: [Ghost]

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
nonisolated struct DayMapTally {
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
            DayMap.Place(
                screen: place.screen, page: place.page,
                cells: heat.counts.map { DayMap.Cell(column: $0.column, row: $0.row, count: $1) }
                    .sorted { ($0.row, $0.column) < ($1.row, $1.column) })
        }.sorted { ($0.screen ?? "", $0.page ?? "") < ($1.screen ?? "", $1.page ?? "") }
        // One machine's journal belongs to one kiosk, unless the kiosk was renamed today.
        let kiosks = fleet.report(now: .now).kiosks
        var untouched = Set(kiosks.first?.deadZones.map(\.view) ?? [])
        for kiosk in kiosks.dropFirst() { untouched.formIntersection(kiosk.deadZones.map(\.view)) }
        let ghosts = kiosks.flatMap(\.ghosts).map { suspect in
            let isDated = source != .recording
            return DayMap.Ghost(
                x: suspect.x, y: suspect.y, view: suspect.view, touches: suspect.touches,
                oddities: suspect.oddities.map(\.rawValue),
                first: isDated ? suspect.first.timeIntervalSince1970 : nil,
                last: isDated ? suspect.last.timeIntervalSince1970 : nil)
        }
        return DayMap(
            source: source, reason: reason, touches: touches, cellSize: Double(Heatmap().cellSize), places: places,
            untouched: untouched.sorted(), ghosts: ghosts)
    }
}

/// Today's touches in the journal, read with journalctl as the user who runs the inspector.
nonisolated enum DayMapJournal {
    /// The timeout for journalctl in seconds; a day of a busy kiosk takes one or two.
    static let timeout = 30.0

    /// The unit of the service with a control socket; nil for a touchd that was started by hand.
    static func unit(ofSocket path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == "run", parts[3] == "control" else { return nil }
        if parts[2] == "touchd" { return "touchd.service" }
        let instance = parts[2].dropFirst("touchd-".count)
        guard parts[2].hasPrefix("touchd-"), !instance.isEmpty else { return nil }
        return "touchd@\(instance).service"
    }

    /// The command that exports today's touches of a unit: when they began and ended.
    static func command(unit: String) -> [String] {
        let fields = [
            "MESSAGE_ID", "TOUCHD_TOUCH", "TOUCHD_VIEW", "TOUCHD_PAGE", "TOUCHD_SCREEN", "TOUCHD_X", "TOUCHD_Y",
            "TOUCHD_TIME", "_BOOT_ID", "_PID", "_HOSTNAME", "_MACHINE_ID",
        ]
        let touches: [MessageID] = [.touchBegan, .touchEnded, .touchCancelled]
        return [
            "/usr/bin/journalctl", "--quiet", "--no-pager", "--unit=\(unit)", "--since=today", "--output=export",
            "--output-fields=\(fields.joined(separator: ","))",
        ] + touches.map { "MESSAGE_ID=\($0.rawValue)" }
    }

    /// Counts the touches in the exported journal that a command writes.
    ///
    /// - Throws: A `SessionError` with the command's error message, or a `JournalError`.
    static func read(_ command: [String], into tally: inout DayMapTally) throws {
        let process = Process(), output = Pipe(), errors = Pipe()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch { throw SessionError("\(command[0]) cannot be started: \(error)") }
        let deadline = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout, execute: deadline)
        defer { deadline.cancel() }
        do {
            var reader = try JournalRecordReader(path: "/dev/fd/\(output.fileHandleForReading.fileDescriptor)")
            while let record = try reader.next() { tally.add(record) }
        } catch {
            process.terminate()
            process.waitUntilExit()
            throw error
        }
        let complaint = String(decoding: (try? errors.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let words = complaint.trimmingCharacters(in: .whitespacesAndNewlines)
            throw SessionError(words.isEmpty ? "\(command[0]) failed" : words)
        }
    }
}

extension DayMap {
    /// Today's touches in a unit's journal; if the journal is empty or unreadable, the touches that were seen.
    ///
    /// Blocks until journalctl is done.
    nonisolated init(of unit: String?, _ document: LayoutDocument, seen: [SeenTouch]) {
        var reason = "this touchd was started by hand, so the journal has no unit with its touches"
        if let unit {
            var tally = DayMapTally(document)
            do {
                try DayMapJournal.read(DayMapJournal.command(unit: unit), into: &tally)
                if tally.touches > 0 {
                    self = tally.map(.journal)
                    return
                }
                reason =
                    "the journal of \(unit) has no touch of today, or this user may not read it; use sudo, or the group adm or "
                    + "systemd-journal"
            } catch {
                reason = "the journal of \(unit) cannot be read: \(error)"
            }
        }
        var tally = DayMapTally(document)
        for touch in seen { tally.add(touch) }
        self = tally.map(.opened, reason: reason)
    }
}

/// The begin or end of a touch that the inspector saw.
nonisolated struct SeenTouch {
    var entry: TouchdEntry
    /// The pages of all screens that were shown; for each screen the most recent one comes first.
    var pages: [String]
}

/// The touches that the inspector has seen since it started.
nonisolated struct SeenTouches {
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
