import Basics
import ControlProtocol
import Foundation
import Reports

/// The report of one seat's day: what a kiosk sends to a collector. Host, machine, seat and day are its key.
struct DayReport: JSONRecord, Equatable {
    var day: String, seat: String, from, until: Date, kiosk: FleetReport.Kiosk

    static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
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
struct DayTally {
    private let day: String, from, until: Date
    private let layout: (String) -> LayoutZones?
    private var seats: [String: FleetTally] = [:]
    /// The touches that began after the day.
    private var later: Set<[String?]> = []

    /// - Parameter layout: The layout of a seat, if it is known.
    init(_ day: CalendarDay, layout: @escaping (String) -> LayoutZones? = { _ in nil }) {
        (self.day, self.layout) = (day.name, layout)
        from = Date(timeIntervalSince1970: TimeInterval(day.start))
        until = Date(timeIntervalSince1970: TimeInterval(day.end))
    }

    /// Counts an entry if touchd wrote it.
    mutating func add(_ record: JournalRecord) {
        guard let date = record.date, date >= from, date < until || isEnd(record) else { return }
        let unit = record["_SYSTEMD_UNIT"] ?? "", isOfSeat = unit.hasPrefix("touchd@") && unit.hasSuffix(".service")
        let seat = isOfSeat ? String(unit.dropFirst(7).dropLast(8)).printable : ""
        seats[seat, default: FleetTally(layout: layout(seat))].add(record)
    }

    /// Whether an entry after the day is the end of a touch that began before.
    private mutating func isEnd(_ record: JournalRecord) -> Bool {
        let finger = ["_BOOT_ID", "_SYSTEMD_UNIT", "_PID", "TOUCHD_TOUCH"].map { record[$0] }
        switch record["MESSAGE_ID"].flatMap(MessageID.init) {
        case .touchBegan: later.insert(finger)
        case .touchEnded, .touchCancelled: return later.remove(finger) == nil
        default: break
        }
        return false
    }

    /// The reports, by seat; a machine that was renamed on the day has two.
    func reports(now: Date) -> [DayReport] {
        seats.sorted { $0.key < $1.key }.flatMap { seat, tally in
            tally.report(now: now).kiosks.map { DayReport(day: day, seat: seat, from: from, until: until, kiosk: $0) }
        }
    }
}
