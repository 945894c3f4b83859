import ControlProtocol
import Foundation
import Reports

/// A kiosk's journal, made up for a test.
struct JournalDraft {
    /// Midnight of November 1, 2026, in UTC.
    static let midnight = 1_793_491_200.0

    var records: [JournalRecord] = []
    private let kiosk: [String: String]
    private let boot: String
    private let process: String
    private var touch = 0

    init(_ host: String, machine: String? = nil, boot: String = "boot-1", process: String = "700") {
        kiosk = ["_HOSTNAME": host, "_MACHINE_ID": machine ?? "machine-of-\(host)"]
        self.boot = boot
        self.process = process
    }

    /// Adds an entry; `time` is in seconds since midnight.
    mutating func entry(_ identity: MessageID, at time: Double, _ fields: [String: String] = [:]) {
        let common = [
            "MESSAGE_ID": identity.rawValue, "_BOOT_ID": boot, "_PID": process,
            "__REALTIME_TIMESTAMP": "\(Int(((Self.midnight + time) * 1_000_000).rounded()))",
        ]
        records.append(JournalRecord(fields: kiosk.merging(common) { $1 }.merging(fields) { $1 }))
    }

    /// Adds a whole touch: began at a time and a position, and ended or cancelled `lasting` seconds later, perhaps
    /// elsewhere.
    mutating func touch(
        _ view: String, at time: Double, x: Double = 100, y: Double = 100, lasting: Double = 0.1,
        toX: Double? = nil, toY: Double? = nil, end: MessageID? = .touchEnded
    ) {
        touch += 1
        func fields(_ time: Double, _ x: Double, _ y: Double) -> [String: String] {
            [
                "TOUCHD_TOUCH": "\(touch)", "TOUCHD_VIEW": view, "TOUCHD_X": "\(x)", "TOUCHD_Y": "\(y)",
                "TOUCHD_TIME": String(format: "%.6f", time),
            ]
        }
        entry(.touchBegan, at: time, fields(time, x, y))
        if let end { entry(end, at: time + lasting, fields(time + lasting, toX ?? x, toY ?? y)) }
    }
}

/// The report of several journals in sequence; `now` is in seconds since midnight.
func report(_ journals: [JournalRecord]..., layout: LayoutZones? = nil, now: Double = 100 * 86400) -> FleetReport {
    var fleet = FleetTally(layout: layout)
    for record in journals.joined() { fleet.add(record) }
    return fleet.report(now: Date(timeIntervalSince1970: JournalDraft.midnight + now))
}

extension FleetReport {
    /// The text, as `touchd report` prints it.
    var text: String {
        var lines: [String] = []
        writeText { lines.append($0) }
        return lines.joined(separator: "\n")
    }
}
