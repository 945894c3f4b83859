/// How a surface is turned against the screen behind it, clockwise.
public enum Rotation: Int, Sendable, CaseIterable {
    /// Not at all.
    case none = 0
    /// By a quarter: the surface's left edge is the screen's top.
    case quarter = 90
    /// Upside down.
    case half = 180
    /// By three quarters: the surface's right edge is the screen's top.
    case threeQuarters = 270

    /// The rotation as a matrix on the unit square.
    public var matrix: CalibrationMatrix {
        switch self {
        case .none: .identity
        case .quarter: CalibrationMatrix(0, -1, 1, 1, 0, 0)
        case .half: CalibrationMatrix(-1, 0, 1, 0, -1, 1)
        case .threeQuarters: CalibrationMatrix(0, 1, 0, -1, 0, 1)
        }
    }
}
