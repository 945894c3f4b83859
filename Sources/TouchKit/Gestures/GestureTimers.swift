import EventLoop
import Evdev
import Foundation

/// Moments on the clock of the devices' frames at which something is to be done.
///
/// Frames carry that clock on: what is due is done before the next frame is looked at, so a recording gives the same
/// result at any speed. Attached to a run loop, the loop's monotonic clock carries it on too, as it is the same clock.
final class GestureTimers {
    /// A moment and what is done then.
    final class Timer {
        let deadline: TimeInterval
        fileprivate var body: (() -> Void)?

        fileprivate init(deadline: TimeInterval, body: @escaping () -> Void) {
            self.deadline = deadline
            self.body = body
        }

        /// Makes sure that it is not done.
        func cancel() { body = nil }
    }

    private var timers: [Timer] = []
    /// How far the clock has been carried on, in seconds.
    private(set) var moment: TimeInterval = 0
    /// Is told the earliest deadline, or nil for none, whenever it changes.
    var onChange: ((TimeInterval?) -> Void)?

    /// Has something done at a moment, in seconds on the frames' clock.
    func schedule(at deadline: TimeInterval, _ body: @escaping () -> Void) -> Timer {
        // Frames count microseconds, so a sum of seconds is brought back to the microsecond it stands for.
        let deadline = (deadline * 1_000_000).rounded() / 1_000_000
        let timer = Timer(deadline: deadline, body: body)
        let place = timers.firstIndex { $0.deadline > deadline } ?? timers.endIndex
        timers.insert(timer, at: place)
        if place == 0 { onChange?(deadline) }
        return timer
    }

    /// The earliest deadline that still counts.
    var next: TimeInterval? {
        timers.removeAll { $0.body == nil }
        return timers.first?.deadline
    }

    /// Carries the clock on where nothing is due.
    func pass(_ moment: TimeInterval) { self.moment = max(self.moment, moment) }

    /// Does everything that is due at a moment, the earliest first.
    func advance(to moment: TimeInterval) {
        while let timer = timers.first, timer.deadline <= moment {
            timers.removeFirst()
            // What is done at a moment finds the clock at that moment, however far it is carried on.
            pass(timer.deadline)
            let body = timer.body
            timer.body = nil
            body?()
        }
        pass(moment)
    }
}
