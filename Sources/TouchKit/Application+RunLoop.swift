import Evdev
import EventLoop
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

    // MARK: Statistics of the queue

    /// The number of queued device frames.
    public var queuedFrameCount: Int { queue.count }

    /// The time of the oldest queued frame, in seconds on the devices' clock; nil if the queue is empty.
    ///
    /// The queue's age is the current time on that clock minus this time.
    package var oldestQueuedTimestamp: TimeInterval? { queue.head?.timestamp.seconds }

    /// The number of moves that were merged because the queue was full, since the application was created.
    package var coalescedMoveCount: Int { queue.coalescedMoveCount }

    // MARK: The frames' clock

    // The clock of the devices' frames. A recording advances it by its frames; for a live application the run loop does
    // too.

    /// A scheduled closure, and how to cancel it.
    public final class ScheduledAction {
        private let timer: GestureTimers.Timer

        fileprivate init(_ timer: GestureTimers.Timer) { self.timer = timer }

        /// Cancels the closure.
        public func cancel() { timer.cancel() }
    }

    /// The current time in seconds: on the monotonic clock if the application follows it, otherwise the time that the
    /// frames have reached.
    public var currentTime: TimeInterval {
        let timers = gestures.timers
        guard timers.onEarlier != nil else { return timers.moment }
        return max(timers.moment, TimeInterval(Deadline.now.nanoseconds) / 1e9)
    }

    /// Runs a closure at a given time in seconds on that clock, on the main actor and outside of any delivery.
    ///
    /// Due closures run before the next frame is processed, so a recording gives the same result at any speed.
    /// Foundation's `Timer`, `asyncAfter` and `Task.sleep` do not follow this clock: in a replay they fire at their real
    /// time, which may be after its end, and in a test that runs no run loop a `Timer` never fires.
    @discardableResult
    public func schedule(at moment: TimeInterval, _ body: @escaping () -> Void) -> ScheduledAction {
        ScheduledAction(gestures.timers.schedule(at: moment, body))
    }

    // MARK: Recordings

    /// Delivers a whole recording synchronously; for tests.
    ///
    /// The recording takes the path of a live device's events: decoder, queue, views. Recognizers and `schedule(at:_:)`
    /// use the recording's clock, so the result is always the same and does not depend on the recording's length. After
    /// its last event, ten seconds pass on that clock, so that recognizers that still wait can finish. Use a new
    /// application for each recording, because each recording has its own clock. This method detaches the application
    /// from its run loop.
    /// - Parameters:
    ///   - path: evemu text, `libinput record` YAML or `evtest` output; may be gzipped.
    ///   - screen: the recorded device's screen.
    ///   - rules: rules for the device, as for a live one.
    /// - Throws: if the file is not a recording or becomes invalid; everything before that point is delivered.
    public func replay(_ path: String, on screen: Screen = .main, rules: [DeviceRule] = []) throws {
        let played = play(try RecordingReader(path: path), path: path, rules: rules, on: try EpollRunLoop()) { _ in
            screen
        }
        if let failure = played.failure { throw failure }
    }

    /// The result of a playback.
    package struct Played {
        /// The recorded device, as the application receives it.
        package var device: DeviceInfo
        /// The time of the last event.
        package var lastTime: InputTimestamp
        /// The error that ended the playback early.
        package var failure: RecordingError?
    }

    /// Delivers a whole recording synchronously on a run loop, then detaches from the loop, as `replay` does.
    ///
    /// - Parameter screen: returns the screen of the device.
    package func play(
        _ reader: consuming RecordingReader, path: String, rules: [DeviceRule], on loop: EpollRunLoop,
        screen: (DeviceInfo) -> Screen
    ) -> Played {
        attach(to: loop, followsClock: false)
        defer { detach() }
        var failure: RecordingError?
        let player = RecordingPlayer(
            reader, path: path, loop: loop, speed: .maximum, rules: rules,
            // Each frame is delivered at once, as `Daemon` does it: queued moves would be merged, depending on speed.
            onFrame: { [self] frame in
                enqueue(frame)
                drainEvents()
            },
            onEnd: { error in
                failure = error
                loop.stop()
            })
        setScreen(screen(player.info), for: player.info.id)
        player.start()
        run(on: loop)
        // Waiting recognizers finish, as if the screen were not touched for ten more seconds.
        advanceTime(to: player.lastTime.adding(microseconds: 10_000_000))
        return Played(device: player.info, lastTime: player.lastTime, failure: failure)
    }
}

/// Runs Foundation's run loop of this thread in another loop: its timers and its `perform` blocks, in the default mode.
///
/// Foundation has no descriptor to wait for, so it is asked for its next date after each source that was handled. A
/// question takes 5 µs and allocates. So after mere moves it is asked 16 ms later, once for all of them.
final class FoundationLoop {
    private let foundation = RunLoop.current
    private var timer: RunLoopTimer?
    /// The date for which the timer is armed.
    private var date: Date?
    /// How long a date in the past waits for the next question.
    private var patience = Duration.milliseconds(1)
    /// Whether the timer is armed to ask after moves.
    private var asksSoon = false
    /// Whether only moves were delivered since the last turn.
    private var hasOnlyMoved = false

    init(on loop: EpollRunLoop) {
        let timer = RunLoopTimer(name: "Foundation") { [weak self] _ in self?.ask() }
        loop.add(timer)
        self.timer = timer
    }

    /// Leaves the loop; what Foundation's run loop contains stays there.
    func invalidate() { timer?.invalidate() }

    /// Notes that events were delivered; if they were moves, Foundation may be asked later.
    func delivered(onlyMoves: Bool) {
        hasOnlyMoved = onlyMoves
        if onlyMoves, !asksSoon { askSoon() }
    }

    /// Notes that the queue was empty.
    fileprivate func deliveredNothing() {
        if asksSoon { hasOnlyMoved = true }
    }

    /// Asks Foundation, unless only moves were delivered since the last call.
    func turn() {
        if hasOnlyMoved {
            hasOnlyMoved = false
            return
        }
        // A timer that is due waits for its turn among the loop's timers.
        if let timer, timer.isArmed, timer.deadline.isPast { return }
        ask()
    }

    private func askSoon() {
        asksSoon = true
        guard let timer else { return }
        let limit = Deadline.after(.milliseconds(16))
        if timer.isArmed, timer.deadline < limit { return }
        date = nil
        timer.reschedule(at: limit)
    }

    /// Runs what is due, and arms the timer for the next date.
    private func ask() {
        let next = foundation.limitDate(forMode: .default)
        asksSoon = false
        guard let timer, let next, next < .distantFuture else {
            date = nil
            timer?.cancel()
            return
        }
        if next == date, timer.isArmed { return }
        let delay = min(next.timeIntervalSinceNow, 9e9)
        // The date of a timer stays in the past if the wall clock was set forward. Another descriptor of Foundation's
        // may also have kept it from its timers, but only once.
        patience = delay > 0 || next != date ? .milliseconds(1) : min(patience * 2, .seconds(1))
        date = next
        timer.reschedule(after: delay > 0 ? .seconds(delay) : patience)
    }
}
