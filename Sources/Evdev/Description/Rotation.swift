/// The rotation of a surface relative to its screen, clockwise.
public enum Rotation: Int, Sendable, CaseIterable {
    /// No rotation.
    case none = 0
    /// 90 degrees: the surface's left edge is the screen's top.
    case quarter = 90
    /// 180 degrees: upside down.
    case half = 180
    /// 270 degrees: the surface's right edge is the screen's top.
    case threeQuarters = 270

    /// The rotation as a matrix on the unit square.
    package var matrix: CalibrationMatrix {
        switch self {
        case .none: .identity
        case .quarter: CalibrationMatrix(0, -1, 1, 1, 0, 0)
        case .half: CalibrationMatrix(-1, 0, 1, 0, -1, 1)
        case .threeQuarters: CalibrationMatrix(0, 1, 0, -1, 0, 1)
        }
    }
}
