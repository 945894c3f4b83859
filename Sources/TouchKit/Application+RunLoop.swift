import Evdev
import EventLoop
import Foundation

/// The application's queue, and its connection to a run loop.
extension Application {
    // MARK: The queue

    /// Appends a frame to the queue and wakes the run loop that the application is attached to.
    ///
    /// The queue copies the frame into storage that it reuses, so a warm queue does not allocate. When more than 1,024
    /// frames are queued, the moves of one touch are merged; nothing else is ever dropped.
    public func enqueue(_ frame: borrowing InputFrame) {
        queue.append(frame)
        queueSource?.signal()
    }

    /// Appends the removal of a device to the queue; its touches are cancelled in order with the frames before it.
    public func enqueueRemoval(of device: DeviceID, at timestamp: InputTimestamp) {
        queue.appendRemoval(of: device, at: timestamp)
        queueSource?.signal()
    }

    /// Sends every queued event, first in, first out.
    ///
    /// A call from a handler does nothing: frames queued in the meantime are sent after the handlers of the current
    /// event.
    public func drainEvents() {
        guard !isDraining else { return }
        guard !touches.isBusy else {
            isDrainAsked = true
            return
        }
        isDrainAsked = false
        guard queue.count > 0 else { return }
        isDraining = true
        defer { isDraining = false }
        var onlyMoves = true
        while let frame = queue.popFrame() {
            if !frame.onlyMovesContacts { onlyMoves = false }
            send(frame)
        }
        foundationLoop?.delivered(onlyMoves: onlyMoves)
    }

    /// Drains the queue if a drain was requested while touches were being cancelled.
    func drainIfAsked() {
        if isDrainAsked { drainEvents() }
    }

    /// Sends the events of a frame: contacts become touches here, and pointers and keys go to their trackers.
    ///
    /// Consecutive frames that only move contacts are merged into one event: a slow handler receives one move where the
    /// device reported several.
    private func send(_ frame: QueuedFrame) {
        let (device, timestamp) = (frame.device, timers.limit(frame.timestamp.seconds))
        let touches = touches
        if let due = timers.next, due <= timestamp {
            touches.sendPending()
            timers.advance(to: timestamp)
        }
        timers.pass(timestamp)
        for _ in 0..<frame.contactCount { apply(queue.popContact(), of: device, at: timestamp, touches) }
        if let motion = frame.pointer { pointers.move(motion, of: device, at: timestamp) }
        for _ in 0..<frame.keyCount { apply(queue.popKey(), of: device, at: timestamp) }
        if frame.onlyMovesContacts, queue.head?.onlyMovesContacts == true { return }
        touches.sendPending()
        if let delta = frame.scroll { pointers.turn(delta, of: device, at: timestamp) }
        if let acceleration = frame.acceleration { apply(acceleration, of: device, at: timestamp) }
        if frame.kind == .removal {
            touches.remove(device)
            presses.cancel(of: device)
            cancelShake(of: device, at: timestamp)
            shakes[device] = nil
            pointers.remove(device)
        }
    }

    private func apply(
        _ contact: Contact, of device: DeviceID, at timestamp: TimeInterval, _ touches: TouchTracker
    ) {
        if let touch = touches.touch(of: device, contact: contact.id) {
            let phase: Touch.Phase =
                switch contact.phase {
                case .began, .moved: .moved
                case .ended: .ended
                case .cancelled: .cancelled
                }
            touches.change(touch, to: phase, state: TouchState(contact, on: touch.screen, at: timestamp))
        } else if contact.phase == .began {
            let screen = screen(for: device)
            touches.begin(
                device: device, contact: contact.id, type: contact.tool == .pen ? .pencil : .direct, screen: screen,
                state: TouchState(contact, on: screen, at: timestamp))
        } else if isIgnoringEvents {
            touches.ignore(at: timestamp)
        }
    }

    private func apply(_ change: KeyChange, of device: DeviceID, at timestamp: TimeInterval) {
        if change.code == KeyCode.left { return pointers.button(change.action, of: device, at: timestamp) }
        touches.sendPending()
        presses.process(change, of: device, at: timestamp)
    }

    // MARK: Shakes

    /// Processes a measurement, and sends an event to the first responder if it begins or ends a shake.
    private func apply(_ acceleration: Acceleration, of device: DeviceID, at timestamp: TimeInterval) {
        guard !isIgnoringEvents else { return }
        guard let change = shakes[device, default: ShakeDetector()].process(acceleration, at: timestamp) else { return }
        send(change, of: device, at: timestamp)
    }

    private func cancelShake(of device: DeviceID, at timestamp: TimeInterval) {
        guard let change = shakes[device]?.interrupt() else { return }
        send(change, of: device, at: timestamp)
    }

    /// Cancels every shake.
    func cancelShakes(at timestamp: TimeInterval) {
        for device in shakes.keys.sorted(by: { $0.rawValue < $1.rawValue }) { cancelShake(of: device, at: timestamp) }
    }

    private func send(_ change: ShakeDetector.Change, of device: DeviceID, at timestamp: TimeInterval) {
        if change == .began { shakeReceivers[device] = placelessReceiver }
        guard let receiver = shakeReceivers[device] else { return }
        if change != .began { shakeReceivers[device] = nil }
        let event = Event(type: .motion, application: self)
        event.subtype = .motionShake
        event.timestamp = timestamp
        let content: EventMessage.Content =
            switch change {
            case .began: .motionBegan
            case .ended: .motionEnded
            case .cancelled: .motionCancelled
            }
        event.message = EventMessage(content: content, receiver: receiver)
        sendEvent(event)
    }

    // MARK: The run loop

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
        timers.onEarlier = { [weak self, weak loop] deadline in
            if let self, let loop { wake(loop, at: deadline) }
        }
        wake(loop, at: timers.next)
    }

    /// Removes the application's sources from their loop; events stay queued.
    public func detach() {
        queueSource?.invalidate()
        queueSource = nil
        gestureTimer?.invalidate()
        gestureTimer = nil
        timers.onEarlier = nil
    }

    /// Advances the frames' clock without a frame, for example at the end of a recording; in microseconds.
    public func advanceTime(to timestamp: InputTimestamp) {
        drainEvents()
        timers.advance(to: timestamp.seconds)
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
            wake(loop, at: timers.next)
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
    public typealias ScheduledAction = TouchKit.ScheduledAction

    /// The current time in seconds: on the monotonic clock if the application follows it, otherwise the time that the
    /// frames have reached.
    public var currentTime: TimeInterval { timers.now }

    /// Runs a closure at a given time in seconds on that clock, on the main actor and outside of any delivery.
    ///
    /// Due closures run before the next frame is processed, so a recording gives the same result at any speed.
    /// Foundation's `Timer`, `asyncAfter` and `Task.sleep` do not follow this clock: in a replay they fire at their real
    /// time, which may be after its end, and in a test that runs no run loop a `Timer` never fires.
    @discardableResult
    public func schedule(at moment: TimeInterval, _ body: @escaping () -> Void) -> ScheduledAction {
        timers.schedule(at: moment, body)
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

extension TouchState {
    fileprivate init(_ contact: Contact, on screen: Screen, at timestamp: TimeInterval) {
        self.init(
            timestamp: timestamp, location: screen.location(of: contact.position),
            force: CGFloat(contact.pressure ?? 0), hasForce: contact.pressure != nil,
            majorRadius: CGFloat(contact.majorRadius ?? 0) * screen.bounds.width, raw: contact.raw)
    }
}
