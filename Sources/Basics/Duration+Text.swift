/// The syntax of every time in a layout and on the command line: `90`, `0.5 s`, `500 ms`, `10 min`, `12 h`, `2 d`.
extension Duration {
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

    /// The time that a text probably means: `5 min` for `5m`.
    package static func probableText(for text: String) -> String? {
        guard let match = text.wholeMatch(of: /\+?([0-9]+)(\.[0-9]+|,[0-9]{1,2})?\s*(\p{L}*)/) else { return nil }
        let number = "\(match.1)\(match.2 ?? "")".replacing(",", with: ".")
        let units: KeyValuePairs = ["seconds": "s", "minutes": "min", "hours": "h", "days": "d", "ms": "ms"]
        return units.first { $0.key.hasPrefix(match.3) }.map { "\(number) \($0.value)" }
    }

    /// The duration in the largest unit in which it is a whole number: `500 ms`, `90 s`, `1 h`.
    package var timeText: String {
        let seconds = self / .seconds(1)
        let unit = Self.units.first { seconds >= $0.value && (seconds / $0.value).rounded() == seconds / $0.value }
        return unit.map { "\(Int(seconds / $0.value)) \($0.key)" } ?? "\(Int(self / .milliseconds(1))) ms"
    }

    /// A time for people, in its two largest units: `5 s`, `3 min 5 s`, `2 h 0 min`, `4 d 1 h`.
    package static func roughText(seconds: Double) -> String {
        let whole = Int(seconds)
        return switch whole {
        case ..<60: "\(whole) s"
        case ..<3600: "\(whole / 60) min \(whole % 60) s"
        case ..<86_400: "\(whole / 3600) h \(whole / 60 % 60) min"
        default: "\(whole / 86_400) d \(whole / 3600 % 24) h"
        }
    }
}
