/// The codes of two absolute axes.
public struct PositionAxes: Sendable, Equatable {
    /// The horizontal axis.
    public var x: UInt16
    /// The vertical axis.
    public var y: UInt16

    /// Creates a pair of `ABS_…` codes.
    public init(x: UInt16, y: UInt16) {
        self.x = x
        self.y = y
    }
}
