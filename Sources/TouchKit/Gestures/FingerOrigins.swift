import Foundation

/// Where the fingers of a gesture came down, in their screen's coordinates, in the order in which they did.
struct FingerOrigins {
    private(set) var fingers: [(touch: Touch, place: CGPoint)] = []

    var count: Int { fingers.count }
    var isEmpty: Bool { fingers.isEmpty }
    /// Where the first came down.
    var firstPlace: CGPoint? { fingers.first?.place }

    /// Adds fingers that are where they came down.
    mutating func add(_ touches: Set<Touch>) {
        for touch in touches.inOrder { fingers.append((touch, touch.screenLocation)) }
    }

    mutating func removeAll() { fingers.removeAll(keepingCapacity: true) }

    /// Whether one of the fingers is farther from where it came down than so many points.
    func hasFinger(beyond distance: CGFloat) -> Bool {
        for index in fingers.indices
        where fingers[index].touch.screenLocation.distance(to: fingers[index].place) > distance { return true }
        return false
    }
}
