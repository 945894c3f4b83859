import EventLoop
import Testing

@Suite("Runs nested in callbacks")
struct NestedRunTests {
    @Test("a nested run continues with what is ready; nothing is handled twice")
    func rest() throws {
        let loop = try EpollRunLoop()
        let events = try (0..<4).map { _ in try EventDescriptor(1) }
        var log: [String] = []
        for (index, event) in events.enumerated() {
            loop.watch(event, reading: true) {
                log.append("begin")
                if index == 0 { loop.run(until: .now) }
                log.append("end")
            }
        }
        loop.run(until: .now)
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
        let first = SignalledSource(name: "first", order: 1) {
            log.append("first")
            loop.run(until: .now)
            log.append("first ends")
        }
        let second = SignalledSource(name: "second", order: 2) { log.append("second") }
        for source in [first, second] {
            loop.add(source)
            source.signal()
        }
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
        loop.add(
            RunLoopTimer(name: "nests", after: .zero) { _ in
                log.append("\(loop.run(mode: .tracking, until: .after(.milliseconds(1))))")
            }, to: .default)
        loop.keepAlive(in: .tracking)
        loop.add(RunLoopTimer(name: "later", after: .milliseconds(3)) { _ in log.append("later") }, to: .default)
        #expect(loop.run() == .finished)
        #expect(log == ["timedOut", "later"])
    }
}
