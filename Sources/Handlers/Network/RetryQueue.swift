import DequeModule
import EventLoop

/// The entries that wait to be sent to one peer, in order, and the growing delays between attempts.
///
/// When the queue is full, new entries are refused, so that a receiver sees the complete beginning.
final class RetryQueue<Entry> {
    var entries: Deque<Entry> = []

    private let name: String
    private let loop: EpollRunLoop
    private var delays: RetryDelays
    private var timer: RunLoopTimer?

    /// Creates an empty queue; `name` is that of the timer for retries in logs and measurements.
    init(name: String, _ network: NetworkContext) {
        self.name = name
        loop = network.loop
        delays = RetryDelays(first: network.firstPause)
    }

    isolated deinit { timer?.invalidate() }

    /// The maximum number of entries.
    static var limit: Int { 256 }

    var isFull: Bool { entries.count >= Self.limit }

    /// Whether the next attempt waits for its time.
    var isWaiting: Bool { timer != nil }

    /// Calls `retry` after the next delay.
    func wait(thenRetry retry: @escaping () -> Void) {
        let timer = RunLoopTimer(name: name, after: delays.next()) { [weak self] _ in
            self?.timer = nil
            retry()
        }
        self.timer = timer
        loop.add(timer)
    }

    /// Starts again with the shortest delay, after a success.
    func restartDelays() { delays.restart() }
}
