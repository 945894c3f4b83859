import Foundation

/// An upright part of an index's coordinates in which a view can be hit.
///
/// It is kept in 16 bytes. An exact one has a view's edges as they are; any other is a little larger.
struct HitTestArea: Equatable {
    var left: Float
    var top: Float
    var right: Float
    var bottom: Float

    /// Where a point is.
    enum Position {
        case inside
        case outside
        /// Near an edge, where rounding decides.
        case uncertain
    }

    /// How far rounding can shift an edge: coordinates are at most 2^20 and go through at most 1024 views, each of which
    /// adds and subtracts, which rounds by 2^-33 at most.
    static let margin = 1.0 / 65536
    /// The greatest coordinate that is looked at closely, in points.
    static let farthest = 1048576.0
    /// How far from its edges a point is surely in an area that is not exact: two steps of a `Float` at `farthest`.
    static let certainty = 0.25

    /// All there is.
    static let everywhere = HitTestArea(
        left: -.greatestFiniteMagnitude, top: -.greatestFiniteMagnitude, right: .greatestFiniteMagnitude,
        bottom: .greatestFiniteMagnitude)

    static func isNear(_ coordinate: Double) -> Bool { abs(coordinate) <= farthest }

    /// Whether a coordinate goes through sums and differences without rounding: whole 256ths of points.
    static func isRound(_ coordinate: Double) -> Bool {
        isNear(coordinate) && coordinate * 256 == Double(Int64(coordinate * 256))
    }

    var isEmpty: Bool { !(left < right && top < bottom) }
    var width: Double { Double(right) - Double(left) }
    var height: Double { Double(bottom) - Double(top) }

    func intersection(_ other: HitTestArea) -> HitTestArea {
        HitTestArea(
            left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
            bottom: min(bottom, other.bottom))
    }

    func union(_ other: HitTestArea) -> HitTestArea {
        HitTestArea(
            left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }

    /// Where a point is, as far as the area can tell.
    @inline(__always)
    func position(of point: CGPoint, isExact: Bool) -> Position {
        let (x, y) = (Double(point.x), Double(point.y))
        let (left, top, right, bottom) = (Double(left), Double(top), Double(right), Double(bottom))
        guard x >= left - Self.margin, x < right, y >= top - Self.margin, y < bottom else { return .outside }
        // A point at an exact left edge is inside, as it is in the views' own steps, which round nothing there.
        let (near, far) = isExact ? (0, Self.margin) : (Self.certainty, Self.certainty)
        return x >= left + near && x <= right - far && y >= top + near && y <= bottom - far ? .inside : .uncertain
    }
}

extension HitTestArea {
    /// The area between edges that are exact; nil if a `Float` does not hold them.
    init?(exactly left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
        self.init(left: Float(left), top: Float(top), right: Float(right), bottom: Float(bottom))
        guard Double(self.left) == left, Double(self.top) == top, Double(self.right) == right,
            Double(self.bottom) == bottom
        else { return nil }
    }

    /// An area that surely has everything between edges that are off by a margin at most.
    init(around left: Double, _ top: Double, _ right: Double, _ bottom: Double, margin: Double = margin) {
        self.init(
            left: Float(left - margin).nextDown, top: Float(top - margin).nextDown, right: Float(right + margin).nextUp,
            bottom: Float(bottom + margin).nextUp)
    }
}
