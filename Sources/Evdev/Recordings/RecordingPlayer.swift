import EventLoop

/// Plays a recording on a run loop through the decoder for live devices.
///
/// The frames have the recording's times. Between two events, what is due on the recording's clock happens at its time:
/// delays of the filter, missing lifts, and the receiver's timers. So the result is the same at any speed. The events of a
/// pipe are played as they arrive, but not before their time.
///
/// ```swift
/// let player = RecordingPlayer(
///     try RecordingReader(path: "visit.evemu"), path: "visit.evemu", loop: loop, speed: .maximum,
///     onFrame: { frame in for contact in frame.contacts { print(contact.id, contact.phase) } },
///     onEnd: { _ in loop.stop() })
/// player.start()
/// loop.run()
/// ```
public final class RecordingPlayer {
    /// The speed of a replay.
    public enum Speed: Sendable, Equatable {
        /// The recorded speed.
        case recorded
        /// A multiple of the recorded speed; above 0.
        case factor(Double)
        /// As fast as possible, in slices, so that other sources have their turn.
        case maximum

        /// Parses a speed: `max`, or a number above 0; 1 is the recorded speed.
        package init?(_ text: String) {
            if text == "max" {
                self = .maximum
            } else if let factor = Double(text), factor > 0, factor.isFinite {
                self = factor == 1 ? .recorded : .factor(factor)
            } else {
                return nil
            }
        }
    }

    /// The recorded device with its settings from the rules.
    ///
    /// A device that a rule excludes produces no frames. A device that touchd ignores by default, such as a touchpad,
    /// has the `use` `.ignored` but is played, because the caller selected it.
    public let info: DeviceInfo

    /// Whether the replay is paused; events that become due during the pause are played when it ends.
    public var isPaused = false {
        didSet {
            guard oldValue, !isPaused, !isOver else { return }
            timer?.reschedule(after: .zero)
        }
    }

    /// Records the replay's last minutes like a device's; nil, the default, records nothing.
    package var history: TouchHistory? {
        didSet { pipeline.observer = history?.opened(info) }
    }

    /// The receiver's timers on the recording's clock: the time of the next one, and how to fire it. The default has none.
    package var timers: (next: () -> InputTimestamp?, fire: () -> Void) = ({ nil }, {})

    private let loop: EpollRunLoop
    private let speed: Speed
    private let onEnd: (RecordingError?) -> Void
    private var reader: RecordingReader
    private let pipeline: FramePipeline
    private var pending: InputEvent?
    private var isRead = false
    private var failure: RecordingError?
    /// The time of what happened last: an event, the end of a delay, or one of the receiver's timers.
    public private(set) var lastTime = InputTimestamp(microseconds: 0)
    private var started: Deadline?
    private var timer: RunLoopTimer?
    /// Waits for the next event of a pipe.
    private var arrival: DescriptorSource?
    private var isOver = false

    /// The maximum number of reports and deadlines in one pass of the loop, at maximum speed or when the replay is late.
    private static let slice = 64
    private static let never = InputTimestamp(microseconds: .max)

    /// Creates a player that does nothing until `start()`.
    /// - Parameters:
    ///   - reader: The recording.
    ///   - path: Its name, for status.
    ///   - loop: The loop that plays it.
    ///   - speed: The speed.
    ///   - device: The identity in its frames.
    ///   - rules: As for a live device; if they exclude it, the recording ends immediately.
    ///   - onFrame: Called on the loop's thread for each frame.
    ///   - onEnd: Called once after the last frame, with the error if the recording could not be read to its end.
    ///     Before that, contacts that the filter delayed have begun, and those that are down have been cancelled.
    public init(
        _ reader: consuming RecordingReader, path: String, loop: EpollRunLoop, speed: Speed = .recorded,
        device: DeviceID = DeviceID(rawValue: 1), rules: [DeviceRule] = [],
        onFrame: @escaping (borrowing InputFrame) -> Void,
        onEnd: @escaping (RecordingError?) -> Void
    ) {
        if case .factor(let factor) = speed { precondition(factor > 0, "the speed must be above 0") }
        info = DeviceInfo(
            id: device, path: path, reader.description, rules: rules, udevProperties: reader.udevProperties)
        self.loop = loop
        self.speed = speed
        self.onEnd = onEnd
        pipeline = FramePipeline(info, onFrame: onFrame)
        self.reader = reader
        self.reader.waits = false
    }

    /// Starts to play.
    public func start() {
        guard started == nil, !isOver else { return }
        started = .now
        isRead = info.settings.use == false
        // Reusable, because it also fires during a pause and is needed afterwards.
        let timer = RunLoopTimer(name: "replay") { [unowned self] _ in play() }
        self.timer = timer
        loop.add(timer)
        timer.reschedule(after: .zero)
    }

    /// Cancels what is down and ends without calling `onEnd`.
    public func stop() {
        guard !isOver else { return }
        close()
    }

    private func play() {
        guard let started, let next = playDue(at: .now - started) else { return }
        timer?.reschedule(at: started + next)
    }

    /// Plays what is due.
    /// - Parameter elapsed: The time since the start of the replay.
    /// - Returns: When to call it again, since the start; nil at the end, during a pause, and at maximum speed while the
    ///   next event has not arrived.
    package func playDue(at elapsed: Duration) -> Duration? {
        let last = pipeline.reports + Self.slice
        var deadlines = 0
        while !isOver, !isPaused {
            guard pipeline.reports + deadlines < last else { return elapsed }
            pending = pending ?? nextEvent()
            let held = pipeline.deadline ?? Self.never
            if pending == nil {
                if isRead, held == Self.never {
                    close()
                    onEnd(failure)
                    break
                }
                // Maximum speed has no clock: only the next event shows which deadlines have passed.
                if !isRead, speed == .maximum { break }
            }
            let scheduled = timers.next() ?? Self.never
            let next = min(pending?.time ?? Self.never, held, scheduled)
            let due = due(next)
            if due > elapsed { return due }
            lastTime = max(lastTime, next)
            // A deadline precedes an event of the same time, as the decoder and the application have it.
            if next == held {
                pipeline.expire(at: next)
                deadlines += 1
            } else if next == scheduled {
                timers.fire()
                deadlines += 1
            } else if let event = pending.take() {
                pipeline.feed(event)
            }
        }
        return nil
    }

    /// When something is due, since the start of the replay.
    private func due(_ time: InputTimestamp) -> Duration {
        switch speed {
        case .maximum: .zero
        case .recorded: .microseconds(time.microseconds)
        case .factor(let factor): .microseconds(min(Double(time.microseconds) / factor, 1e15))
        }
    }

    /// Returns nil at the end, if the next event cannot be read, and if it has not arrived.
    private func nextEvent() -> InputEvent? {
        guard !isRead else { return nil }
        do throws(RecordingError) {
            if let event = try reader.next() { return event }
            if reader.isWaiting {
                try awaitArrival()
                return nil
            }
        } catch {
            failure = error
        }
        isRead = true
        return nil
    }

    private func awaitArrival() throws(RecordingError) {
        guard arrival == nil else { return }
        let source = DescriptorSource(name: "replay", descriptor: reader.descriptor) { [unowned self] _ in
            arrival?.invalidate()
            arrival = nil
            play()
        }
        do throws(SystemError) {
            arrival = try loop.add(source)
        } catch {
            throw .unreadable(path: info.path, reason: error.reason)
        }
    }

    private func close() {
        isOver = true
        arrival?.invalidate()
        timer?.invalidate()
        pipeline.cancelAll(at: lastTime)
    }
}
