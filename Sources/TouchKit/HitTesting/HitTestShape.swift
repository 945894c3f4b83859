import Foundation

/// What an index keeps of how transformed views are turned: the map into their own coordinates, and their size.
///
/// With it and the middle of a view's area a search knows of most points whether they are in the view, without looking at
/// the view, which lies somewhere in memory. Views that are turned alike share one.
struct HitTestShape: Equatable {
    private let a: Double
    private let b: Double
    private let c: Double
    private let d: Double
    private let halfWidth: Double
    private let halfHeight: Double

    /// How far the middle of an area may be off, for each point of its greatest coordinate: an edge is rounded to a `Float`
    /// and put one step outwards, which is less than two steps of 2^-23.
    private static let coarseness = 1.0 / 4_194_304

    /// The shape of a transformed view.
    init(inverse: CGAffineTransform, size: CGSize) {
        (a, b, c, d) = (Double(inverse.a), Double(inverse.b), Double(inverse.c), Double(inverse.d))
        (halfWidth, halfHeight) = (Double(size.width) / 2, Double(size.height) / 2)
    }

    /// Where a point is, as far as the shape can tell.
    /// - Parameter area: the area around the whole view, not cut by those around it.
    @inline(__always)
    func position(of point: CGPoint, in area: HitTestArea) -> HitTestArea.Position {
        let (left, top, right, bottom) = (
            Double(area.left), Double(area.top), Double(area.right), Double(area.bottom)
        )
        let (x, y) = (Double(point.x) - (left + right) / 2, Double(point.y) - (top + bottom) / 2)
        let farthest = max(max(abs(left), abs(right)), max(abs(top), abs(bottom)))
        // What the views' own steps round is far below the margin, as `Turn.isWellBehaved` says.
        let error = 2 * HitTestArea.margin + farthest * Self.coarseness
        let (acrossError, downError) = (error * (abs(a) + abs(c)), error * (abs(b) + abs(d)))
        let (across, down) = (abs(a * x + c * y) - halfWidth, abs(b * x + d * y) - halfHeight)
        if across > acrossError || down > downError { return .outside }
        return across < -acrossError && down < -downError ? .inside : .uncertain
    }
}

/// The shapes of an index: few, since a view that finds no room for its own can do without.
struct HitTestShapes: ~Copyable {
    private var shapes = PlainBlock<HitTestShape>()
    private static let most = 64

    subscript(_ number: UInt8) -> HitTestShape {
        @inline(__always) get { shapes[Int(number) - 1] }
    }

    /// The number of a shape, from 1; 0 if there is no room for it among those of so many views.
    mutating func number(of shape: HitTestShape, among viewCount: Int) -> UInt8 {
        for place in shapes.indices where shapes[place] == shape { return UInt8(place + 1) }
        // Three bytes a view at most.
        guard shapes.count < min(Self.most, 4 + viewCount / 16) else { return 0 }
        shapes.append(shape)
        return UInt8(shapes.count)
    }

    mutating func removeAll() { shapes.removeAll() }
}
