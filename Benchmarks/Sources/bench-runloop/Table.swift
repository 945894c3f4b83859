import Foundation

/// Prints rows of medians, each with its ratio to the first contender's.
final class Table {
    private let contenders: [String]
    private var hasHead = false

    init(contenders: [String]) { self.contenders = contenders }

    private func printHead() {
        guard !hasHead else { return }
        hasHead = true
        print("| | " + contenders.joined(separator: " | ") + " |")
        print("|---|" + contenders.map { _ in "---:" }.joined(separator: "|") + "|")
    }

    /// Prints the median of each contender's times, in nanoseconds, and of its ratios to the first's in the same repetition.
    ///
    /// Other load changes from second to second, but is similar within one repetition.
    func printRow(_ name: String, repetitions: [[Double?]]) {
        let times = contenders.indices.map { index in repetitions.compactMap { $0[index] }.median }
        let ratios = contenders.indices.map { index in
            repetitions.compactMap { times -> Double? in
                guard let floor = times[0], let time = times[index] else { return nil }
                return time / floor
            }.median
        }
        printRow(name, times, ratios)
    }

    /// Times in nanoseconds and their ratios to the first; nil where a contender has nothing for the row.
    func printRow(_ name: String, _ times: [Double?], _ ratios: [Double?]? = nil) {
        printHead()
        let floor = times.first ?? nil
        let cells = times.enumerated().map { index, time -> String in
            guard let time else { return "–" }
            let value = ratios.map { $0[index] } ?? floor.map { time / $0 }
            let ratio = value.map { String(format: " (%.2f)", $0) } ?? ""
            return String(format: time < 10_000 ? "%.0f ns" : "%.1f µs", time < 10_000 ? time : time / 1000) + ratio
        }
        print("| \(name) | " + cells.joined(separator: " | ") + " |")
        fflush(nil)
    }
}

extension [Double] {
    /// The middle value, or nil of none.
    var median: Double? { isEmpty ? nil : sorted()[count / 2] }
}
