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
        private weak var owner: GestureTimers?

        fileprivate init(deadline: TimeInterval, owner: GestureTimers, body: @escaping () -> Void) {
            self.deadline = deadline
            self.owner = owner
            self.body = body
        }

        // As `Touch`.
        nonisolated deinit {}

        /// Makes sure that it is not done.
        func cancel() {
            guard body != nil else { return }
            body = nil
            owner?.remove(self)
        }
    }

    /// The earliest first.
    @exclusivity(unchecked) private var timers: [Timer] = []
    /// The earliest deadline.
    @exclusivity(unchecked) private(set) var next: TimeInterval?
    /// How far the clock has been carried on, in seconds.
    @exclusivity(unchecked) private(set) var moment: TimeInterval = 0
    /// Is told a deadline that is earlier than all others there were.
    var onEarlier: ((TimeInterval) -> Void)?

    /// Has something done at a moment, in seconds on the frames' clock.
    func schedule(at deadline: TimeInterval, _ body: @escaping () -> Void) -> Timer {
        // Frames count microseconds, so a sum of seconds is brought back to the microsecond it stands for.
        let deadline = (deadline * 1_000_000).rounded() / 1_000_000
        let timer = Timer(deadline: deadline, owner: self, body: body)
        var place = timers.count
        while place > 0, timers[place - 1].deadline > deadline { place -= 1 }
        timers.insert(timer, at: place)
        guard place == 0 else { return timer }
        next = deadline
        onEarlier?(deadline)
        return timer
    }

    private func remove(_ timer: Timer) {
        for place in timers.indices where timers[place] === timer {
            timers.remove(at: place)
            next = timers.first?.deadline
            return
        }
    }

    /// Carries the clock on where nothing is due.
    func pass(_ moment: TimeInterval) { self.moment = max(self.moment, moment) }

    /// Does everything that is due at a moment, the earliest first.
    func advance(to moment: TimeInterval) {
        while let timer = timers.first, timer.deadline <= moment {
            timers.removeFirst()
            next = timers.first?.deadline
            // What is done at a moment finds the clock at that moment, however far it is carried on.
            pass(timer.deadline)
            let body = timer.body
            timer.body = nil
            body?()
        }
        pass(moment)
    }
}
