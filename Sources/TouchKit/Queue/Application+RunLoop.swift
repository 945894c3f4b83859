import EventLoop
import Evdev
import Foundation

/// The one place where an application meets a run loop.
extension Application {
    /// Lets a run loop on the main thread empty the queue, in all its common modes.
    ///
    /// The loop wakes when an event is queued, handles everything that is queued in one go, and sleeps again. Attaching
    /// to another loop detaches from the first.
    /// - Parameters:
    ///   - loop: the main thread's loop.
    ///   - followsClock: whether what recognizers wait for happens when the loop's monotonic clock says so, which is that
    ///     of live devices. With false it happens when a frame's timestamp says so, as a replay needs it.
    public func attach(to loop: EpollRunLoop, followsClock: Bool = true) {
        detach()
        let source = SignalledSource(name: "touchd.events") { [weak self] in self?.drainEvents() }
        loop.add(source, to: .common)
        queueSource = source
        if queue.count > 0 { source.signal() }
        guard followsClock else { return }
        gestures.timers.onEarlier = { [weak self, weak loop] deadline in
            if let self, let loop { wake(loop, at: deadline) }
        }
        wake(loop, at: gestures.timers.next)
    }

    /// Takes the application's sources out of their loop; queued events wait.
    public func detach() {
        queueSource?.invalidate()
        queueSource = nil
        gestureTimer?.invalidate()
        gestureTimer = nil
        gestures.timers.onEarlier = nil
    }

    /// Moves the frames' clock on, where no frame does: at the end of a recording. Time and timestamps are in microseconds.
    public func advanceTime(to timestamp: InputTimestamp) {
        drainEvents()
        gestures.timers.advance(to: timestamp.seconds)
    }

    private func wake(_ loop: EpollRunLoop, at deadline: TimeInterval?) {
        gestureTimer?.invalidate()
        gestureTimer = nil
        guard let deadline else { return }
        let moment = Deadline(nanoseconds: Int64((deadline * 1e9).rounded(.up)))
        let timer = RunLoopTimer(name: "touchd.gestures", at: moment) { [weak self, weak loop] _ in
            guard let self, let loop else { return }
            advanceTime(to: InputTimestamp(microseconds: Int64((deadline * 1e6).rounded(.up))))
            wake(loop, at: gestures.timers.next)
        }
        loop.add(timer, to: .common)
        gestureTimer = timer
    }

    /// Runs a loop until it is stopped or a deadline passes: in its tracking mode while touches are down, and else in
    /// its default mode, as UIKit does.
    ///
    /// What was added to the default mode alone waits while touches are down. Attaches to the loop if the application
    /// is not attached.
    @discardableResult
    public func run(on loop: EpollRunLoop, until deadline: Deadline? = nil) -> EpollRunLoop.RunResult {
        if queueSource == nil { attach(to: loop) }
        while true {
            // After each source the mode may have to change; that is known here only when the run returns.
            let result = loop.run(
                mode: isTracking ? .tracking : .default, until: deadline, returnAfterSourceHandled: true)
            if result != .handledSource { return result }
        }
    }
}
