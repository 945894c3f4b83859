import Foundation

/// The touches of one kiosk that began and have not ended yet.
struct OpenTouches {
    /// More fingers than this are on no kiosk at once; touches that a journal never ends are let go beyond.
    static let capacity = 256

    private struct Key: Hashable {
        var run: TouchdEntry.Run
        var number: UInt64
    }

    private var touches: [Key: TouchdEntry.Touch] = [:]

    /// Notes a touch that began.
    mutating func begin(_ touch: TouchdEntry.Touch, in run: TouchdEntry.Run) {
        let key = Key(run: run, number: touch.number)
        if touches[key] == nil, touches.count == Self.capacity {
            // The oldest by its time; those of earlier boots have no common clock, and any of them will do.
            let oldest = touches.min { $0.value.time < $1.value.time }
            if let oldest { touches[oldest.key] = nil }
        }
        touches[key] = touch
    }

    /// The beginning of a touch that has ended; nil where the journal has none.
    mutating func end(_ touch: TouchdEntry.Touch, in run: TouchdEntry.Run) -> TouchdEntry.Touch? {
        touches.removeValue(forKey: Key(run: run, number: touch.number))
    }
}
