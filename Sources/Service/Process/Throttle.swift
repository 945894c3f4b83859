import EventLoop

/// Calls a closure in the loop's next pass after a request, but not before a pause since the last call has passed.
final class Throttle {
    private let pause: Duration
    private let timer: RunLoopTimer
    private var earliest = Deadline(nanoseconds: 0)

    init(name: String, pause: Duration, tolerance: Duration, loop: EpollRunLoop, perform: @escaping () -> Void) {
        self.pause = pause
        timer = loop.add(RunLoopTimer(name: name, tolerance: tolerance) { _ in perform() })
    }

    isolated deinit { timer.invalidate() }

    /// Requests a call; repeated requests before the call have no effect.
    func request() {
        guard !(timer.isArmed && timer.deadline <= earliest) else { return }
        timer.reschedule(at: earliest)
    }

    /// Starts the pause, and cancels the requests until now. Without a further one, calls again after an interval, if any.
    func startPause(next interval: Duration? = nil) {
        earliest = .after(pause)
        if let interval { timer.reschedule(after: interval) } else { timer.cancel() }
    }
}
