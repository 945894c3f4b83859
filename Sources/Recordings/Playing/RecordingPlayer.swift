import Evdev
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

        /// Reads a speed as people write it: `max`, or a number above 0, of which 1 is the recording's own pace.
        public init?(_ text: String) {
            if text == "max" {
                self = .maximum
            } else if let factor = Double(text), factor > 0, factor.isFinite {
                self = factor == 1 ? .recorded : .factor(factor)
            } else {
                return nil
            }
        }
    }

    /// What the recording says of its device, and what the rules say of it.
    ///
    /// Of a device that a rule leaves alone no frame comes. One that touchd would leave alone for what it is, a touchpad
    /// say, is ignored by `use` and played all the same: who plays it has asked for it.
    public let info: DeviceInfo

    /// Whether it plays nothing for now; what is due meanwhile is played at once afterwards.
    public var isPaused = false {
        didSet {
            guard oldValue, !isPaused, !isOver else { return }
            slice?.signal()
            timer?.reschedule(after: .zero)
        }
    }

    /// Where the recording's last minutes are kept as a device's would be; nil, as at first, for nowhere.
    public var history: TouchHistory? {
        didSet { pipeline.observer = history?.opened(info) }
    }

    private let loop: EpollRunLoop
    private let speed: Speed
    private let onEnd: (RecordingError?) -> Void
    private var reader: RecordingReader
    private let pipeline: FramePipeline
    private var pending: InputEvent?
    private var isRead = false
    private var failure: RecordingError?
    /// The time of the last event that was played, or when the contact began that the filter held back until after it.
    public private(set) var lastTime = InputTimestamp(microseconds: 0)
    private var started: Deadline?
    private var timer: RunLoopTimer?
    private var slice: SignalledSource?
    private var isOver = false

    /// So many reports, at most, in one pass of the loop at the maximum speed, and where what is due is late.
    private static let reportsInSlice = 64

    /// Makes a player that does nothing until `start()`.
    /// - Parameters:
    ///   - reader: the recording.
    ///   - path: its name, for status.
    ///   - loop: plays it.
    ///   - speed: how fast.
    ///   - device: the identity that its frames bear.
    ///   - rules: as for a live device; if they leave it alone, the recording ends at once.
    ///   - onFrame: called on the loop's thread for each frame.
    ///   - onEnd: called once after the last frame, with the error if the recording could not be read to its end. What
    ///     is still down then has been cancelled, after what the filter still held back has begun.
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
            use: (settings.reasonIgnored ?? (settings.use == true ? nil : role.reasonIgnored))
                .map { .ignored(reason: $0) } ?? .used,
            settings: settings)
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
        isRead = info.settings.use == false
        if speed == .maximum {
            let slice = SignalledSource(name: "replay") { [unowned self] in playSlice() }
            self.slice = slice
            loop.add(slice)
            slice.signal()
        } else {
            // Reusable, since it fires while the player pauses too, and is wanted afterwards.
            let timer = RunLoopTimer(name: "replay", after: .zero, isReusable: true) { [unowned self] _ in playDue() }
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
        while !isOver, !isPaused, pipeline.reports < last {
            if let event = nextEvent() { play(event) } else { playHeld() }
        }
        if !isOver, !isPaused { slice?.signal() }
    }

    private func playDue() {
        let last = pipeline.reports + Self.reportsInSlice
        while !isOver, !isPaused {
            guard pipeline.reports < last else {
                timer?.reschedule(after: .zero)
                return
            }
            pending = pending ?? nextEvent()
            if let due = pending?.time ?? pipeline.deadline {
                let delay = delay(of: due)
                if delay > .zero {
                    timer?.reschedule(after: delay)
                    return
                }
            }
            if let event = pending {
                pending = nil
                play(event)
            } else {
                playHeld()
            }
        }
    }

    private func delay(of time: InputTimestamp) -> Duration {
        guard let started else { return .zero }
        let factor = if case .factor(let factor) = speed { factor } else { 1.0 }
        let due = Duration.microseconds(Double(time.microseconds) / factor)
        return due - (Deadline.now - started)
    }

    /// Nil if there is no other event, or it cannot be read.
    private func nextEvent() -> InputEvent? {
        guard !isRead else { return nil }
        do throws(RecordingError) {
            if let event = try reader.next() { return event }
        } catch {
            failure = error
        }
        isRead = true
        return nil
    }

    private func play(_ event: InputEvent) {
        lastTime = event.time
        pipeline.feed(event)
    }

    /// After the last event: begins what the filter has held back for long enough then, and ends when it holds nothing.
    private func playHeld() {
        if let due = pipeline.deadline {
            lastTime = max(lastTime, due)
            pipeline.expire(at: due)
        } else {
            close()
            onEnd(failure)
        }
    }

    private func close() {
        isOver = true
        timer?.invalidate()
        slice?.invalidate()
        pipeline.cancelAll(at: lastTime)
    }
}
