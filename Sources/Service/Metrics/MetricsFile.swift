import EventLoop
import Foundation
import Logging
import Synchronization

/// Writes the metrics to a file periodically, for node_exporter's textfile collector.
///
/// The text is made on the main thread, and another thread writes it, because a disk can block. The file is synced and
/// then renamed, so readers see a complete file, even after a power failure. A write error is logged once.
final class MetricsFile {
    /// The interval between writes; Prometheus scrapes every 15 to 60 s.
    static let interval = Duration.seconds(15)

    private let path: String
    private let text: () -> String
    private let logger: Logger
    /// Held during a write. Not a dispatch queue: libdispatch sets thread priorities, which the service's sandbox
    /// forbids, and would log an error to the journal each time.
    private let turn = Turn()

    /// Serializes the writes and records whether the last one is done.
    private nonisolated final class Turn: Sendable {
        let isOver = Mutex(false)
    }

    private var timer: RunLoopTimer?
    private var isWriting = false
    private var hasFailed = false

    /// Creates the writer; the first write happens when the loop runs.
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

    /// Writes the file a last time and stops.
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
        // If a write takes longer than the interval, the texts in between are skipped.
        guard !isWriting else { return }
        isWriting = true
        let text = text()
        do {
            try DetachedThread.run { [path, turn] in
                // A thread that starts after `finish()` must not overwrite the last text.
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

    /// Writes a text to a file beside `path` and renames it; returns the error, if any.
    private nonisolated static func write(_ text: String, to path: String) -> SystemError? {
        // node_exporter reads only files that end in .prom. The name is constant, so a file left by a power failure is
        // removed.
        let part = "\(path).part"
        unlink(part)
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return SystemError(call: "open(\(part))", errno: errno) }
        // The collector runs as another user, so the mode must not depend on the umask.
        fchmod(descriptor, 0o644)
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { break }
            bytes = bytes.dropFirst(written)
        }
        var failure = bytes.isEmpty ? nil : SystemError(call: "write(\(part))", errno: errno)
        // Without fsync, a file system may store the rename before the text, which leaves an empty file after a power
        // failure.
        if failure == nil, fsync(descriptor) != 0 { failure = SystemError(call: "fsync(\(part))", errno: errno) }
        close(descriptor)
        if failure == nil, rename(part, path) != 0 { failure = SystemError(call: "rename(\(part))", errno: errno) }
        if failure != nil { unlink(part) }
        return failure
    }
}
