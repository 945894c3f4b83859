import EventLoop
import Testing

@Suite("Timers")
struct TimerTests {
    @Test("a timer fires once at or after its deadline, and its mode is then finished")
    func once() throws {
        let loop = try EpollRunLoop()
        let deadline = Deadline.after(.milliseconds(2))
        var fired: [Deadline] = []
        let timer = RunLoopTimer(name: "once", at: deadline) { _ in fired.append(.now) }
        loop.add(timer)
        #expect(loop.run() == .finished)
        #expect(fired.count == 1 && fired.allSatisfy { $0 >= deadline })
        #expect(!timer.isValid)
    }

    @Test("timers fire in the order of their deadlines, those of one moment in the order they were added")
    func order() throws {
        let loop = try EpollRunLoop()
        let start = Deadline.now
        var order: [Int] = []
        for (index, milliseconds) in [3, 1, 2, 1].enumerated() {
            loop.add(
                RunLoopTimer(name: "\(index)", at: start + .milliseconds(milliseconds)) { _ in order.append(index) })
        }
        #expect(loop.run() == .finished)
        #expect(order == [1, 3, 2, 0])
    }

    @Test("a repeating timer keeps its phase, and skips what it missed")
    func phase() throws {
        let loop = try EpollRunLoop()
        let first = Deadline.now + .milliseconds(-25)
        var next: Deadline?
        let timer = RunLoopTimer(name: "repeats", at: first, repeating: .milliseconds(10)) { _ in loop.stop() }
        loop.add(timer)
        #expect(loop.run() == .stopped)
        next = timer.deadline
        let passed = try #require(next) - first
        #expect(passed >= .milliseconds(30))
        #expect(passed.components.attoseconds % 10_000_000_000_000_000 == 0)
    }

    @Test("a timer can be armed anew and cancelled in its own handler")
    func rearm() throws {
        let loop = try EpollRunLoop()
        var count = 0
        let timer = RunLoopTimer(name: "again", after: .zero, repeating: .seconds(3600)) { timer in
            count += 1
            if count < 3 { timer.reschedule(after: .zero) } else { timer.invalidate() }
        }
        loop.add(timer)
        #expect(loop.run() == .finished)
        #expect(count == 3)
    }
}
