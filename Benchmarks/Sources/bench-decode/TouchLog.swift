/// The touches that a reader reported, each with its path, in millionths of the surface.
struct TouchLog {
    struct Touch: Equatable {
        enum End { case lifted, cancelled }
        var slot: Int32
        var way: [Point]
        var end: End?
    }

    struct Point: Equatable {
        var x: Double
        var y: Double

        /// Both divide by the same range, in another order: they may differ in the last bits.
        static func == (left: Self, right: Self) -> Bool { abs(left.x - right.x) < 0.5 && abs(left.y - right.y) < 0.5 }
    }

    private(set) var touches: [Touch] = []
    private var down: [Int32: Int] = [:]

    mutating func began(_ slot: Int32, at point: Point) {
        down[slot] = touches.count
        touches.append(Touch(slot: slot, way: [point]))
    }

    /// A move without a change of position, as when only the pressure changed, does not count.
    mutating func moved(_ slot: Int32, to point: Point) {
        guard let index = down[slot], touches[index].way.last != point else { return }
        touches[index].way.append(point)
    }

    mutating func ended(_ slot: Int32, _ end: Touch.End) {
        if let index = down.removeValue(forKey: slot) { touches[index].end = end }
    }

    /// How many touches of two logs are the same, point by point to the end, taken in the order in which they began.
    func agreement(with other: TouchLog) -> Int { zip(touches, other.touches).count { $0 == $1 } }
}
