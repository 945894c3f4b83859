import ControlProtocol
import Foundation

/// The report of one seat's day: what a kiosk sends to a collector. Host, machine, seat and day are its key.
package struct DayReport: JSONRecord, Equatable {
    package var day: String, seat: String, from, until: Date, kiosk: FleetReport.Kiosk

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("day", "the day, as 2026-11-28", \.day)
        visitor.member("seat", "the seat of `touchd@SEAT.service`; empty for `touchd.service`", \.seat)
        visitor.member("from", "when the day begins in its time zone") { $0.from }
        visitor.member("until", "when the next day begins") { $0.until }
        visitor.member("kiosk", "the report, as that of a fleet has it") { $0.kiosk }
    }
}

/// Judges one day of a machine, each seat by itself, while its journal is read.
///
/// A touch counts if it began on the day. The entries of some minutes more show how the last ones ended.
package struct DayTally {
    /// One touch of one run of touchd.
    private struct Finger: Hashable {
        let run: TouchdEntry.Run, number: UInt64
    }

    private let day: String, from, until: TimeInterval
    private let layout: (String) -> LayoutZones?
    private var seats: [String: FleetTally] = [:]
    /// The touches that began after the day.
    private var later: Set<Finger> = []

    /// - Parameters:
    ///   - from: When the day begins, in seconds since 1970; `until`, when it ends.
    ///   - layout: The layout of a seat, if it is known.
    package init(day: String, from: Int, until: Int, layout: @escaping (String) -> LayoutZones? = { _ in nil }) {
        (self.day, self.from, self.until) = (day, TimeInterval(from), TimeInterval(until))
        self.layout = layout
    }

    /// Counts an entry if touchd wrote it.
    package mutating func add(_ record: JournalRecord) {
        guard let entry = TouchdEntry(record), entry.date >= from else { return }
        if entry.date >= until {
            guard let touch = entry.touch else { return }
            let finger = Finger(run: entry.run, number: touch.number)
            if entry.identity == .touchBegan {
                later.insert(finger)
                return
            }
            if later.remove(finger) != nil { return }
        }
        let unit = entry.run.unit, isOfSeat = unit.hasPrefix("touchd@") && unit.hasSuffix(".service")
        let seat = isOfSeat ? String(unit.dropFirst(7).dropLast(8)).printableName : ""
        seats[seat, default: FleetTally(layout: layout(seat))].add(entry)
    }

    /// The reports, by seat; a machine that was renamed on the day has two.
    package func reports(now: Date) -> [DayReport] {
        seats.sorted { $0.key < $1.key }.flatMap { seat, tally in
            tally.report(now: now).kiosks.map {
                DayReport(
                    day: day, seat: seat, from: Date(timeIntervalSince1970: from),
                    until: Date(timeIntervalSince1970: until), kiosk: $0)
            }
        }
    }
}
