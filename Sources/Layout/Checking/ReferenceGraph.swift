/// The references between a layout's parts: handlers that run handlers, gestures that wait for gestures, views that
/// redirect to views.
///
/// The search is iterative: a chain of 100,000 parts needs no more stack than a chain of two.
nonisolated struct ReferenceGraph {
    private var targets: [[Int32]]

    init(count: Int) { targets = Array(repeating: [], count: count) }

    mutating func add(from part: Int, to target: Int) { targets[part].append(Int32(target)) }

    func targets(of part: Int) -> [Int32] { targets[part] }

    /// The result of a search.
    struct Result {
        /// The circles of references, each from the part that was reached first. There are at most as many as there can
        /// be findings, and no two share both ends.
        var circles: [[Int]] = []
        /// All parts; each comes after the parts that it refers to.
        var order: [Int] = []
        /// The number of visited parts and references.
        var steps = 0
    }

    /// Visits every part once.
    func search() -> Result {
        var result = Result()
        result.order.reserveCapacity(targets.count)
        // The position of a part on the current path; -1 before the visit, -2 after it.
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
    /// `a → b → c`; a long list is shortened to its first and last names.
    var way: String {
        guard count > 10 else { return joined(separator: " → ") }
        return (prefix(5) + ["… (\(count - 7) more)"] + suffix(2)).joined(separator: " → ")
    }
}
