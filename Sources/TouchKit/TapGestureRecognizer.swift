import Evdev
import Foundation

/// Recognizes one or more taps with one or more fingers (`UITapGestureRecognizer`). Discrete.
open class TapGestureRecognizer: GestureRecognizer {
    /// The number of consecutive taps; 1 by default.
    public var numberOfTapsRequired = 1
    /// The number of fingers that must be down together in each tap; 1 by default.
    public var numberOfTouchesRequired = 1

    // UIKit documents none of these values; they are touchd's.

    /// The maximum duration of a tap, in seconds.
    package nonisolated static let longestTap: TimeInterval = 0.75
    /// The maximum time from a tap to the next, in seconds.
    static let longestPause: TimeInterval = 0.35
    /// The maximum movement of a finger and distance between taps, in points.
    package nonisolated static let longestDistance: CGFloat = 45

    private var origins = FingerOrigins()
    private var taps = 0
    private var hasEnoughTouches = false
    private var firstPlace: CGPoint?
    private var firstTap: [Touch] = []

    /// Whether the recognizer has counted a tap and waits for the next.
    open override var awaitsMoreTouches: Bool { taps > 0 && state == .possible }

    /// The number of fingers of the first tap, which need not lift together.
    open override var numberOfTouches: Int { firstTap.isEmpty ? super.numberOfTouches : firstTap.count }

    override func continues(with touch: Touch) -> Bool {
        firstPlace.map { touch.screenLocation.distance(to: $0) <= Self.longestDistance } ?? true
    }

    /// The center of the first tap's fingers, in a view's coordinates; with nil, in the window's.
    open override func location(in view: View?) -> CGPoint {
        firstTap.isEmpty ? super.location(in: view) : firstTap.middle { $0.location(in: view) }
    }

    /// The location of one finger of the first tap, in a view's coordinates; with nil, in the window's.
    open override func location(ofTouch index: Int, in view: View?) -> CGPoint {
        guard firstTap.indices.contains(index) else { return super.location(ofTouch: index, in: view) }
        return firstTap[index].location(in: view)
    }

    /// Counts fingers; fails for too many, or for one too far from the first tap.
    open override func touchesBegan(_ touches: Set<Touch>, with event: Event) {
        let isFirst = origins.isEmpty
        origins.add(touches)
        firstPlace = firstPlace ?? origins.firstPlace
        guard origins.count <= numberOfTouchesRequired else { return state = .failed }
        guard isFirst else { return checkCount() }
        if let firstPlace, let place = origins.firstPlace, place.distance(to: firstPlace) > Self.longestDistance {
            return state = .failed
        }
        wait(until: event.timestamp + Self.longestTap, for: .failed)
        checkCount()
    }

    /// Fails if a finger moves too far from its origin.
    open override func touchesMoved(_ touches: Set<Touch>, with event: Event) {
        if origins.hasFinger(beyond: Self.longestDistance) { state = .failed }
    }

    /// Counts a tap when all fingers have lifted; recognizes the last one.
    open override func touchesEnded(_ touches: Set<Touch>, with event: Event) {
        guard hasEnoughTouches else { return state = .failed }
        guard origins.fingers.allSatisfy(\.touch.isOver) else { return }
        taps += 1
        if firstTap.isEmpty { firstTap = origins.fingers.map(\.touch) }
        origins.removeAll()
        hasEnoughTouches = false
        stopWaiting()
        if taps >= numberOfTapsRequired { return state = .ended }
        wait(until: event.timestamp + Self.longestPause, for: .failed)
    }

    /// Fails.
    open override func touchesCancelled(_ touches: Set<Touch>, with event: Event) { state = .failed }

    /// Clears the taps.
    open override func reset() {
        super.reset()
        origins.removeAll()
        firstTap = []
        taps = 0
        hasEnoughTouches = false
        firstPlace = nil
    }

    /// Returns false for a tap recognizer with more taps or fingers: both start alike, and the other recognizes later.
    open override func canPrevent(_ other: GestureRecognizer) -> Bool {
        guard let tap = other as? TapGestureRecognizer else { return super.canPrevent(other) }
        return tap.numberOfTapsRequired <= numberOfTapsRequired
            && tap.numberOfTouchesRequired <= numberOfTouchesRequired
    }

    private func checkCount() {
        if origins.count == numberOfTouchesRequired { hasEnoughTouches = true }
    }
}

// MARK: - Counting

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
