import Handlers

nonisolated extension JSONText {
    /// A coordinate in points, rounded to the hundredth: finer than any panel, and short.
    package static func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
