import Foundation

/// Finds the subviews that may contain a point, so that hit-testing tests few of them.
///
/// The index is a uniform grid in the superview's coordinates. Each cell lists the subviews whose frames overlap it,
/// back to front. Points and frames outside the grid belong to the cells at its edge. The grid excludes only subviews
/// that cannot contain the point; the hit-testing rule itself is `View.hitInside`. Subviews that override hit-testing and may
/// be hit outside their bounds, and those that overlap too many cells, are candidates for every point.
final class SubviewGrid {
    /// The number of subviews from which a grid is faster than asking each subview (`make bench-hittest`).
    static let threshold = 24
    /// A subview that overlaps more cells than this is a candidate for every point: it probably contains it.
    private static let mostCells = 64
    /// A tolerance in points, larger than any rounding error for coordinates up to `farthest` and the transforms
    /// allowed below.
    private static let margin = 1.0 / 64
    private static let farthest = 1e6
    /// The step between the orders of neighbors; it leaves room for 20 insertions at one place.
    private static let gap = 1 << 20

    private let origin: CGPoint
    /// Cells per point, in x and y.
    private let density: CGSize
    private let columns: Int
    private let rows: Int
    // Unchecked as `View.subviews` is.
    @exclusivity(unchecked) private var cells: [[View]]
    @exclusivity(unchecked) private var everywhere: [View] = []
    /// Incremented with every change, to detect that a program's method changed the subviews during a search.
    private var changeCount = 0

    /// A subview's entry in its superview's grid.
    struct GridEntry {
        /// Increases from back to front.
        var order = 0
        /// The cells that the subview overlaps; nil if it is a candidate for every point.
        var cells: Cells?
    }

    /// A rectangle of cells, bounds included.
    struct Cells: Equatable {
        var left: Int16
        var top: Int16
        var right: Int16
        var bottom: Int16

        var count: Int { (Int(right - left) + 1) * (Int(bottom - top) + 1) }
    }

    /// Makes a grid from subviews, back to front.
    init(of subviews: [View]) {
        let (x, y, mean) = Self.spread(of: subviews)
        let count = Double(max(1, subviews.count))
        // About two subviews in each cell, and cells at least as large as the subviews.
        let side = (8 * x.reach * y.reach / count).squareRoot()
        let width = max(side, min(mean.width, 2 * x.reach))
        let height = max(side, min(mean.height, 2 * y.reach))
        columns = min(1024, Int(2 * x.reach / width) + 1)
        rows = min(1024, Int(2 * y.reach / height) + 1)
        origin = CGPoint(x: x.mean - x.reach, y: y.mean - y.reach)
        density = CGSize(width: Double(columns) / (2 * x.reach), height: Double(rows) / (2 * y.reach))
        cells = Array(repeating: [], count: columns * rows)
        for (number, view) in subviews.enumerated() {
            view.gridPlace.order = number * Self.gap
            add(view)
        }
    }

    /// The spread of the subviews' centers, and their mean size. Loops, because each closure would check its thread: a grid of
    /// 2,000 subviews took a millisecond, for which a touch waited.
    private static func spread(
        of subviews: [View]
    ) -> (x: (mean: Double, reach: Double), y: (mean: Double, reach: Double), size: CGSize) {
        var (x, y, width, height, count) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for view in subviews {
            let frame = view.geometry.frame
            guard isNear(frame) else { continue }
            (x, y, width, height, count) =
                (x + frame.midX, y + frame.midY, width + frame.width, height + frame.height, count + 1)
        }
        count = max(1, count)
        (x, y) = (x / count, y / count)
        var variance = (x: 0.0, y: 0.0)
        for view in subviews {
            let frame = view.geometry.frame
            guard isNear(frame) else { continue }
            variance.x += (frame.midX - x) * (frame.midX - x) / count
            variance.y += (frame.midY - y) * (frame.midY - y) / count
        }
        // Two standard deviations cover evenly spread frames; a few distant frames do not stretch the grid.
        return (
            (x, 2 * variance.x.squareRoot() + 1), (y, 2 * variance.y.squareRoot() + 1),
            CGSize(width: width / count, height: height / count)
        )
    }

    /// Tests the candidates at a point, from front to back, with the same result as testing all subviews.
    func hit(_ point: CGPoint, with event: Event?, in superview: View) -> View? {
        let (near, far) = (cells[column(point.x) + row(point.y) * columns], everywhere)
        var (nearCount, farCount) = (near.count, far.count)
        while nearCount > 0 || farCount > 0 {
            let isNear =
                farCount == 0
                || nearCount > 0 && near[nearCount - 1].gridPlace.order > far[farCount - 1].gridPlace.order
            if isNear { nearCount -= 1 } else { farCount -= 1 }
            let candidate = isNear ? near[nearCount] : far[farCount]
            if candidate.isHitTestedPlainly {
                if let hit = candidate.hit(fromSuperview: point, with: event) { return hit }
                continue
            }
            let (siblings, count) = (superview.subviews, changeCount)
            if let hit = candidate.hit(fromSuperview: point, with: event) { return hit }
            if changeCount != count {
                // The method changed the subviews. The search continues through the old list, as it does without a
                // grid.
                let place = siblings.firstIndex { $0 === candidate } ?? 0
                return View.hit(siblings, before: place, point, with: event)
            }
        }
        return nil
    }

