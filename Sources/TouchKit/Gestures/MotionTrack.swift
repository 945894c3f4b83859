import DequeModule
import Foundation

/// The recent history and velocity of a value: the location of a pan's fingers, or the value of a pinch.
///
/// A device reports nothing while a finger rests, so the velocity includes the time of rest and decays to 0 within
/// `memory`. A lift comes one report after the last move; that interval does not count as rest.
struct MotionTrack {
    /// The period that the velocity covers, in seconds: a few frames of any device, and shorter than a change of
    /// direction.
    static let memory: TimeInterval = 0.1

    private struct Step {
        var time: TimeInterval
        var place: CGPoint
    }

    private var steps: Deque<Step> = []

    var isEmpty: Bool { steps.isEmpty }
    /// The time of the last step.
    var lastTime: TimeInterval? { steps.last?.time }

    /// Adds a location, and removes those that are too old.
    mutating func append(_ place: CGPoint, at time: TimeInterval) {
        while let first = steps.first, first.time < time - Self.memory { steps.removeFirst() }
        steps.append(Step(time: time, place: place))
    }

    mutating func removeAll() { steps.removeAll(keepingCapacity: true) }

    /// The velocity in units per second, as of a time in seconds.
    func velocity(at time: TimeInterval) -> CGPoint {
        guard let last = steps.last else { return .zero }
        let interval = steps.count > 1 ? last.time - steps[steps.count - 2].time : 0
        let rest = max(0, time - last.time - interval)
        let start = last.time + rest - Self.memory
        for step in steps where step.time >= start {
            let duration = last.time + rest - step.time
            guard step.time < last.time, duration > 0 else { break }
            return CGPoint(
                x: (last.place.x - step.place.x) / duration, y: (last.place.y - step.place.y) / duration)
        }
        return .zero
    }
}

extension GestureRecognizer {
    /// The time for which velocities are computed, in seconds on the frames' clock: the event's time during delivery,
    /// otherwise the present.
    var velocityTime: TimeInterval {
        guard let application = environment?.application else { return 0 }
        let touches = application.touches
        guard touches.isBusy else { return application.currentTime }
        return max(touches.event.timestamp, application.gestures.timers.moment)
    }
}
