import EventLoop
import Foundation
import Logging
import Synchronization

/// Writes the metrics to a file again and again, for node_exporter's textfile collector.
///
/// The text is made on the main thread, which takes a moment; a thread of its own writes it, since a disk may keep it
/// waiting. The file appears by rename, once its text is on the disk, so whoever reads it finds a whole one, after a power
/// cut too. What cannot be written is logged once.
final class MetricsFile {
    /// How often it is written: Prometheus looks every 15 to 60 s.
    static let interval = Duration.seconds(15)

    private let path: String
    private let text: () -> String
    private let logger: Logger
    /// Held while a text is written. No dispatch queue: libdispatch sets its threads' priorities, which the service's sandbox
    /// forbids, and writes a line of complaint into the journal each time.
    private let turn = Turn()

    /// Whose turn it is to write, and whether the last text was written.
    private nonisolated final class Turn: Sendable {
        let isOver = Mutex(false)
    }

    private var timer: RunLoopTimer?
    private var isWriting = false
    private var hasFailed = false

    /// Makes a file; it is written the first time when the loop runs.
    init(path: String, loop: EpollRunLoop, logger: Logger, text: @escaping () -> String) {
        self.path = path
        self.text = text
        self.logger = logger
        let timer = RunLoopTimer(
            name: "touchd.metrics", after: .zero, repeating: Self.interval, tolerance: .seconds(1)
        ) { [weak self] _ in self?.write() }
        loop.add(timer)
        self.timer = timer
    }

    /// Writes it a last time, and no more.
    func finish() {
        timer?.invalidate()
        timer = nil
        let text = text()
        turn.isOver.withLock { isOver in
            _ = Self.write(text, to: path)
            isOver = true
        }
    }

    private func write() {
        // A disk that takes longer than the interval gets the next text, not every one.
        guard !isWriting else { return }
        isWriting = true
        let text = text()
        do {
            try DetachedThread.run { [path, turn] in
                // A thread that the machine was slow to start has nothing to say any more.
                let failure = turn.isOver.withLock { isOver in isOver ? nil : Self.write(text, to: path) }
                DispatchQueue.main.async { [weak self] in
                    MainActor.assumeIsolated { self?.ended(failure) }
                }
            }
        } catch {
            ended(error)
        }
    }

    private func ended(_ failure: SystemError?) {
        isWriting = false
        if let failure, !hasFailed { logger.error("the metrics are not written: \(failure)") }
        if failure == nil, hasFailed { logger.info("\(path): the metrics are written again") }
        hasFailed = failure != nil
    }

    /// Writes a text beside a file and renames it; answers what went wrong.
    private nonisolated static func write(_ text: String, to path: String) -> SystemError? {
        // node_exporter reads what ends in .prom only. Always the same name: what a power cut left there is not there for ever.
        let part = "\(path).part"
        unlink(part)
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return SystemError(call: "open(\(part))", errno: errno) }
        // The collector is another user, whatever this process's umask is.
        fchmod(descriptor, 0o644)
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { break }
            bytes = bytes.dropFirst(written)
        }
        var failure = bytes.isEmpty ? nil : SystemError(call: "write(\(part))", errno: errno)
        // Without it a file system may have the new name on its disk before the text: an empty file, after a power cut.
        if failure == nil, fsync(descriptor) != 0 { failure = SystemError(call: "fsync(\(part))", errno: errno) }
        close(descriptor)
        if failure == nil, rename(part, path) != 0 { failure = SystemError(call: "rename(\(part))", errno: errno) }
        if failure != nil { unlink(part) }
        return failure
    }
}
