/// The motion of wheels in one frame, in detents; positive is to the right and away from the user, as in `REL_WHEEL`.
public struct ScrollDelta: Sendable, Equatable {
    /// The horizontal wheel.
    public var x: Double
    /// The vertical wheel.
    public var y: Double

    /// Creates a delta.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
