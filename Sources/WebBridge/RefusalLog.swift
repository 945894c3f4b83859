import ControlProtocol
import Foundation
import Synchronization

/// Writes refused requests to the journal: a few at once, then one every ten seconds with the number of the others.
nonisolated final class RefusalLog: Sendable {
    private struct State {
        var left = RefusalLog.burst
        var time: Double
        var skipped = 0
    }

    private static let burst = 10.0
    private static let interval = 10.0

    private let state: Mutex<State>
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - time: Now, in seconds of a clock that does not jump.
    ///   - write: Receives a line for each entry.
    init(at time: Double, write: @escaping @Sendable (String) -> Void) {
        state = Mutex(State(time: time))
        self.write = write
    }

    /// Logs a refusal, or counts it.
    func add(origin: String, path: String, reason: String, at now: Double) {
        let skipped: Int? = state.withLock { state in
            state.left = min(Self.burst, state.left + max(0, now - state.time) / Self.interval)
            state.time = now
            guard state.left >= 1 else {
                state.skipped += 1
                return nil
            }
            state.left -= 1
            defer { state.skipped = 0 }
            return state.skipped
        }
        guard let skipped else { return }
        let others = skipped > 0 ? "; \(skipped) refusals before this one are not logged" : ""
        write(
            "refused a page of the origin '\(Self.shown(origin))' at \(Self.shown(path)): \(reason)\(others)")
    }

    /// A text of a stranger: short, and without characters that a terminal would execute.
    private static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.prefix(100).map { (33...126).contains($0.value) ? $0 : "?" }))
    }
}
