import Evdev
import Foundation

/// Counts consecutive taps (`UITouch.tapCount`), separately for each device; it knows fingers by their touches' numbers.
///
/// A touch continues a series if it begins soon after the last tap was lifted, near it, and with the same number of
/// fingers; the limits are also those of `TapGestureRecognizer`.
struct TapCounter {
    /// The maximum time from a tap to the next, in seconds; touchd's value, as UIKit documents none.
    nonisolated static let longestPause: TimeInterval = 0.35
    /// The maximum movement of a finger and distance between taps, in points; touchd's value too.
    nonisolated static let longestDistance: CGFloat = 45

    /// The fingers of one device that are down together.
    private struct Group {
        var fingers: [Finger] = []
        var lastLift: TimeInterval = 0
        /// Whether a finger was cancelled or moved too far for a tap.
        var isNoTap = false
    }

    /// A finger of a group.
    private struct Finger {
        var number: Int
        /// The location where it came down, in its screen's coordinates.
        var origin: CGPoint
        var count = 1
        /// The finger of the last group that it continues.
        var predecessor: Int?
        var isDown = true
    }

    private var current: [DeviceID: Group] = [:]
    private var last: [DeviceID: Group] = [:]

    /// Adds a finger that comes down: its number, its location in its screen's coordinates, and the time in seconds.
    ///
    /// `count(of:on:isDelivered:)` may then differ for all fingers of the device: the second finger of a two-finger tap
    /// shows that both fingers continue the last two-finger tap.
    mutating func begin(_ number: Int, on device: DeviceID, at origin: CGPoint, _ time: TimeInterval) {
        var group = current[device] ?? Group()
        if !group.fingers.contains(where: \.isDown) {
            last[device] = group
            group = Group()
        }
        var finger = Finger(number: number, origin: origin)
        // Rounded to the kernel's microseconds.
        if let last = last[device], !last.isNoTap, time - last.lastLift <= Self.longestPause + 0.000_000_5 {
            finger.predecessor = last.fingers.indices.first { index in
                !group.fingers.contains { $0.predecessor == index }
                    && last.fingers[index].origin.distance(to: finger.origin) <= Self.longestDistance
            }
        }
        group.fingers.append(finger)
        current[device] = group
    }

    /// The number of consecutive taps of a finger that is down; nil if it is unknown.
    ///
    /// - Parameter isDelivered: Whether the finger's beginning was delivered. Until then it may still become part of a tap
    ///   with more fingers.
    mutating func count(of number: Int, on device: DeviceID, isDelivered: Bool) -> Int? {
        guard let group = current[device], let index = group.fingers.firstIndex(where: { $0.number == number }) else {
            return nil
        }
        let last = last[device]?.fingers ?? []
        if last.count == group.fingers.count, let predecessor = group.fingers[index].predecessor {
            current[device]?.fingers[index].count = last[predecessor].count + 1
        } else if !isDelivered {
            current[device]?.fingers[index].count = 1
        }
        return current[device]?.fingers[index].count
    }

    /// Records that a finger was lifted, at a location and a time as for `begin`.
    mutating func end(_ number: Int, on device: DeviceID, at place: CGPoint, _ time: TimeInterval) {
        lift(number, on: device) { finger, group in
            group.lastLift = time
            if finger.origin.distance(to: place) > Self.longestDistance { group.isNoTap = true }
        }
    }

    /// Records that a finger was cancelled, so it is not a tap.
    mutating func cancel(_ number: Int, on device: DeviceID) {
        lift(number, on: device) { _, group in group.isNoTap = true }
    }

    /// Removes the data of a device.
    mutating func forget(_ device: DeviceID) {
        current[device] = nil
        last[device] = nil
    }

    private mutating func lift(_ number: Int, on device: DeviceID, _ body: (Finger, inout Group) -> Void) {
        guard var group = current[device],
            let index = group.fingers.firstIndex(where: { $0.number == number && $0.isDown })
        else { return }
        group.fingers[index].isDown = false
        body(group.fingers[index], &group)
        current[device] = group
    }
}
