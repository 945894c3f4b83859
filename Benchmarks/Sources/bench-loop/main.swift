// Prints the table of the loops. With NAME and ROUNDS it does only that many callbacks of one loop, for callgrind to count.
import CPeers
import Foundation

/// A row of the table: the same work for every loop.
struct Row {
    var name: String
    /// The things that are done in each round, by whose number the time is divided.
    var perRound: UInt64 = 1
    var work: (Contender, _ rounds: UInt64) -> UInt64

    /// The rounds that take about 3 ms, and whether they take over a second: then they are measured only once.
    func calibrate(_ contender: Contender) -> (rounds: UInt64, isSlow: Bool) {
        var rounds: UInt64 = 1
        while true {
            let time = max(work(contender, rounds), 1)
            if time > 1_000_000_000 { return (rounds, true) }
            if time >= 1_500_000 { return (max(1, rounds * 3_000_000 / time), false) }
            rounds *= time > 150_000 ? 2 : 8
        }
    }
}

let rings: [(String, Int32, Int32)] = [
    ("eventfd ping-pong, level-triggered", 2, 1), ("1 ready of 10", 10, 1), ("1 ready of 1,000", 1_000, 1),
    ("1 ready of 10,000", 10_000, 1), ("100 ready of 1,000", 1_000, 100),
]
let timers: [(String, Int32)] = [("1 timer", 1), ("1,000 timers", 1_000), ("100,000 timers", 100_000)]
let rows =
    rings.map { name, count, ready in Row(name: name) { $0.ring(count, ready, $1) } }
    + timers.flatMap { name, count in
        [("fire", true), ("cancel", false)].map { verb, isFiring in
            Row(name: "\(name): arm and \(verb), each", perRound: UInt64(count)) { $0.timers(count, $1, isFiring) }
        }
    } + [
        Row(name: "block from the loop's own thread") { $0.blocks(1, $1) },
        Row(name: "100 blocks per pass, each", perRound: 100) { $0.blocks(100, $1) },
    ]
let contenders = [Contender(bare_epoll), Contender(), Contender(libuv), Contender(libev), Contender(glib)]

if CommandLine.arguments.count == 3, let rounds = UInt64(CommandLine.arguments[2]) {
    for contender in contenders where contender.name == CommandLine.arguments[1] { _ = contender.ring(2, 1, rounds) }
    exit(0)
}

// 10,000 descriptors.
var limit = rlimit(rlim_cur: 20_000, rlim_max: 20_000)
setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func cell(_ time: Double, _ ratio: Double) -> String {
    String(format: time < 10_000 ? "%.0f ns (%.2f)" : "%.1f µs (%.2f)", time < 10_000 ? time : time / 1000, ratio)
}

print("| | \(contenders.map(\.name).joined(separator: " | ")) |")
print("|---|\(contenders.map { _ in "---:|" }.joined())")
for row in rows {
    let plans = contenders.map(row.calibrate)
    var times = contenders.map { _ in [Double]() }
    var ratios = times
    for repetition in 0..<41 {
        var turn = [Double?](repeating: nil, count: contenders.count)
        for index in contenders.indices.shuffled() where !plans[index].isSlow || repetition == 0 {
            let (rounds, contender) = (plans[index].rounds, contenders[index])
            turn[index] = Double(row.work(contender, rounds)) / Double(rounds * row.perRound)
        }
        // Other load changes from second to second, but is similar within one repetition.
        for (index, time) in turn.enumerated() {
            guard let time, let floor = turn[0] else { continue }
            times[index].append(time)
            ratios[index].append(time / floor)
        }
    }
    let cells = contenders.indices.map { cell(median(times[$0]), median(ratios[$0])) }
    print("| \(row.name) | \(cells.joined(separator: " | ")) |")
    fflush(nil)
}
