import EventLoop
import Foundation

/// Writes lines to standard output or standard error without blocking.
///
/// For live devices, lines that the reader does not accept are buffered up to a limit and then dropped and counted, and
/// so are lines that a full disk does not take. For a recording, no line is dropped: the player is asked to pause.
package final class StandardStream {
    /// The buffer's limit in bytes: about 3000 touches as JSON, minutes of one busy finger.
    private static let capacity = 512 * 1024
    /// The size in bytes at which the buffer is written before the loop sleeps, as in a replay without pauses.
    private static let batch = 64 * 1024

    private var buffer: StreamBuffer
    private let stream: StreamDescriptor
    private let loop: EpollRunLoop
    private let onEnd: ((SystemError?) -> Void)?
    /// Called when the reader falls behind and when it has caught up.
    private let onBacklog: ((Bool) -> Void)?
    private var whenWritten: (() -> Void)?
    private var source: DescriptorSource?
    private var hasEnded = false

    /// A failure that may pass. The lines since then are dropped.
    private struct Outage {
        /// The number of dropped lines.
        var lines: Int
        /// Whether the last written line has no end.
        var isCut: Bool
        /// The next line after this time tries again: a write to a full disk can take milliseconds.
        var end: Deadline
    }
    private var outage: Outage?
    private var droppedInOutages = 0
    private let retryDelay: Duration
    private let notice: (Int) -> String
    private let onOutage: (SystemError) -> Void

    package var droppedCount: Int { buffer.droppedInAll + droppedInOutages }

    /// - Parameters:
    ///   - descriptor: `STDOUT_FILENO` or `STDERR_FILENO`.
    ///   - notice: Returns the line that replaces a number of dropped lines.
    ///   - retryDelay: The time until the next try after a failure that may pass.
    ///   - onBacklog: Called with true when the reader falls behind and with false when it has caught up. If it is set,
    ///     no line is dropped, because the writer pauses.
    ///   - onOutage: Called when a full disk or another failure that may pass begins to drop lines.
    ///   - onEnd: Called once, when nothing can be written any more: without an error if the reader closed its end,
    ///     otherwise with the error; for a recording also that of a full disk. Nil if every failure may pass.
    package init(
        descriptor: Int32, loop: EpollRunLoop, notice: @escaping (Int) -> String, retryDelay: Duration = .seconds(1),
        onBacklog: ((Bool) -> Void)? = nil, onOutage: @escaping (SystemError) -> Void = { _ in },
        onEnd: ((SystemError?) -> Void)?
    ) {
        self.loop = loop
        self.onBacklog = onBacklog
        self.onEnd = onEnd
        (self.notice, self.retryDelay, self.onOutage) = (notice, retryDelay, onOutage)
        stream = StreamDescriptor(descriptor)
        buffer = StreamBuffer(capacity: onBacklog == nil ? Self.capacity : .max) { Array("\(notice($0))\n".utf8) }
    }

    package func append(line: String) { append(Array("\(line)\n".utf8)) }

    /// Adds a line that ends with a newline.
    package func append(_ line: [UInt8]) {
        guard !hasEnded else { return }
        guard endOutage() else { return dropInOutage(1) }
        buffer.append(line)
        if buffer.count >= Self.batch, source == nil { flush() }
    }

    /// Writes the buffer, as far as the reader accepts it.
    package func flush() {
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
        if let failure, mayPass(failure) {
            beginOutage(failure)
        } else if let failure {
            end(failure)
        } else if buffer.isEmpty {
            stopWatching()
            finishWriting()
        } else {
            watch()
        }
    }

    /// Writes the buffer before the loop sleeps. For live touches it also writes in each pass, because an overloaded
    /// loop does not sleep. Returns the observer; invalidate it to stop.
    package func flushFromLoop() -> RunLoopObserver {
        let isLive = onBacklog == nil
        return loop.add(
            RunLoopObserver(activities: isLive ? [.beforeTimers, .beforeWaiting] : .beforeWaiting) {
                [unowned self] _ in
                // A watched stream is written when it has room.
                if source == nil, !buffer.isEmpty { flush() }
            })
    }

    /// Calls `body` once everything is written or nothing can be written any more.
    package func whenWritten(_ body: @escaping () -> Void) {
        whenWritten = body
        flush()
    }

    /// Writes the buffer before the program exits; waits at most one second for the reader.
    package func finish() {
        let limit = Deadline.after(.seconds(1))
        // The reader gets the number of missing lines, if a write succeeds again.
        outage?.end = .now
        _ = endOutage()
        flush()
        while !buffer.isEmpty, !hasEnded, !limit.isPast {
            stream.waitForRoom(milliseconds: 50)
            flush()
        }
        stopWatching()
    }

    private func watch() {
        // Only a pipe, terminal or socket can be full; epoll refuses other files.
        guard source == nil else { return }
        source = try? loop.add(
            DescriptorSource(name: "standard stream", descriptor: stream.number, events: .write, priority: 1) {
                [weak self] _ in self?.flush()
            })
        // Without a source, the next line or pass writes again.
        if source != nil { onBacklog?(true) }
    }

    private func stopWatching() {
        guard let source else { return }
        source.invalidate()
        self.source = nil
        onBacklog?(false)
    }

    private func finishWriting() {
        whenWritten.take()?()
    }

    /// Whether a later line may be written after a failure. The lines of a recording belong together.
    private func mayPass(_ number: Int32) -> Bool {
        onEnd == nil || onBacklog == nil && (stream.isFile || number == ENOSPC)
    }

    private func beginOutage(_ number: Int32) {
        stopWatching()
        let (lines, isCut) = buffer.removeLines()
        outage = Outage(lines: 0, isCut: isCut, end: .after(retryDelay))
        dropInOutage(lines)
        finishWriting()
        onOutage(SystemError(call: "write to \(stream.name)", errno: number))
    }

    private func dropInOutage(_ lines: Int) {
        outage?.lines += lines
        droppedInOutages += lines
    }

    /// Whether lines can be written: after an outage, once the notice of the missing lines is.
    private func endOutage() -> Bool {
        guard let outage else { return true }
        guard outage.end.isPast else { return false }
        var text = Array("\(outage.isCut ? "\n" : "")\(notice(outage.lines))\n".utf8)[...]
        while !text.isEmpty {
            guard case .wrote(let count) = text.withUnsafeBytes(stream.write) else {
                let isCut = outage.isCut || text.startIndex > 0
                self.outage = Outage(lines: outage.lines, isCut: isCut, end: .after(retryDelay))
                return false
            }
            text.removeFirst(count)
        }
        self.outage = nil
        return true
    }

    private func end(_ number: Int32) {
        stopWatching()
        buffer.removeAll()
        guard !hasEnded else { return }
        hasEnded = true
        finishWriting()
        onEnd?(number == EPIPE ? nil : SystemError(call: "write to \(stream.name)", errno: number))
    }
}

