import EventLoop

/// The line that `systemctl status` shows, kept true with little talk: at most one message in five seconds, and none
/// while it would say the same again.
final class StatusLine {
    /// What the line says, and whether it will be another by the mere passing of time.
    typealias Text = (line: String, passes: Bool)

    private static let passing = Duration.seconds(30)

    private let pause: Duration
    private let text: () -> Text
    private let send: (String) -> Bool
    private var last: String?
    private var timer: RunLoopTimer?
    private var earliest = Deadline(nanoseconds: 0)

    /// Makes a line.
    ///
    /// - Parameters:
    ///   - loop: Waits while the line was sent a moment ago.
    ///   - pause: How long a line stays at least.
    ///   - text: What the line says now.
    ///   - send: Takes the line, and answers whether it got through; what did not is tried again.
    init(
        loop: EpollRunLoop, pause: Duration = .seconds(5), text: @escaping () -> Text, send: @escaping (String) -> Bool
    ) {
        self.pause = pause
        self.text = text
        self.send = send
        let timer = RunLoopTimer(name: "touchd.status", tolerance: .seconds(1)) { [weak self] _ in self?.update() }
        loop.add(timer)
        self.timer = timer
    }

    /// Takes the line as sent with something else, such as `READY=1`, and answers it.
    func sentWithOther() -> String {
        let (line, passes) = text()
        noteSent(line, passes)
        return line
    }

    /// Something the line says may have changed; it is sent in a moment, or when it may be.
    func setNeedsUpdate() {
        guard let timer, !(timer.isArmed && timer.deadline <= earliest) else { return }
        timer.reschedule(at: earliest)
    }

    /// Ends the line's timer.
    func invalidate() {
        timer?.invalidate()
        timer = nil
    }

    private func update() {
        let (line, passes) = text()
        guard line == last || send(line) else {
            timer?.reschedule(after: pause)
            return
        }
        noteSent(line, passes)
    }

    private func noteSent(_ line: String, _ passes: Bool) {
        last = line
        earliest = .after(pause)
        if passes { timer?.reschedule(after: Self.passing) } else { timer?.cancel() }
    }
}
