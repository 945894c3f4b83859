import CPeers

/// A row of the table: one kind of work, of which every contender does the same amount for its time.
struct Row {
    var name: String
    /// How many things are done in each round, by which the time is divided.
    var perRound: UInt64 = 1
    /// The rounds to begin with, which grow until a measurement takes long enough.
    var rounds: UInt64 = 64
    /// Does a number of rounds with a contender and answers nanoseconds; nil or 0 if it cannot.
    var work: (Contender, UInt64) -> UInt64?

    @MainActor static let all: [Row] =
        [
            ring("eventfd ping-pong, level-triggered", 2, 1),
            ring("eventfd ping-pong, edge-triggered, not read", 2, 1, edge: true),
            ring("1 ready of 10", 10, 1), ring("1 ready of 1,000", 1_000, 1), ring("1 ready of 10,000", 10_000, 1),
            ring("100 ready of 1,000", 1_000, 100),
        ]
        + [1, 1_000, 100_000].flatMap { (count: Int32) -> [Row] in
            let number = count == 1 ? "1 timer" : count == 1_000 ? "1,000 timers" : "100,000 timers"
            return [
                Row(name: "\(number): arm and fire, each", perRound: UInt64(count), rounds: 1) { $0.fire?(count, $1) },
                Row(name: "\(number): arm and cancel, each", perRound: UInt64(count), rounds: 1) {
                    $0.cancel?(count, $1)
                },
            ]
        }
        + [
            Row(name: "block from the loop's own thread") { $0.blocks?(1, $1) },
            Row(name: "100 blocks per pass, each", perRound: 100) { $0.blocks?(100, $1) },
            Row(name: "DispatchQueue.main.async") { $0.mainQueue?($1) },
        ]

    private static func ring(_ name: String, _ count: Int32, _ ready: Int32, edge: Bool = false) -> Row {
        Row(name: name, rounds: 64) { contender, rounds in contender.ring?(count, ready, edge, rounds) }
    }

    /// The nanoseconds that one thing takes, or nil if the contender has nothing for this row.
    func measure(_ contender: Contender, rounds: UInt64) -> Double? {
        guard let time = work(contender, rounds), time > 0 else { return nil }
        return Double(time) / Double(rounds * perRound)
    }

    /// The number of rounds that take about this many nanoseconds.
    ///
    /// A row whose first rounds take over a second is measured only once more.
    func calibrate(_ contender: Contender, to target: UInt64) -> (rounds: UInt64, isSlow: Bool)? {
        var rounds = rounds
        while true {
            guard let time = work(contender, rounds), time > 0 else { return nil }
            if time > 1_000_000_000 { return (rounds, true) }
            if time >= target / 2 {
                return (max(1, UInt64(Double(rounds) * Double(target) / Double(time))), false)
            }
            rounds *= time > target / 20 ? 2 : 8
        }
    }
}