extension StandardStream {
    /// Standard error, for a log. While it cannot be written, its lines are lost and touches continue.
    package static func errors(of loop: EpollRunLoop) -> StandardStream {
        StandardStream(
            descriptor: STDERR_FILENO, loop: loop,
            notice: { "touchd: \($0) lines are missing here: the reader was too slow, or a write failed" }, onEnd: nil)
    }
}

/// Writes to a standard stream without blocking and without changing it for other processes that share it.
///
/// `O_NONBLOCK` belongs to an open file description, which touchd shares with the shell that started it. So a pipe or a
/// terminal is reopened through /proc/self/fd (proc(5)) if permitted. A socket is written with `MSG_DONTWAIT`.
/// Otherwise the stream is polled before each piece of at most `PIPE_BUF` bytes, which a pipe accepts whole (pipe(7)).
/// Regular files are written directly: they are never full in this sense.
nonisolated final class StreamDescriptor {
    enum Outcome {
        case wrote(Int)
        case full
        /// The error number.
        case failed(Int32)
    }

    private enum Kind {
        case file, reopened, socket, shared
    }

    /// The descriptor to write to and to watch.
    let number: Int32
    let name: String
    /// Whether it is a regular file, whose disk may be full for a time.
    let isFile: Bool
    private let kind: Kind

    init(_ descriptor: Int32) {
        name = descriptor == STDERR_FILENO ? "standard error" : "standard output"
        var information = stat()
        let isOpen = fstat(descriptor, &information) == 0
        isFile = isOpen && information.st_mode & S_IFMT == S_IFREG
        switch information.st_mode & S_IFMT {
        case S_IFSOCK where isOpen:
            (number, kind) = (descriptor, .socket)
        case S_IFIFO where isOpen, S_IFCHR where isOpen:
            let reopened = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            (number, kind) = reopened >= 0 ? (reopened, .reopened) : (descriptor, .shared)
        default:
            (number, kind) = (descriptor, .file)
        }
    }

    deinit {
        if kind == .reopened { close(number) }
    }

    /// Writes as many bytes as there is room for.
    func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        while true {
            var written: Int
            switch kind {
            case .file, .reopened:
                written = Foundation.write(number, bytes.baseAddress, bytes.count)
            case .socket:
                written = send(number, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            case .shared:
                var room = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                if poll(&room, 1, 0) == 0 { return .full }
                written = Foundation.write(number, bytes.baseAddress, min(bytes.count, Int(PIPE_BUF)))
            }
            if written > 0 { return .wrote(written) }
            let failure = written == 0 ? EIO : errno
            if failure == EAGAIN { return .full }
            if failure != EINTR { return .failed(failure) }
        }
    }

    /// Waits until there is room, at most `milliseconds`; -1 waits without a limit.
    func waitForRoom(milliseconds: Int32) {
        var room = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        poll(&room, 1, milliseconds)
    }
}
