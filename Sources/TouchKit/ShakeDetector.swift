import Evdev
import Foundation

/// Detects shakes of a device from its accelerometer.
///
/// UIKit documents no values. Here a shake begins when the acceleration without gravity exceeds 0.8 of standard gravity
/// three times within 0.8 s, in alternating directions. It ends after 0.35 s below that limit. It is cancelled after 3
/// s, because UIKit cancels the motion of a device that is shaken too long.
struct ShakeDetector {
    /// The change of a shake's state.
    enum Change {
        case began
        case ended
        case cancelled
    }

    static let threshold = 0.8
    static let window: TimeInterval = 0.8
    private static let stillness: TimeInterval = 0.35
    static let longest: TimeInterval = 3

    private var gravity: Acceleration?
    private var lastSwing: Acceleration?
    private var swings: [TimeInterval] = []
    private var lastStrong: TimeInterval = 0
    private var began: TimeInterval?
    /// Whether the shake was cancelled and the device was not at rest since.
    private var isExhausted = false

    /// Whether the device is being shaken.
    private var isShaking: Bool { began != nil }

    /// Processes a measurement and returns the change, if any.
    mutating func process(_ measured: Acceleration, at timestamp: TimeInterval) -> Change? {
        let base = gravity ?? measured
        // A slow average follows gravity while the device is turned, and hardly follows a shake.
        let weight = 0.05
        gravity = Acceleration(
            x: base.x + weight * (measured.x - base.x), y: base.y + weight * (measured.y - base.y),
            z: base.z + weight * (measured.z - base.z))
        let swing = Acceleration(x: measured.x - base.x, y: measured.y - base.y, z: measured.z - base.z)
        let isStrong = (swing.x * swing.x + swing.y * swing.y + swing.z * swing.z).squareRoot() > Self.threshold
        if isStrong { noteStrong(swing, at: timestamp) }

        if let began {
            if timestamp - lastStrong > Self.stillness { return stop(.ended) }
            if timestamp - began > Self.longest {
                isExhausted = true
                return stop(.cancelled)
            }
            return nil
        }
        if isExhausted {
            // The swings of the shake that was cancelled do not begin another.
            (lastSwing, swings) = (nil, [])
            if timestamp - lastStrong > Self.stillness { isExhausted = false }
            return nil
        }
        guard swings.count >= 3 else { return nil }
        began = timestamp
        return .began
    }

    /// Cancels a shake because of an interruption.
    mutating func interrupt() -> Change? { isShaking ? stop(.cancelled) : nil }

    private mutating func noteStrong(_ swing: Acceleration, at timestamp: TimeInterval) {
        lastStrong = timestamp
        let turned = lastSwing.map { $0.x * swing.x + $0.y * swing.y + $0.z * swing.z < 0 } ?? true
        guard turned else { return }
        lastSwing = swing
        swings.removeAll { timestamp - $0 > Self.window }
        swings.append(timestamp)
    }

    private mutating func stop(_ change: Change) -> Change {
        began = nil
        lastSwing = nil
        swings = []
        return change
    }
}
