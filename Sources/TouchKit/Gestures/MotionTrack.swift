import DequeModule
import Foundation

/// Where something was in the last moments, and how fast it moves: a pan's fingers, or the value of a pinch.
///
/// A device reports nothing while a finger rests, so the velocity counts the rest as well: it decays to 0 within `memory`.
/// A lift comes one report after the last move, which is no rest.
struct MotionTrack {
    /// How far back the velocity looks, in seconds: a few frames of any device, and shorter than a change of mind.
    static let memory: TimeInterval = 0.1

    private struct Step {
        var time: TimeInterval
        var place: CGPoint
    }

    private var steps: Deque<Step> = []

    var isEmpty: Bool { steps.isEmpty }
    /// The time of the last step.
    var lastTime: TimeInterval? { steps.last?.time }

    /// Adds a place, and forgets those that are too long ago.
    mutating func append(_ place: CGPoint, at time: TimeInterval) {
        while let first = steps.first, first.time < time - Self.memory { steps.removeFirst() }
        steps.append(Step(time: time, place: place))
    }

    mutating func removeAll() { steps.removeAll(keepingCapacity: true) }

    /// How far the place moves in a second, as of a time in seconds.
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
    /// The time that velocities are as of: that of the event while one is delivered, otherwise the present, in seconds on the
    /// clock of the devices' frames.
    var velocityTime: TimeInterval {
        guard let application = environment?.application else { return 0 }
        let touches = application.touches
        return touches.isBusy ? max(touches.event.timestamp, application.gestures.timers.moment) : application.currentTime
    }
}
