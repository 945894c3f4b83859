import Evdev
import Foundation

/// Counts consecutive taps (`UITouch.tapCount`), separately for each device.
///
/// A touch continues a series if it begins soon after the last tap was lifted, near it, and with the same number of
/// fingers; the limits are those of `TapGestureRecognizer`.
struct TapCounter {
    /// The fingers of one device that are down together.
    private struct Group {
        var fingers: [Finger] = []
        var lastLift: TimeInterval = 0
        /// Whether a finger was cancelled or moved too far for a tap.
        var isNoTap = false
    }

    /// A finger of a group.
    private struct Finger {
        var touch: Int
        /// The location where it came down, in its screen's coordinates.
        var origin: CGPoint
        var count = 1
        /// The finger of the last group that it continues.
        var predecessor: Int?
        var isDown = true
    }

    private var current: [DeviceID: Group] = [:]
    private var last: [DeviceID: Group] = [:]

    /// Sets the tap count of a touch that begins, and updates that of the device's other touches: the second finger of
    /// a two-finger tap shows that both fingers continue the last two-finger tap.
    mutating func begin(_ touch: Touch, others: [Touch]) {
        let device = touch.device
        var group = current[device] ?? Group()
        if !group.fingers.contains(where: \.isDown) {
            last[device] = group
            group = Group()
        }
        var finger = Finger(touch: touch.id, origin: touch.screenLocation)
        if let last = last[device], !last.isNoTap, Self.isShort(touch.timestamp - last.lastLift) {
            finger.predecessor = last.fingers.indices.first { index in
                !group.fingers.contains { $0.predecessor == index }
                    && last.fingers[index].origin.distance(to: finger.origin) <= TapGestureRecognizer.longestDistance
            }
        }
        group.fingers.append(finger)
        let last = last[device]?.fingers ?? []
        for touch in others + [touch] {
            guard let index = group.fingers.firstIndex(where: { $0.touch == touch.id }) else { continue }
            if last.count == group.fingers.count, let predecessor = group.fingers[index].predecessor {
                group.fingers[index].count = last[predecessor].count + 1
            } else if touch.phase == .began && touch.isPending {
                // The touch is not delivered yet, so it may still become part of a tap with more fingers.
                group.fingers[index].count = 1
            }
            touch.tapCount = group.fingers[index].count
        }
        current[device] = group
    }

    /// Whether an interval is short enough, rounded to the kernel's microseconds.
    private static func isShort(_ pause: TimeInterval) -> Bool {
        pause <= TapGestureRecognizer.longestPause + 0.000_000_5
    }

    /// Records that a touch was lifted.
    mutating func end(_ touch: Touch) {
        change(touch) { finger, group in
            group.lastLift = touch.timestamp
            if finger.origin.distance(to: touch.screenLocation) > TapGestureRecognizer.longestDistance {
                group.isNoTap = true
            }
        }
    }

    /// Records that a touch was cancelled, so it is not a tap.
    mutating func cancel(_ touch: Touch) {
        change(touch) { _, group in group.isNoTap = true }
    }

    /// Removes the data of a device.
    mutating func forget(_ device: DeviceID) {
        current[device] = nil
        last[device] = nil
    }

    private mutating func change(_ touch: Touch, _ body: (Finger, inout Group) -> Void) {
        guard var group = current[touch.device],
            let index = group.fingers.firstIndex(where: { $0.touch == touch.id && $0.isDown })
        else { return }
        group.fingers[index].isDown = false
        body(group.fingers[index], &group)
        current[touch.device] = group
    }
}

extension CGPoint {
    /// The distance to another point.
    func distance(to other: CGPoint) -> CGFloat {
        let (x, y) = (other.x - self.x, other.y - self.y)
        return (x * x + y * y).squareRoot()
    }
}
