/// What a layout's parts refer to: handlers run handlers, gestures wait for gestures, views redirect to views.
///
/// The search is iterative: a chain of 100,000 parts takes no more of the stack than two.
nonisolated struct ReferenceGraph {
    private var targets: [[Int32]]

    init(count: Int) { targets = Array(repeating: [], count: count) }

    mutating func add(from part: Int, to target: Int) { targets[part].append(Int32(target)) }

    func targets(of part: Int) -> [Int32] { targets[part] }

    /// What a search found.
    struct Result {
        /// Parts that refer to each other in a circle, each circle from the part that was reached first; at most as many as
        /// there can be findings, and none that shares both of its ends with one before it.
        var circles: [[Int]] = []
        /// All parts, each after those that it refers to.
        var order: [Int] = []
        /// How many parts and references the search looked at.
        var steps = 0
    }

    /// Looks at every part once.
    func search() -> Result {
        var result = Result()
        result.order.reserveCapacity(targets.count)
        // Where a part is on the way from a start; -1 before it is reached, -2 when it is done.
        var positions = Array(repeating: Int32(-1), count: targets.count)
        var isInCircle = Array(repeating: false, count: targets.count)
        var way: [(part: Int, next: Int)] = []
        for start in targets.indices where positions[start] == -1 {
            positions[start] = 0
            way.append((start, 0))
            while let (part, next) = way.last {
                result.steps += 1
                guard next < targets[part].count else {
                    positions[part] = -2
                    result.order.append(part)
                    way.removeLast()
                    continue
                }
                way[way.count - 1].next += 1
                let target = Int(targets[part][next])
                if positions[target] == -1 {
                    positions[target] = Int32(way.count)
                    way.append((target, 0))
                } else if positions[target] >= 0, !(isInCircle[target] && isInCircle[part]),
                    result.circles.count < LayoutLimit.findings
                {
                    let circle = way[Int(positions[target])...].map(\.part)
                    result.steps += circle.count
                    for part in circle { isInCircle[part] = true }
                    result.circles.append(circle)
                }
            }
        }
        return result
    }
}

nonisolated extension [String] {
    /// `a → b → c`; of many names the first and the last.
    var way: String {
        guard count > 10 else { return joined(separator: " → ") }
        return (prefix(5) + ["… (\(count - 7) more)"] + suffix(2)).joined(separator: " → ")
    }
}
