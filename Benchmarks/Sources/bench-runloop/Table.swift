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

    /// Times in nanoseconds; nil where a contender has nothing for the row.
    func printRow(_ name: String, _ times: [Double?]) {
        printHead()
        let floor = times.first ?? nil
        let cells = times.map { time -> String in
            guard let time else { return "–" }
            let ratio = floor.map { String(format: " (%.2f)", time / $0) } ?? ""
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
