import Foundation

/// What came of one fault, as `Tests/Lab/faults/table.py` and `Tests/Lab/suspend` write it.
struct FaultRow: Decodable {
    /// Touches in the journal; `cut` are those that a start of touchd ended, `open` those without any end.
    struct Touches: Decodable {
        var began, ended, cancelled, cut, open, mistakes: Int
    }

    /// What touchd's process has; memory in KiB.
    struct Measure: Decodable {
        var process, descriptors, programs, memory: Int
    }

    var fault: String
    var seen: String
    var touches: Touches?
    var restarts: Int?
    var before, after: Measure?

    /// The rows that a machine printed, a line of JSON each.
    static func rows(in boot: Boot) throws -> [FaultRow] {
        try boot.output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{") }.map {
            try JSONDecoder().decode(FaultRow.self, from: Data($0.utf8))
        }
    }
}

/// What has to come of each fault, beside what came of it.
struct FaultTable {
    /// A fault, by the name of its function, and what has to be seen of it.
    struct Fault {
        var name: String
        var title: String
        var expected: String
        /// How often the service is started again by systemd.
        var restarts = 0
        /// Touches that have no end of their own, since touchd was killed: its next start ends them.
        var cut = 0
    }

    /// By how much touchd may have grown after a fault, in KiB: what the allocator keeps of 64 subscribers' buffers, and the
    /// first stack and arena of a thread.
    static let memorySlack = 4096

    var rows: [FaultRow]

    /// Why the table is not as it has to be, by row.
    var problems: [String] {
        let unknown = rows.map(\.fault).filter { name in !Self.faults.contains { $0.name == name } }
        return Self.faults.flatMap { fault in problems(of: fault).map { "\(fault.name): \($0)" } }
            + unknown.map { "\($0): nobody says what has to come of it" }
    }

    /// The table in Markdown.
    var text: String {
        var lines = [
            "| fault | expected | seen | began = ended + cancelled (+ cut off) | descriptors | programs | memory KiB |",
            "|---|---|---|---|---|---|---|",
        ]
        for fault in Self.faults {
            let row = rows.first { $0.fault == fault.name }
            let touches = row?.touches.map {
                "\($0.began) = \($0.ended) + \($0.cancelled)" + ($0.cut > 0 ? " + \($0.cut)" : "")
            }
            func change(_ value: KeyPath<FaultRow.Measure, Int>) -> String {
                guard let before = row?.before, let after = row?.after else { return "–" }
                return "\(before[keyPath: value]) → \(after[keyPath: value])"
            }
            let seen = problems(of: fault).isEmpty ? "as expected" : "**\(row?.seen ?? "nothing")**"
            let cells = [
                fault.title, fault.expected, seen, touches ?? "–", change(\.descriptors), change(\.programs),
                change(\.memory),
            ]
            lines.append("| " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n")
    }

    private func problems(of fault: Fault) -> [String] {
        guard let row = rows.first(where: { $0.fault == fault.name }) else { return ["it was not done"] }
        var problems: [String] = []
        func check(_ isGood: Bool, _ problem: String) { if !isGood { problems.append(problem) } }
        check(row.seen == fault.expected, "seen: \(row.seen)")
        guard let touches = row.touches else { return problems + ["nothing is known of its touches"] }
        check(touches.began > 0, "nothing was touched")
        check(touches.began == touches.ended + touches.cancelled + touches.cut, "\(touches)")
        check(touches.open == 0 && touches.mistakes == 0 && touches.cut == fault.cut, "\(touches)")
        guard let before = row.before, let after = row.after else { return problems }
        check(row.restarts == fault.restarts, "restarts: \(row.restarts ?? 0)")
        check(before.descriptors == after.descriptors, "descriptors: \(before.descriptors), then \(after.descriptors)")
        check(after.programs == 0, "programs left: \(after.programs)")
        check(after.memory - before.memory <= Self.memorySlack, "memory: \(before.memory), then \(after.memory)")
        return problems
    }
}
