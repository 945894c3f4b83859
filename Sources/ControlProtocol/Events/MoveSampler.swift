/// Limits the rate of a touch's moves, so that a log shows a finger's path and not every step.
package struct MoveSampler {
    /// The minimum time between two moves of a touch, in seconds; nil to drop all moves.
    private let interval: Double?
    private var last: [(touch: Int, time: Double)] = []

    /// Creates a sampler; 0 drops all moves.
    package init(perSecond: Int) { interval = perSecond > 0 ? 1 / Double(perSecond) : nil }

    /// Whether to keep a move. Allocates nothing once the maximum number of simultaneous touches has been reached.
    package mutating func accepts(touch: Int, at time: Double) -> Bool {
        guard let interval else { return false }
        guard let index = last.firstIndex(where: { $0.touch == touch }) else {
            last.append((touch, time))
            return true
        }
        guard time - last[index].time >= interval else { return false }
        last[index].time = time
        return true
    }

    /// Forgets a touch that has ended.
    package mutating func forget(touch: Int) { last.removeAll { $0.touch == touch } }
}
