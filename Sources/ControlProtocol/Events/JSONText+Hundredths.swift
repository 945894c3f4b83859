import Handlers

nonisolated extension JSONText {
    /// A coordinate in points, to the hundredth: finer than any panel, and short enough to read.
    package static func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
