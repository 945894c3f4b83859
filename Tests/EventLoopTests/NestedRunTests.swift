import EventLoop
import Testing

@Suite("Runs nested in callbacks")
struct NestedRunTests {
    @Test("a nested run continues with what is ready; nothing is handled twice")
    func rest() throws {
        let loop = try EpollRunLoop()
        var log: [String] = []
        let events = try loop.watchReady(4) { number in
            log.append("begin")
            if number == 0 { loop.run(until: .now) }
            log.append("end")
        }
        loop.run(until: .now)
        withExtendedLifetime(events) {}
        #expect(log.count == 8)
        #expect(log.prefix(2) == ["begin", "begin"])
        #expect(log.last == "end")
    }

    @Test("stop ends the innermost run only, and restores the outer mode")
    func stop() throws {
        let loop = try EpollRunLoop()
        var log: [String] = []
        loop.signalled("outer") {
            loop.perform(in: .tracking) { loop.stop() }
            log.append("\(loop.run(mode: .tracking)) in \(loop.currentMode?.name ?? "none")")
            loop.perform { loop.stop() }
        }
        #expect(loop.run() == .stopped)
        #expect(log == ["stopped in default"])
        #expect(loop.currentMode == nil)
    }

    @Test("signaled sources waiting behind the nesting one are performed in the nested run")
    func signalled() throws {
        let loop = try EpollRunLoop()
        var log: [String] = []
        loop.signalled("first", order: 1) {
            log.append("first")
            loop.run(until: .now)
            log.append("first ends")
        }
        loop.signalled("second", order: 2) { log.append("second") }
        loop.run(until: .now)
        #expect(log == ["first", "second", "first ends"])
    }

    @Test("a timer does not fire in its own nested run, nor is an observer called")
    func reentry() throws {
        let loop = try EpollRunLoop()
        var fired = 0
        var observed = 0
        let timer = RunLoopTimer(name: "nests", after: .zero, repeating: .microseconds(10)) { timer in
            fired += 1
            loop.run(until: .after(.milliseconds(1)))
            #expect(fired == 1)
            timer.invalidate()
        }
        loop.add(timer)
        let observer = RunLoopObserver(activities: .beforeSources, repeats: true) { _ in
            observed += 1
            if observed == 1 { loop.run(until: .now) }
        }
        loop.add(observer)
        loop.perform { observer.invalidate() }
        #expect(loop.run() == .finished)
        #expect(fired == 1)
        #expect(observed == 1)
    }

    @Test("a nested run has its own deadline; the outer timers are set again after it")
    func deadlines() throws {
        let loop = try EpollRunLoop()
        var log: [String] = []
        loop.timer(in: .default) { _ in
            log.append("\(loop.run(mode: .tracking, until: .after(.milliseconds(1))))")
        }
        loop.keepAlive(in: .tracking)
        loop.add(RunLoopTimer(name: "later", after: .milliseconds(3)) { _ in log.append("later") }, to: .default)
        #expect(loop.run() == .finished)
        #expect(log == ["timedOut", "later"])
    }
}
