import Foundation

/// The touches of one kiosk that are down.
struct OpenTouches {
    /// The maximum number of touches, more than any kiosk has at once. Beyond it, touches without an end in the journal
    /// are dropped.
    static let capacity = 256

    private struct Key: Hashable {
        var run: TouchdEntry.Run
        var number: UInt64
    }

    private var touches: [Key: TouchdEntry.Touch] = [:]

    /// Adds a touch that began.
    mutating func begin(_ touch: TouchdEntry.Touch, in run: TouchdEntry.Run) {
        let key = Key(run: run, number: touch.number)
        if touches[key] == nil, touches.count == Self.capacity {
            // The oldest by its time. Touches of earlier boots have no comparable clock, and any of them may be
            // dropped.
            let oldest = touches.min { $0.value.time < $1.value.time }
            if let oldest { touches[oldest.key] = nil }
        }
        touches[key] = touch
    }

    /// Removes a touch that ended and returns its beginning; nil if the journal does not have it.
    mutating func end(_ touch: TouchdEntry.Touch, in run: TouchdEntry.Run) -> TouchdEntry.Touch? {
        touches.removeValue(forKey: Key(run: run, number: touch.number))
    }
}
