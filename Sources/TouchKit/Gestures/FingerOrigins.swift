import Foundation

/// The locations at which a gesture's fingers came down, in their screen's coordinates and in order.
struct FingerOrigins {
    private(set) var fingers: [(touch: Touch, place: CGPoint)] = []

    var count: Int { fingers.count }
    var isEmpty: Bool { fingers.isEmpty }
    /// The origin of the first finger.
    var firstPlace: CGPoint? { fingers.first?.place }

    /// Adds fingers; their current locations are their origins.
    mutating func add(_ touches: Set<Touch>) {
        for touch in touches.inOrder { fingers.append((touch, touch.screenLocation)) }
    }

    mutating func removeAll() { fingers.removeAll(keepingCapacity: true) }

    /// Whether a finger is farther than `distance`, in points, from its origin.
    func hasFinger(beyond distance: CGFloat) -> Bool {
        for index in fingers.indices
        where fingers[index].touch.screenLocation.distance(to: fingers[index].place) > distance { return true }
        return false
    }
}
