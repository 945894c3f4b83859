import EventLoop

/// Plays a recording on a run loop through the decoder that live devices use.
///
/// The frames' times are the recording's own.
public final class RecordingPlayer {
    /// How fast a recording is played.
    public enum Speed: Sendable, Equatable {
        /// As it was recorded.
        case recorded
        /// So many times as fast; above 0.
        case factor(Double)
        /// As fast as the loop takes it, in slices, so that other sources have their turn.
        case maximum
    }

    /// What the recording says of its device.
    public let info: DeviceInfo

    private let loop: EpollRunLoop
    private let speed: Speed
    private let onEnd: (RecordingError?) -> Void
    private var reader: RecordingReader
    private let pipeline: FramePipeline
    private var pending: InputEvent?
    /// The time of the last event that was played.
    public private(set) var lastTime = InputTimestamp(microseconds: 0)
    private var started: Deadline?
    private var timer: RunLoopTimer?
    private var slice: SignalledSource?
    private var isOver = false

    /// So many reports, at most, in one pass of the loop at the maximum speed.
    private static let reportsInSlice = 64

    /// Makes a player that does nothing until `start()`.
    /// - Parameters:
    ///   - reader: the recording.
    ///   - path: its name, for status.
    ///   - loop: plays it.
    ///   - speed: how fast.
    ///   - device: the identity that its frames bear.
    ///   - rules: as for a live device.
    ///   - onFrame: called on the loop's thread for each frame.
    ///   - onEnd: called once after the last frame, with the error if the recording could not be read to its end. What
    ///     is still down then has been cancelled.
    public init(
        _ reader: consuming RecordingReader, path: String, loop: EpollRunLoop, speed: Speed = .recorded,
        device: DeviceID = DeviceID(rawValue: 1), rules: [DeviceRule] = [],
        onFrame: @escaping (borrowing InputFrame) -> Void,
        onEnd: @escaping (RecordingError?) -> Void
    ) {
        if case .factor(let factor) = speed { precondition(factor > 0, "a recording is played forwards") }
        let settings = DeviceSettings(
            rules: rules, description: reader.description, path: path, properties: reader.udevProperties)
        let role = DeviceRole(
            reader.description, udevProperties: reader.udevProperties, isWanted: settings.use == true)
        info = DeviceInfo(
            id: device, path: path, description: reader.description, role: role,
            use: role.reasonIgnored.map { .ignored(reason: $0) } ?? .used, settings: settings)
        self.loop = loop
        self.speed = speed
        self.onEnd = onEnd
        pipeline = FramePipeline(info, onFrame: onFrame)
        self.reader = reader
    }

    /// Begins to play.
    public func start() {
        guard started == nil, !isOver else { return }
        started = .now
        if speed == .maximum {
            let slice = SignalledSource(name: "replay") { [unowned self] in playSlice() }
            self.slice = slice
            loop.add(slice)
            slice.signal()
        } else {
            let timer = RunLoopTimer(name: "replay", after: .zero) { [unowned self] _ in playDue() }
            self.timer = timer
            loop.add(timer)
        }
    }

    /// Cancels what is down and ends, without telling `onEnd`.
    public func stop() {
        guard !isOver else { return }
        close()
    }

    private func playSlice() {
        let last = pipeline.reports + Self.reportsInSlice
        while !isOver, pipeline.reports < last {
            guard let event = nextEvent() else { return }
            play(event)
        }
        if !isOver { slice?.signal() }
    }

    private func playDue() {
        while !isOver, let event = pending ?? nextEvent() {
            pending = event
            let delay = delay(of: event)
            if delay > .zero {
                timer?.reschedule(after: delay)
                return
            }
            pending = nil
            play(event)
        }
    }

    private func delay(of event: InputEvent) -> Duration {
        guard let started else { return .zero }
        let factor = if case .factor(let factor) = speed { factor } else { 1.0 }
        let due = Duration.microseconds(Double(event.time.microseconds) / factor)
        return due - (Deadline.now - started)
    }

    /// Ends the recording, and answers nil, if there is no other event.
    private func nextEvent() -> InputEvent? {
        do throws(RecordingError) {
            if let event = try reader.next() { return event }
            end(nil)
        } catch {
            end(error)
        }
        return nil
    }

    private func play(_ event: InputEvent) {
        lastTime = event.time
        pipeline.feed(event)
    }

    private func end(_ error: RecordingError?) {
        close()
        onEnd(error)
    }

    private func close() {
        isOver = true
        timer?.invalidate()
        slice?.invalidate()
        pipeline.cancelAll(at: lastTime)
    }
}
