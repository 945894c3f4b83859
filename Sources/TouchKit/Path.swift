import Foundation

/// An outline of lines and curves, to find whether a point is inside (`UIBezierPath`).
///
/// A view whose shape is not a rectangle overrides `point(inside:with:)` and returns the result of its path, which is in the
/// view's coordinates. Curves are followed to a hundredth of a point.
public final class Path {
    /// The corners of each outline; curves have many.
    private var outlines: [[CGPoint]] = []

    /// The end of the last line or curve, where the next one begins; zero in an empty path.
    public private(set) var currentPoint = CGPoint.zero
    /// Whether a region counts as inside only if an odd number of outlines surround it; false by default: inside are the
    /// regions around which the outlines run at least once in one direction.
    public var usesEvenOddFillRule = false
    /// The width of a drawn outline; it has no effect here.
    public var lineWidth: CGFloat = 1

    /// How far a line may be from its curve, in points.
    private static let tolerance: CGFloat = 0.01

    /// Makes an empty path.
    public init() {}

    /// Makes a rectangle.
    public convenience init(rect: CGRect) {
        self.init(roundedRect: rect, cornerRadius: 0)
    }

    /// Makes the ellipse that a rectangle contains.
    public convenience init(ovalIn rect: CGRect) {
        self.init()
        addArc(
            CGPoint(x: rect.midX, y: rect.midY), CGSize(width: rect.width / 2, height: rect.height / 2), from: 0,
            by: 2 * .pi)
        close()
    }

    /// Makes a rectangle with round corners.
    public convenience init(roundedRect rect: CGRect, cornerRadius: CGFloat) {
        self.init(
            roundedRect: rect, byRoundingCorners: .allCorners,
            cornerRadii: CGSize(width: cornerRadius, height: cornerRadius))
    }

    /// Makes a rectangle of which some corners are round.
    ///
    /// A radius is at most half of the shorter side; the corners are parts of circles, so the radii's height is not used.
    public convenience init(roundedRect rect: CGRect, byRoundingCorners corners: RectCorner, cornerRadii: CGSize) {
        self.init()
        let rect = rect.standardized
        let radius = max(0, min(cornerRadii.width, rect.width / 2, rect.height / 2))
        let all: [(RectCorner, CGFloat, CGFloat, CGFloat, CGFloat)] = [
            (.topLeft, rect.minX, rect.minY, 1, 1), (.topRight, rect.maxX, rect.minY, -1, 1),
            (.bottomRight, rect.maxX, rect.maxY, -1, -1), (.bottomLeft, rect.minX, rect.maxY, 1, -1),
        ]
        for (place, (corner, x, y, right, down)) in all.enumerated() {
            guard radius > 0, corners.contains(corner) else {
                addLine(to: CGPoint(x: x, y: y))
                continue
            }
            let angle = CGFloat(place + 2) * .pi / 2
            addArc(
                withCenter: CGPoint(x: x + right * radius, y: y + down * radius), radius: radius, startAngle: angle,
                endAngle: angle + .pi / 2, clockwise: true)
        }
        close()
    }

    /// Makes a part of a circle; see `addArc`.
    public convenience init(
        arcCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        self.init()
        addArc(withCenter: center, radius: radius, startAngle: startAngle, endAngle: endAngle, clockwise: clockwise)
    }

    // MARK: Outlines

    /// Begins another outline at a point.
    public func move(to point: CGPoint) {
        outlines.append([point])
        currentPoint = point
    }

    /// Adds a straight line; in an empty path it begins the outline.
    public func addLine(to point: CGPoint) {
        if isEmpty { return move(to: point) }
        outlines[outlines.endIndex - 1].append(point)
        currentPoint = point
    }

    /// Adds a cubic Bézier curve.
    public func addCurve(to end: CGPoint, controlPoint1: CGPoint, controlPoint2: CGPoint) {
        if isEmpty { move(to: controlPoint1) }
        let (from, one, two) = (currentPoint, controlPoint1, controlPoint2)
        // A curve is at most an eighth of its second derivative from its chord; the distance falls with the square of the
        // number of parts.
        let bend = 6 * max(one.bend(from, two), two.bend(one, end))
        let parts = min(max(1, (bend / 8 / Self.tolerance).squareRoot().rounded(.up)), 1000)
        for part in 1...Int(parts) {
            let t = CGFloat(part) / parts, u = 1 - t
            let (a, b, c, d) = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
            addLine(
                to: CGPoint(
                    x: a * from.x + b * one.x + c * two.x + d * end.x,
                    y: a * from.y + b * one.y + c * two.y + d * end.y))
        }
    }

