/// The motion of a pointing device in one frame.
public enum PointerMotion: Sendable, Equatable {
    /// The relative motion of a mouse in points, after acceleration; x to the right, y downwards.
    case by(x: Double, y: Double)
    /// The new location of an absolute pointer.
    case to(SurfacePoint)
}
