import DequeModule
import EventLoop
import Logging

/// Work that takes too long for the thread that delivers touches: one piece after the other, in order, on another thread.
///
/// Several threads would take the processors from the touches.
package final class Worker {
    /// A piece of work; it returns what is done afterwards on the main thread.
    package typealias Piece = @Sendable () -> @MainActor @Sendable () -> Void

    private let start: (@escaping Piece) -> Void
    private var waiting: Deque<Piece> = []
    private var isBusy = false

    /// Creates a worker whose threads report to a run loop.
    ///
    /// - Parameter subject: The name of its input in the log.
    convenience init(_ loop: EpollRunLoop, logger: Logger, reading subject: String = "a request") {
        let remote = loop.remote
        self.init { piece in
            do throws(SystemError) {
                try DetachedThread.run {
                    let finish = piece()
                    remote.performOnMain(finish)
                }
            } catch {
                logger.warning(
                    "\(subject) is read on the main thread, because no thread could be started: \(error)")
                piece()()
            }
        }
    }

    /// Creates a worker whose pieces something else performs, such as a test.
    package init(start: @escaping (@escaping Piece) -> Void) { self.start = start }

    /// Does work on another thread, and then calls a closure with its result on the main thread.
    func perform<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result, then finish: @escaping @MainActor @Sendable (Result) -> Void
    ) {
        waiting.append { [weak self] in
            let result = work()
            return {
                self?.isBusy = false
                finish(result)
                self?.next()
            }
        }
        next()
    }

    private func next() {
        guard !isBusy, let piece = waiting.popFirst() else { return }
        isBusy = true
        start(piece)
    }
}