    // MARK: Changes

    /// Adds a subview that is already in the list; returns false if no order is free between its neighbors.
    func insert(_ view: View, at place: Int, of subviews: [View]) -> Bool {
        changeCount += 1
        let rear = place > 0 ? subviews[place - 1].gridPlace.order : nil
        let front = place + 1 < subviews.count ? subviews[place + 1].gridPlace.order : nil
        switch (rear, front) {
        case (nil, nil): view.gridPlace.order = 0
        case (let rear?, nil): view.gridPlace.order = rear + Self.gap
        case (nil, let front?): view.gridPlace.order = front - Self.gap
        case (let rear?, let front?):
            guard front - rear > 1 else { return false }
            view.gridPlace.order = rear + (front - rear) / 2
        }
        add(view)
        return true
    }

    /// Removes a subview.
    func remove(_ view: View) {
        changeCount += 1
        guard let place = view.gridPlace.cells else { return Self.remove(view, from: &everywhere) }
        for row in place.top...place.bottom {
            for column in place.left...place.right {
                Self.remove(view, from: &cells[Int(column) + Int(row) * columns])
            }
        }
    }

    /// Updates a subview after a change of its frame or of `isHitTestedPlainly`.
    func update(_ view: View) {
        changeCount += 1
        guard overlapped(by: view) != view.gridPlace.cells else { return }
        remove(view)
        add(view)
    }

    private func add(_ view: View) {
        view.gridPlace.cells = overlapped(by: view)
        guard let place = view.gridPlace.cells else { return Self.add(view, to: &everywhere) }
        for row in place.top...place.bottom {
            for column in place.left...place.right { Self.add(view, to: &cells[Int(column) + Int(row) * columns]) }
        }
    }

    private static func add(_ view: View, to list: inout [View]) {
        list.insert(view, at: end(of: view.gridPlace.order, in: list))
    }

    private static func remove(_ view: View, from list: inout [View]) {
        let place = end(of: view.gridPlace.order, in: list) - 1
        if place >= 0, list[place] === view { list.remove(at: place) }
    }

    /// The index after the last view whose order is at most `order`.
    private static func end(of order: Int, in list: [View]) -> Int {
        var (low, high) = (0, list.count)
        if let last = list.last, last.gridPlace.order <= order { return high }
        while low < high {
            let middle = (low + high) / 2
            if list[middle].gridPlace.order <= order { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Cells

    /// The cells that a subview's frame overlaps; nil if it is a candidate for every point.
    private func overlapped(by view: View) -> Cells? {
        let frame = view.geometry.frame
        guard view.isHitTestedPlainly || view.isHitInBoundsOnly, view.geometry.isWellConditioned, Self.isNear(frame)
        else { return nil }
        let place = Cells(
            left: Int16(column(frame.minX - Self.margin)), top: Int16(row(frame.minY - Self.margin)),
            right: Int16(column(frame.maxX + Self.margin)), bottom: Int16(row(frame.maxY + Self.margin)))
        return place.count <= Self.mostCells ? place : nil
    }

    private static func isNear(_ frame: CGRect) -> Bool {
        // The comparisons also reject NaN.
        abs(frame.minX) <= farthest && abs(frame.minY) <= farthest && abs(frame.maxX) <= farthest
            && abs(frame.maxY) <= farthest
    }

    private func column(_ x: CGFloat) -> Int { Self.index((x - origin.x) * density.width, below: columns) }

    private func row(_ y: CGFloat) -> Int { Self.index((y - origin.y) * density.height, below: rows) }

    /// The index of a coordinate in cells; coordinates outside belong to the cells at the edge.
    @inline(__always)
    private static func index(_ cell: CGFloat, below count: Int) -> Int {
        cell >= 1 ? cell < CGFloat(count) ? Int(cell) : count - 1 : 0
    }
}

extension Geometry {
    /// Whether "in the view" equals "in its frame" within the grid's tolerance: the transform scales neither to almost
    /// nothing nor enough to make rounding matter.
    fileprivate var isWellConditioned: Bool {
        guard isTransformed else { return true }
        let transform = transform
        return abs(transform.a * transform.d - transform.b * transform.c) > 0.01
            && max(abs(transform.a), abs(transform.b), abs(transform.c), abs(transform.d)) < 100
    }
}
