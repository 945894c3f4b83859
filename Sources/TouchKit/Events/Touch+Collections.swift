import Foundation

extension [Touch] {
    /// The mean of a location of each touch; zero for an empty array.
    func middle(_ place: (Touch) -> CGPoint) -> CGPoint {
        guard !isEmpty else { return .zero }
        var sum = CGPoint.zero
        for touch in self {
            let point = place(touch)
            sum.x += point.x
            sum.y += point.y
        }
        return CGPoint(x: sum.x / CGFloat(count), y: sum.y / CGFloat(count))
    }

    /// The mean of the touches' locations in their screen's coordinates; zero for an empty array.
    var middle: CGPoint {
        guard !isEmpty else { return .zero }
        var sum = CGPoint.zero
        for touch in self {
            sum.x += touch.screenLocation.x
            sum.y += touch.screenLocation.y
        }
        return CGPoint(x: sum.x / CGFloat(count), y: sum.y / CGFloat(count))
    }
}

extension Set<Touch> {
    /// The touches in the order in which they began.
    var inOrder: [Touch] { count == 1 ? Array(self) : sorted { $0.id < $1.id } }
}

nonisolated extension Array where Element: AnyObject {
    /// Whether the array contains this object, by identity.
    @inline(__always)
    func holds(_ object: Element) -> Bool {
        for place in indices where self[place] === object { return true }
        return false
    }

    /// Removes an object by identity; the array contains it at most once.
    mutating func removeOne(_ object: Element) {
        for place in indices where self[place] === object {
            remove(at: place)
            return
        }
    }
}