    /// Adds a quadratic Bézier curve.
    public func addQuadCurve(to end: CGPoint, controlPoint: CGPoint) {
        let begin = isEmpty ? controlPoint : currentPoint
        addCurve(
            to: end, controlPoint1: begin.moved(by: 2 / 3, to: controlPoint),
            controlPoint2: end.moved(by: 2 / 3, to: controlPoint))
    }

    /// Adds a part of a circle, and a line to where it begins.
    /// - Parameters:
    ///   - center: the circle's center.
    ///   - radius: in points.
    ///   - startAngle: where it begins, in radians; 0 is to the right, and a quarter turn is down.
    ///   - endAngle: where it ends.
    ///   - clockwise: whether it runs from the right downwards. A whole circle has angles that are 2π apart.
    public func addArc(
        withCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) {
        let turn = 2 * CGFloat.pi, sign: CGFloat = clockwise ? 1 : -1
        var sweep = sign * (endAngle - startAngle)
        if sweep < 0 { sweep += turn * (-sweep / turn).rounded(.up) }
        addArc(
            center, CGSize(width: radius, height: radius), from: startAngle, by: sign * min(sweep, turn))
    }

    private func addArc(_ center: CGPoint, _ radii: CGSize, from start: CGFloat, by sweep: CGFloat) {
        // A chord over the angle 2a is r (1 - cos a) from its circle.
        let half = acos(1 - min(1, Self.tolerance / max(radii.width, radii.height, Self.tolerance)))
        let parts = max(1, (abs(sweep) / (2 * half)).rounded(.up))
        for part in 0...Int(parts) {
            let angle = start + sweep * CGFloat(part) / parts
            addLine(to: CGPoint(x: center.x + radii.width * cos(angle), y: center.y + radii.height * sin(angle)))
        }
    }

    /// Ends the outline with a line to its beginning; what follows begins there.
    public func close() { if let start = outlines.last?.first { move(to: start) } }

    /// Adds the outlines of another path.
    public func append(_ other: Path) {
        outlines += other.outlines
        currentPoint = other.currentPoint
    }

    /// Removes all outlines.
    public func removeAllPoints() { (outlines, currentPoint) = ([], .zero) }

    /// Transforms the outlines.
    public func apply(_ transform: CGAffineTransform) {
        outlines = outlines.map { $0.map { $0.applying(transform) } }
        currentPoint = currentPoint.applying(transform)
    }

    // MARK: Questions

    /// Whether the path has no outline.
    public var isEmpty: Bool { outlines.isEmpty }

    /// The smallest rectangle around the outlines; the null rectangle of an empty path.
    public var bounds: CGRect {
        let points = outlines.joined()
        let (x, y) = (points.map(\.x), points.map(\.y))
        guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max() else { return .null }
        return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Whether a point is inside; an outline that is not closed counts as closed.
    public func contains(_ point: CGPoint) -> Bool {
        var turns = 0
        for outline in outlines {
            guard var last = outline.last else { continue }
            for next in outline {
                defer { last = next }
                guard (last.y <= point.y) != (next.y <= point.y) else { continue }
                // Where the edge crosses the horizontal line through the point.
                let x = last.x + (point.y - last.y) / (next.y - last.y) * (next.x - last.x)
                if x > point.x { turns += next.y > last.y ? 1 : -1 }
            }
        }
        return usesEvenOddFillRule ? !turns.isMultiple(of: 2) : turns != 0
    }
}

/// Corners of a rectangle (`UIRectCorner`, with its raw values).
public nonisolated struct RectCorner: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Makes a set of corners from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Top left.
    public static let topLeft = RectCorner(rawValue: 1 << 0)
    /// Top right.
    public static let topRight = RectCorner(rawValue: 1 << 1)
    /// Bottom left.
    public static let bottomLeft = RectCorner(rawValue: 1 << 2)
    /// Bottom right.
    public static let bottomRight = RectCorner(rawValue: 1 << 3)
    /// Every corner.
    public static let allCorners = RectCorner(rawValue: .max)
}

extension CGPoint {
    /// The point at a fraction of the way to another.
    fileprivate func moved(by fraction: CGFloat, to other: CGPoint) -> CGPoint {
        CGPoint(x: x + fraction * (other.x - x), y: y + fraction * (other.y - y))
    }

    /// How far the point is from the straight line between its neighbors, doubled: the second difference.
    fileprivate func bend(_ before: CGPoint, _ after: CGPoint) -> CGFloat {
        hypot(before.x - 2 * x + after.x, before.y - 2 * y + after.y)
    }
}
