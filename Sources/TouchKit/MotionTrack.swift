import DequeModule
import Foundation

/// The recent history and velocity of a value: the location of a pan's fingers, or the value of a pinch.
///
/// The velocity is the slope, at the last location, of the parabola with the least sum of squared distances from the
/// locations of the last tenth of a second, as Android and Flutter have it. A device reports nothing while a finger
/// rests, so after a rest the velocity is zero, and the locations before a rest do not count.
struct MotionTrack {
    /// The period that the velocity covers, in seconds: a few frames of any device, and shorter than a change of
    /// direction.
    static let memory: TimeInterval = 0.1
    /// The time in seconds without a location after which a finger rests; longer for a slow device.
    static let rest: TimeInterval = 0.04

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
        guard let last = steps.last, steps.count > 1 else { return .zero }
        let limit = max(Self.rest, 1.5 * (last.time - steps[steps.count - 2].time))
        guard time - last.time <= limit else { return .zero }
        var first = steps.count - 1
        while first > 0, steps[first].time - steps[first - 1].time <= limit,
            last.time - steps[first - 1].time <= Self.memory
        {
            first -= 1
        }
        return slope(since: first)
    }

    /// The slope at the last step of the parabola through the steps from `first` on; of a line if there are only two.
    private func slope(since first: Int) -> CGPoint {
        // The sums of the powers of time, and of their products with the places, relative to the last step.
        var (n, t1, t2, t3, t4) = (0.0, 0.0, 0.0, 0.0, 0.0)
        var (x, y) = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        let last = steps[steps.count - 1]
        for step in steps[first...] {
            let time = step.time - last.time
            let (dx, dy) = (step.place.x - last.place.x, step.place.y - last.place.y)
            n += 1
            t1 += time
            t2 += time * time
            t3 += time * time * time
            t4 += time * time * time * time
            x = (x.0 + dx, x.1 + dx * time, x.2 + dx * time * time)
            y = (y.0 + dy, y.1 + dy * time, y.2 + dy * time * time)
        }
        guard n > 2 else {
            let line = n * t2 - t1 * t1
            guard line > 0 else { return .zero }
            return CGPoint(x: (n * x.1 - t1 * x.0) / line, y: (n * y.1 - t1 * y.0) / line)
        }
        // Cramer's rule for the linear term of the normal equations.
        let parabola = n * (t2 * t4 - t3 * t3) - t1 * (t1 * t4 - t3 * t2) + t2 * (t1 * t3 - t2 * t2)
        func linear(_ sums: (Double, Double, Double)) -> Double {
            (n * (sums.1 * t4 - sums.2 * t3) - sums.0 * (t1 * t4 - t3 * t2) + t2 * (t1 * sums.2 - t2 * sums.1))
                / parabola
        }
        return parabola > 0 ? CGPoint(x: linear(x), y: linear(y)) : .zero
    }
}

extension GestureRecognizer {
    /// The time for which velocities are computed, in seconds on the frames' clock: the event's time during delivery,
    /// otherwise the present.
    var velocityTime: TimeInterval {
        guard let application = environment?.application else { return 0 }
        let touches = application.touches
        guard touches.isBusy else { return application.currentTime }
        return max(touches.event.timestamp, application.timers.moment)
    }
}
