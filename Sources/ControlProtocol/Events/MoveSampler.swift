import Foundation

/// Lets some of a touch's moves through, so that a log shows where a finger went and not every step of it.
package struct MoveSampler {
    /// The time between two moves of one touch, in seconds; nil to let none through.
    private let interval: TimeInterval?
    private var last: [(touch: Int, time: TimeInterval)] = []

    /// Makes a sampler; 0 a second means none.
    package init(perSecond: Int) { interval = perSecond > 0 ? 1 / TimeInterval(perSecond) : nil }

    /// Whether to let a move through; allocates nothing once as many touches as ever were down.
    package mutating func takes(touch: Int, at time: TimeInterval) -> Bool {
        guard let interval else { return false }
        guard let index = last.firstIndex(where: { $0.touch == touch }) else {
            last.append((touch, time))
            return true
        }
        guard time - last[index].time >= interval else { return false }
        last[index].time = time
        return true
    }

    /// Forgets a touch that is over.
    package mutating func forget(touch: Int) { last.removeAll { $0.touch == touch } }
}
