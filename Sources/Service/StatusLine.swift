import EventLoop
import Foundation

/// The line that `systemctl status` shows. It is sent at most once in five seconds and only if it changed.
final class StatusLine {
    /// The line, and whether it changes with time alone.
    typealias Text = (line: String, passes: Bool)

    private static let passing = Duration.seconds(30)

    private let pause: Duration
    private let text: () -> Text
    private let send: (String) -> Bool
    private var last: String?
    private var throttle: Throttle?

    /// - Parameters:
    ///   - pause: The minimum time between two updates.
    ///   - send: Sends the line and returns whether it was sent; a failed update is retried.
    init(
        loop: EpollRunLoop, pause: Duration = .seconds(5), text: @escaping () -> Text, send: @escaping (String) -> Bool
    ) {
        self.pause = pause
        self.text = text
        self.send = send
        throttle = Throttle(name: "touchd.status", pause: pause, tolerance: .seconds(1), loop: loop) { [weak self] in
            self?.update()
        }
    }

    /// Returns the line and marks it as sent, for a caller that sends it with another state such as `READY=1`.
    func sentWithOther() -> String {
        let (line, passes) = text()
        noteSent(line, passes)
        return line
    }

    /// Marks the line as possibly changed. It is sent in the loop's next pass, or when the pause is over.
    func setNeedsUpdate() { throttle?.request() }

    func invalidate() { throttle = nil }

    private func update() {
        let (line, passes) = text()
        guard line == last || send(line) else { return throttle?.startPause(next: pause) ?? () }
        noteSent(line, passes)
    }

    private func noteSent(_ line: String, _ passes: Bool) {
        last = line
        throttle?.startPause(next: passes ? Self.passing : nil)
    }
}
