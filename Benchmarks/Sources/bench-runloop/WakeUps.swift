import CPeers

/// Measures from another thread's call to the callback on the loop's thread, each time with the loop asleep.
@MainActor func printWakeUps(_ contenders: [Contender], repetitions: Int, _ table: Table) {
    let count = 2_000
    var latencies = contenders.map { _ in [UInt64]() }
    for _ in 0..<max(repetitions / 3, 1) {
        for index in contenders.indices.shuffled() {
            guard let wakeups = contenders[index].wakeups else { continue }
            var times = [UInt64](repeating: 0, count: count)
            times.withUnsafeMutableBufferPointer { times in
                if let first = times.baseAddress { wakeups(first, count) }
            }
            latencies[index] += times.dropFirst(count / 10)
        }
    }
    for (name, share) in [("median", 0.5), ("p99", 0.99), ("p99.9", 0.999)] {
        table.printRow(
            "wake-up from another thread, \(name)",
            latencies.map { $0.isEmpty ? nil : Double($0.sorted()[Int(Double($0.count) * share)]) })
    }
}
