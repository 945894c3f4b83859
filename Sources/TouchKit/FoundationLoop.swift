import EventLoop
import Foundation

/// Runs Foundation's run loop of this thread in another loop: its timers and its `perform` blocks, in the default mode.
///
/// Foundation has no descriptor to wait for, so it is asked for its next date after each source that was handled. A
/// question takes 5 µs and allocates. So after mere moves it is asked 16 ms later, once for all of them.
final class FoundationLoop {
    private let foundation = RunLoop.current
    private var timer: RunLoopTimer?
    /// The date for which the timer is armed.
    private var date: Date?
    /// How long a date in the past waits for the next question.
    private var patience = Duration.milliseconds(1)
    /// Whether the timer is armed to ask after moves.
    private var asksSoon = false
    /// Whether only moves were delivered since the last turn.
    private var hasOnlyMoved = false

    init(on loop: EpollRunLoop) {
        let timer = RunLoopTimer(name: "Foundation") { [weak self] _ in self?.ask() }
        loop.add(timer)
        self.timer = timer
    }

    /// Leaves the loop; what Foundation's run loop contains stays there.
    func invalidate() { timer?.invalidate() }

    /// Notes that events were delivered; if they were moves, Foundation may be asked later.
    func delivered(onlyMoves: Bool) {
        hasOnlyMoved = onlyMoves
        if onlyMoves, !asksSoon { askSoon() }
    }

    /// Notes that the queue was empty.
    func deliveredNothing() {
        if asksSoon { hasOnlyMoved = true }
    }

    /// Asks Foundation, unless only moves were delivered since the last call.
    func turn() {
        if hasOnlyMoved {
            hasOnlyMoved = false
            return
        }
        // A timer that is due waits for its turn among the loop's timers.
        if let timer, timer.isArmed, timer.deadline.isPast { return }
        ask()
    }

    private func askSoon() {
        asksSoon = true
        guard let timer else { return }
        let limit = Deadline.after(.milliseconds(16))
        if timer.isArmed, timer.deadline < limit { return }
        date = nil
        timer.reschedule(at: limit)
    }

    /// Runs what is due, and arms the timer for the next date.
    private func ask() {
        let next = foundation.limitDate(forMode: .default)
        asksSoon = false
        guard let timer, let next, next < .distantFuture else {
            date = nil
            timer?.cancel()
            return
        }
        if next == date, timer.isArmed { return }
        let delay = min(next.timeIntervalSinceNow, 9e9)
        // The date of a timer stays in the past if the wall clock was set forward. Another descriptor of Foundation's
        // may also have kept it from its timers, but only once.
        patience = delay > 0 || next != date ? .milliseconds(1) : min(patience * 2, .seconds(1))
        date = next
        timer.reschedule(after: delay > 0 ? .seconds(delay) : patience)
    }
}
