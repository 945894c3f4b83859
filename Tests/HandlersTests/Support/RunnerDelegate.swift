import Handlers

/// Keeps what a runner tells its delegate.
final class RunnerDelegate: HandlerRunnerDelegate {
    private(set) var runs: [(name: String, duration: Duration, failure: HandlerFailure?)] = []
    private(set) var dropped: [String] = []
    /// `TOPIC: MESSAGE`.
    private(set) var messages: [String] = []
    private(set) var reloadCount = 0
    var onLateFailure: (HandlerFailure) -> Void = { _ in }

    func handlerDidRun(_ name: String, for duration: Duration, failure: HandlerFailure?) {
        runs.append((name, duration, failure))
    }

    func handlerDidFailLater(_ name: String, _ failure: HandlerFailure) { onLateFailure(failure) }

    func handlerWasDropped(_ name: String) { dropped.append(name) }

    func reloadLayout() { reloadCount += 1 }

    func publish(_ message: String, to topic: String, isPrivate: Bool) { messages.append("\(topic): \(message)") }
}
