import Foundation

/// The syntax of every time in a layout and on the command line: `90`, `0.5 s`, `500 ms`, `10 min`, `12 h`, `2 d`.
nonisolated extension Duration {
    private static let units: KeyValuePairs<String, Double> = [
        "d": 86_400, "h": 3600, "min": 60, "s": 1, "": 1, "ms": 0.001,
    ]

    /// The forms of a time, for error messages.
    package static let textForms = "a time such as 90 (seconds), 500 ms, 10 min, 12 h or 2 d"

    /// Makes a duration from a number with a unit; a number without a unit is in seconds.
    package init?(timeText text: String) {
        let number = text.prefix { $0.isNumber || $0 == "." }
        let unit = text.dropFirst(number.count).drop { $0 == " " }
        guard let value = Double(number), let scale = Self.units.first(where: { $0.key == unit })?.value,
            value * scale < 1e12
        else { return nil }
        self = .milliseconds(Int64((value * scale * 1000).rounded()))
    }

    /// The duration in the largest unit in which it is a whole number: `500 ms`, `90 s`, `1 h`.
    var timeText: String {
        let seconds = self / .seconds(1)
        let unit = Self.units.first { seconds >= $0.value && (seconds / $0.value).rounded() == seconds / $0.value }
        return unit.map { "\(Int(seconds / $0.value)) \($0.key)" } ?? "\(Int(self / .milliseconds(1))) ms"
    }
}

nonisolated extension LayoutReader {
    /// A time within bounds.
    mutating func duration(
        _ node: Node, _ what: String, in range: ClosedRange<Duration> = .milliseconds(1) ... .seconds(31_536_000)
    ) -> Duration? {
        guard let text = nodes.string(node, what) else { return nil }
        guard let duration = Duration(timeText: text) else {
            nodes.note(at: node, "\(what) must be \(Duration.textForms) (got '\(text)')")
            return nil
        }
        guard range.contains(duration) else {
            let bounds = "\(range.lowerBound.timeText) and \(range.upperBound.timeText)"
            let hint = text.last?.isNumber == true ? "; a number without a unit is in seconds" : ""
            nodes.note(at: node, "\(what) must be between \(bounds) (got '\(text)')\(hint)")
            return nil
        }
        return duration
    }

    /// A time within bounds, in seconds.
    mutating func seconds(_ node: Node, _ what: String, in range: ClosedRange<Duration>) -> TimeInterval? {
        duration(node, what, in: range).map { $0 / .seconds(1) }
    }

    /// `cooldown:`; 0 for none.
    mutating func cooldown(_ node: Node?) -> TimeInterval {
        node.flatMap { seconds($0, "'cooldown'", in: .milliseconds(1) ... .seconds(60)) } ?? 0
    }

    /// True or false for forwarded panels.
    mutating func forwardFlag(_ node: Node, _ what: String) -> Bool? {
        firstForward = firstForward ?? node
        return nodes.bool(node, what)
    }

    mutating func flag(_ node: Node?, _ what: String, default fallback: Bool) -> Bool {
        node.flatMap { nodes.bool($0, what) } ?? fallback
    }
}
