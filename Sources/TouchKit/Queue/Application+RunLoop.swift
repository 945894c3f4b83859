import EventLoop
import Evdev
import Foundation

/// The connection between an application and a run loop.
extension Application {
    /// Lets a run loop on the main thread drain the queue, in all its common modes.
    ///
    /// The loop wakes when an event is queued, handles the whole queue, and sleeps again. Attaching to another loop
    /// detaches from the first.
    /// - Parameters:
    ///   - loop: the main thread's loop.
    ///   - followsClock: whether the loop's monotonic clock, which is the clock of live devices, fires the timers of
    ///     recognizers. If false, only the timestamps of frames do, as a replay requires it.
    public func attach(to loop: EpollRunLoop, followsClock: Bool = true) {
        detach()
        let source = SignalledSource(name: "touchd.events") { [weak self] in
            guard let self else { return }
            if queue.count == 0 { foundationLoop?.deliveredNothing() }
            drainEvents()
        }
        loop.add(source, to: .common)
        queueSource = source
        if queue.count > 0 { source.signal() }
        guard followsClock else { return }
        gestures.timers.onEarlier = { [weak self, weak loop] deadline in
            if let self, let loop { wake(loop, at: deadline) }
        }
        wake(loop, at: gestures.timers.next)
    }

    /// Removes the application's sources from their loop; events stay queued.
    public func detach() {
        queueSource?.invalidate()
        queueSource = nil
        gestureTimer?.invalidate()
        gestureTimer = nil
        gestures.timers.onEarlier = nil
    }

    /// Advances the frames' clock without a frame, for example at the end of a recording; in microseconds.
    public func advanceTime(to timestamp: InputTimestamp) {
        drainEvents()
        gestures.timers.advance(to: timestamp.seconds)
    }

    private func wake(_ loop: EpollRunLoop, at deadline: TimeInterval?) {
        gestureTimer?.invalidate()
        gestureTimer = nil
        guard let deadline else { return }
        // A duration may be infinite.
        let moment = Deadline(nanoseconds: Int64((min(deadline, 9e9) * 1e9).rounded(.up)))
        let timer = RunLoopTimer(name: "touchd.gestures", at: moment) { [weak self, weak loop] _ in
            guard let self, let loop else { return }
            advanceTime(to: InputTimestamp(microseconds: Int64((min(deadline, 9e9) * 1e6).rounded(.up))))
            foundationLoop?.turn()
            wake(loop, at: gestures.timers.next)
        }
        loop.add(timer, to: .common)
        gestureTimer = timer
    }

    /// Runs a loop until it is stopped or a deadline passes: in its tracking mode while touches are down, otherwise in
    /// its default mode, as UIKit does.
    ///
    /// Sources of the default mode alone wait while touches are down. Attaches the application to the loop if it is not
    /// attached.
    ///
    /// Meanwhile Foundation's run loop of this thread runs too, in its default mode and also while touches are down: a
    /// `Timer` fires at its time, and `RunLoop.main.perform` works. Additions by another thread or by the handler of
    /// a `RunLoopTimer` may wait for the next event; `DispatchQueue.main` runs it at once. Foundation's timers
    /// follow the real time, also when a recording is replayed; use `schedule(at:_:)` for what a recording must repeat.
    @discardableResult
    public func run(on loop: EpollRunLoop, until deadline: Deadline? = nil) -> EpollRunLoop.RunResult {
        if queueSource == nil { attach(to: loop) }
        let isOutermost = foundationLoop == nil
        if isOutermost { foundationLoop = FoundationLoop(on: loop) }
        defer {
            if isOutermost {
                foundationLoop?.invalidate()
                foundationLoop = nil
            }
        }
        while true {
            foundationLoop?.turn()
            // The mode may change after each source, and only a return of the run shows that.
            let result = loop.run(
                mode: isTracking ? .tracking : .default, until: deadline, returnAfterSourceHandled: true)
            if result != .handledSource { return result }
        }
    }
}
