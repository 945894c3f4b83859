import EventLoop
import Foundation

/// Lines on their way to standard output or standard error.
///
/// Nothing ever waits for the reader. For touches of live devices what it does not take is kept up to a bound, and then
/// dropped with a count. A recording has time: there no line is dropped, and whoever plays it is told to pause.
final class StandardStream {
    /// What may wait for a reader: some 3000 touches as JSON, which is minutes of one busy finger.
    private static let capacity = 512 * 1024
    /// Written before the loop sleeps once so much has gathered, as under a replay without pauses.
    private static let batch = 64 * 1024

    private var buffer: StreamBuffer
    private let stream: StreamDescriptor
    private let loop: EpollRunLoop
    private let onEnd: (SystemError?) -> Void
    /// Is told when the reader gets behind, and when it has caught up.
    private let onBacklog: ((Bool) -> Void)?
    private var whenWritten: (() -> Void)?
    private var source: DescriptorSource?
    private var hasEnded = false

    /// How many lines were dropped, all in all.
    var droppedCount: Int { buffer.droppedInAll }

    /// - Parameters:
    ///   - descriptor: `STDOUT_FILENO` or `STDERR_FILENO`.
    ///   - loop: Tells when a reader that was behind takes more.
    ///   - notice: The line that stands for so many dropped ones.
    ///   - onBacklog: Is told true when the reader gets behind and false when it has caught up; where it is given, no line
    ///     is ever dropped, since whoever writes pauses.
    ///   - onEnd: Called once, when nothing can be written any more: without an error where the reader went away, which is
    ///     a reader's right, and with one where the disk is full, say.
    init(
        descriptor: Int32, loop: EpollRunLoop, notice: @escaping (Int) -> String,
        onBacklog: ((Bool) -> Void)? = nil, onEnd: @escaping (SystemError?) -> Void
    ) {
        self.loop = loop
        self.onBacklog = onBacklog
        self.onEnd = onEnd
        stream = StreamDescriptor(descriptor)
        buffer = StreamBuffer(capacity: onBacklog == nil ? Self.capacity : .max) { Array("\(notice($0))\n".utf8) }
    }

    func append(line: String) {
        guard !hasEnded else { return }
        buffer.append(Array("\(line)\n".utf8))
        if buffer.count >= Self.batch, source == nil { flush() }
    }

    /// Writes what waits, as far as the reader takes it.
    func flush() {
        var failure: Int32?
        buffer.drain { [stream] bytes in
            switch stream.write(bytes) {
            case .wrote(let count): return count
            case .full: return 0
            case .failed(let number):
                failure = number
                return 0
            }
        }
        if let failure {
            end(failure)
        } else if buffer.isEmpty {
            stopWatching()
            finishWriting()
        } else {
            watch()
        }
    }

    /// Has the loop write what waits before it sleeps; for live touches in each pass, since a loop that has too much to do
    /// does not sleep. Answers what does it until it is invalidated.
    func flushFromLoop() -> RunLoopObserver {
        let isLive = onBacklog == nil
        let observer = RunLoopObserver(activities: isLive ? [.beforeTimers, .beforeWaiting] : .beforeWaiting) {
            [unowned self] _ in
            // One that is watched is written when there is room.
            if source == nil, !buffer.isEmpty { flush() }
        }
        loop.add(observer)
        return observer
    }

    /// Has something done once everything was written, or can be no more.
    func whenWritten(_ body: @escaping () -> Void) {
        whenWritten = body
        flush()
    }

    /// Writes what waits before the program ends, and waits for a reader that is behind, but not for long.
    func finish() {
        let limit = Deadline.after(.seconds(1))
        flush()
        while !buffer.isEmpty, !hasEnded, !limit.isPast {
            stream.waitForRoom(milliseconds: 50)
            flush()
        }
        stopWatching()
    }

    private func watch() {
        // One that is no pipe, terminal or socket is never full, so it is never watched: epoll would refuse it.
        guard source == nil else { return }
        let source = DescriptorSource(name: "standard stream", descriptor: stream.number, events: .write, priority: 1) {
            [weak self] _ in self?.flush()
        }
        loop.add(source)
        self.source = source
        onBacklog?(true)
    }

    private func stopWatching() {
        guard let source else { return }
        source.invalidate()
        self.source = nil
        onBacklog?(false)
    }

    private func finishWriting() {
        let body = whenWritten
        whenWritten = nil
        body?()
    }

    private func end(_ number: Int32) {
        stopWatching()
        buffer.removeAll()
        guard !hasEnded else { return }
        hasEnded = true
        finishWriting()
        onEnd(number == EPIPE ? nil : SystemError(call: "write to \(stream.name)", errno: number))
    }
}

extension StandardStream {
    /// Standard error, for a log: where nobody reads it its lines are lost, and nothing else.
    static func errors(of loop: EpollRunLoop) -> StandardStream {
        StandardStream(
            descriptor: STDERR_FILENO, loop: loop,
            notice: { "touchd: \($0) lines that nobody read are missing here" }, onEnd: { _ in })
    }
}
