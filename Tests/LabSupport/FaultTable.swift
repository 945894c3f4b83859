import Foundation

/// The result of one fault, as `Tests/Lab/faults/table.py` and `Tests/Lab/suspend` write it.
package struct FaultRow: Decodable {
    /// Touches in the journal; `cut` were ended by a start of touchd, `open` have no end.
    struct Touches: Decodable {
        var began, ended, cancelled, cut, open, mistakes: Int
    }

    /// The resources of touchd's process; memory in KiB.
    struct Measure: Decodable {
        var process, descriptors, programs, memory: Int
    }

    package var fault: String
    var seen: String
    var touches: Touches?
    var restarts: Int?
    var before, after: Measure?
    /// The longest delay of a touch in milliseconds, if the fault has a bound for it.
    package var delay: Double?

    /// The rows that a machine printed, one JSON object per line.
    package static func rows(in boot: Boot) throws -> [FaultRow] {
        try boot.output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{") }.map {
            try JSONDecoder().decode(FaultRow.self, from: Data($0.utf8))
        }
    }
}

/// The required and the actual results of faults.
package struct FaultTable {
    /// A fault, by the name of its function, with its required result.
    package struct Fault {
        var name, expected: String
        /// How often systemd restarts the service.
        var restarts: Int
        /// Touches without an end because touchd was killed; its next start ends them.
        var cut: Int

        /// - Parameter description: What `Tests/Lab/faults` does.
        package init(
            _ name: String, _ description: String, expected: String = "answers", restarts: Int = 0, cut: Int = 0
        ) {
            (self.name, self.expected, self.restarts, self.cut) = (name, expected, restarts, cut)
        }
    }

    /// The allowed growth of touchd after a fault, in KiB: what the allocator keeps of the 16 MiB of 64 subscribers'
    /// buffers, and the first stack and arena of a thread.
    static let memorySlack = 8192

    /// The faults that were to be caused.
    private let faults: [Fault]
    private let rows: [FaultRow]

    package init(_ faults: [Fault], rows: [FaultRow]) {
        self.faults = faults
        self.rows = rows
    }

    /// The differences from the required results, by row.
    package var problems: [String] {
        let unknown = rows.map(\.fault).filter { name in !faults.contains { $0.name == name } }
        return faults.flatMap { fault in problems(of: fault).map { "\(fault.name): \($0)" } }
            + unknown.map { "\($0): nobody says what has to come of it" }
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
