/// A point in device units, as reported by the absolute axes.
public struct RawPoint: Sendable, Equatable {
    /// The value of `ABS_MT_POSITION_X` or `ABS_X`.
    public var x: Int32
    /// The value of `ABS_MT_POSITION_Y` or `ABS_Y`.
    public var y: Int32

    /// Creates a point.
    public init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
    }
}
