import Foundation

/// Where a view can be hit, in the coordinates of an index's root.
struct HitTestPlace {
    let area: HitTestArea
    /// `.placed` and `.exact`, where they hold.
    let traits: HitTestIndex.Traits
    /// What the view's subviews have in common.
    let inside: HitTestIndex.Surroundings
    /// How the view is turned, if its area is that around all of it.
    let shape: HitTestShape?

    init(of view: View, _ kind: HitTestIndex.Traits, _ around: HitTestIndex.Surroundings) {
        let geometry = view.geometry
        let (isExact, own) = Self.area(of: geometry, kind, around)
        area = own.intersection(around.area)
        if let turn = geometry.turn, !kind.contains(.asking), area == own, area != .everywhere {
            shape = HitTestShape(inverse: turn.inverse, size: geometry.bounds.size)
        } else {
            shape = nil
        }
        let isReached = around.isReached && !area.isEmpty && (view.isHittable || kind.contains(.asking))
        traits = (isReached ? .placed : HitTestIndex.Traits()).union(isExact ? .exact : [])
        inside = HitTestIndex.Surroundings(
            x: around.x + Double(geometry.origin.x - geometry.bounds.origin.x),
            y: around.y + Double(geometry.origin.y - geometry.bounds.origin.y),
            isExact: isExact, area: area, isReached: isReached, depth: around.depth + 1)
    }

    private static func area(
        of geometry: Geometry, _ kind: HitTestIndex.Traits, _ around: HitTestIndex.Surroundings
    ) -> (isExact: Bool, HitTestArea) {
        // A view that overrides hit-testing is asked wherever its superview is.
        if kind.contains(.asking) { return (around.isExact, .everywhere) }
        if geometry.isTransformed { return (false, transformedArea(of: geometry, around)) }
        let (bounds, origin) = (geometry.bounds, geometry.origin)
        let (left, top) = (around.x + Double(origin.x), around.y + Double(origin.y))
        // What lies beyond the farthest point that is looked up makes no difference.
        let right = min(left + Double(bounds.size.width), 2 * HitTestArea.farthest)
        let bottom = min(top + Double(bounds.size.height), 2 * HitTestArea.farthest)
        guard left.isFinite, top.isFinite else { return (false, .everywhere) }
        let isRound =
            around.isExact && HitTestArea.isRound(Double(origin.x)) && HitTestArea.isRound(Double(origin.y))
            && HitTestArea.isRound(Double(bounds.origin.x)) && HitTestArea.isRound(Double(bounds.origin.y))
            && HitTestArea.isRound(Double(bounds.size.width)) && HitTestArea.isRound(Double(bounds.size.height))
        if isRound, let area = HitTestArea(exactly: left, top, right, bottom) { return (true, area) }
        guard HitTestArea.isNear(left), HitTestArea.isNear(top) else { return (false, .everywhere) }
        return (false, HitTestArea(around: left, top, right, bottom))
    }

    /// The upright area around a transformed view.
    ///
    /// Where the transform cannot be undone, or only with much rounding, nothing is left out.
    private static func transformedArea(of geometry: Geometry, _ around: HitTestIndex.Surroundings) -> HitTestArea {
        guard let turn = geometry.turn, turn.isWellBehaved else { return .everywhere }
        let frame = geometry.frame
        let (left, top) = (around.x + Double(frame.origin.x), around.y + Double(frame.origin.y))
        let (right, bottom) = (left + Double(frame.size.width), top + Double(frame.size.height))
        guard HitTestArea.isNear(left), HitTestArea.isNear(top), HitTestArea.isNear(right), HitTestArea.isNear(bottom),
            HitTestArea.isNear(Double(geometry.bounds.origin.x)), HitTestArea.isNear(Double(geometry.bounds.origin.y))
        else { return .everywhere }
        return HitTestArea(around: left, top, right, bottom, margin: HitTestArea.certainty)
    }
}

extension Geometry.Turn {
    /// Whether what a transform and its inverse round stays far below `HitTestArea.certainty`.
    ///
    /// With numbers up to 64 the determinant, of which the inverse is made, is off by 2^-34 of itself at most, and
    /// coordinates of 2^20 points, 64 times enlarged, by 2^-8 points.
    fileprivate var isWellBehaved: Bool {
        let numbers = [
            transform.a, transform.b, transform.c, transform.d, inverse.a, inverse.b, inverse.c, inverse.d,
        ]
        return numbers.allSatisfy { abs($0) <= 64 } && HitTestArea.isNear(Double(transform.tx))
            && HitTestArea.isNear(Double(transform.ty)) && HitTestArea.isNear(Double(inverse.tx))
            && HitTestArea.isNear(Double(inverse.ty)) && transform.a * transform.d != transform.b * transform.c
    }
}
