import ControlProtocol
import Foundation

/// The value of a fact, with one text form for people and one for JSON.
package nonisolated enum FactValue: JSONWritable, Equatable {
    /// A name or a word.
    case text(String)
    case integer(Int)
    /// A measure, written with two decimals: finer than any panel's resolution, and short enough to read.
    case measure(Double)
    /// A measure of a gesture at full precision: a program scales a picture of thousands of points with it.
    case exact(Double)
    /// A time in seconds, written with the kernel's microseconds and without an exponent.
    case moment(Double)

    /// The value in templates, fields and environment variables.
    package var text: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .measure(let number): number.isFinite ? "\(number.hundredths)" : ""
        case .exact(let number): number.isFinite ? "\(number)" : ""
        case .moment(let seconds): Self.microseconds(seconds)
        }
    }

    /// Seconds with six decimals. `String(format:)` takes eleven times as long.
    private static func microseconds(_ seconds: Double) -> String {
        guard let count = Int64(exactly: (seconds * 1e6).rounded()) else {
            return seconds.isFinite ? String(format: "%.6f", seconds) : ""
        }
        let (whole, fraction) = count.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        return "\(count < 0 ? "-" : "")\(whole).\(String(1_000_000 + fraction).dropFirst())"
    }

    package func write(to writer: inout JSONWriter) {
        switch self {
        case .text(let text): writer.write(text)
        case .integer(let number): writer.write(number)
        case .measure(let number): writer.write(number.hundredths)
        case .exact(let number), .moment(let number): writer.write(number)
        }
    }
}
