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
            _ = DurableFile.write(text, to: path, mode: 0o644)
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
                let failure = turn.isOver.withLock { isOver in
                    isOver ? nil : DurableFile.write(text, to: path, mode: 0o644)
                }
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
        if let failure, !hasFailed { logger.error("cannot write the metrics: \(failure)") }
        if failure == nil, hasFailed { logger.info("\(path): the metrics are written again") }
        hasFailed = failure != nil
    }
}
