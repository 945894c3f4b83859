import Testing

@testable import EventLoop

@Suite("The order of one pass (CFRunLoop's, B15)")
struct PassOrderTests {
    @Test("a pass has the documented order, from entry to exit")
    func whole() throws {
        let loop = try EpollRunLoop()
        let event = try EventDescriptor()
        var log: [String] = []
        loop.add(
            RunLoopObserver(activities: .all) { activity in
                log.append(name(of: activity))
                if activity == .beforeWaiting { event.write() }
            })
        loop.watch(event, reading: true) {
            log.append("descriptor")
            loop.perform { log.append("block of descriptor") }
            loop.stop()
        }
        loop.signalled("signalled") {
            log.append("signalled")
            loop.perform { log.append("block of signalled") }
        }
        loop.perform { log.append("block") }
        #expect(loop.run() == .stopped)
        #expect(
            log == [
                "entry", "beforeTimers", "beforeSources", "block", "signalled", "block of signalled",
                // A pass that performed a signalled source does not sleep (CFRunLoop's `poll`), so the second one does.
                "beforeTimers", "beforeSources", "beforeWaiting", "afterWaiting", "descriptor", "block of descriptor",
                "exit",
            ])
    }

    @Test("a descriptor that is already ready is handled without the sleep observers")
    func ready() throws {
        let loop = try EpollRunLoop()
        let event = try EventDescriptor(1)
        var log: [String] = []
        loop.add(RunLoopObserver(activities: .all) { log.append(name(of: $0)) })
        loop.watch(event) {
            log.append("descriptor")
            loop.stop()
        }
        loop.run()
        #expect(log == ["entry", "beforeTimers", "beforeSources", "descriptor", "exit"])
    }

    @Test("what a descriptor had before a timer's handler runs is handled first", arguments: [false, true])
    func descriptorBeforeTimer(_ returnsAfterSource: Bool) throws {
        let loop = try EpollRunLoop()
        let (first, second) = (try EventDescriptor(), try EventDescriptor())
        var log: [String] = []
        for (name, event) in [("first", first), ("second", second)] {
            loop.watch(event, reading: true) { log.append(name) }
        }
        // Both are due while a slow handler runs, in which the descriptors become readable.
        loop.timer { _ in
            log.append("timer")
            loop.stop()
        }
        loop.perform {
            first.write()
            second.write()
        }
        while loop.run(returnAfterSourceHandled: returnsAfterSource) == .handledSource {}
        #expect(log == ["first", "second", "timer"])
    }

    @Test("a descriptor that is always ready does not keep timers from firing", arguments: [1, 3])
    func alwaysReady(_ count: Int) throws {
        let loop = try EpollRunLoop()
        var handled = 0
        let events = try loop.watchReady(count, reading: false) { _ in handled += 1 }
        loop.timer { _ in loop.stop() }
        while loop.run(returnAfterSourceHandled: true) == .handledSource, handled < 10_000 {}
        withExtendedLifetime(events) {}
        #expect(handled < 1000)
    }

    @Test("a timer fires between after waiting and the blocks it gives")
    func timer() throws {
        let loop = try EpollRunLoop()
        var log: [String] = []
        let timer = RunLoopTimer(name: "timer") { _ in
            log.append("timer")
            loop.perform { log.append("block") }
        }
        loop.add(timer)
        loop.keepAlive()
        loop.add(
            RunLoopObserver(activities: [.beforeWaiting, .afterWaiting]) { activity in
                log.append(name(of: activity))
                if activity == .beforeWaiting { timer.reschedule(after: .zero) } else { loop.stop() }
            })
        #expect(loop.run() == .stopped)
        #expect(log == ["beforeWaiting", "afterWaiting", "timer", "block"])
    }

    @Test("a block added while blocks run is performed after the signalled sources")
    func blockOfBlock() throws {
        let loop = try EpollRunLoop()
        var log: [String] = []
        loop.signalled("signalled") { log.append("signalled") }
        loop.perform {
            log.append("first")
            loop.perform { log.append("third") }
        }
        loop.perform { log.append("second") }
        loop.run(until: .now)
        #expect(log == ["first", "second", "signalled", "third"])
    }

    @Test("signalled sources run by order, once per pass")
    func signalled() throws {
        let loop = try EpollRunLoop()
        var log: [String] = []
        var passes = 0
        loop.observe(.beforeSources) { passes += 1 }
        let late = SignalledSource(name: "late", order: 2) { log.append("late in pass \(passes)") }
        let early = SignalledSource(name: "early", order: 1) {
            log.append("early in pass \(passes)")
            if passes == 1 { late.signal() }
            if passes == 2 { loop.stop() }
        }
        let again = SignalledSource(name: "again", order: 3) {
            log.append("again in pass \(passes)")
            if passes == 1 { early.signal() }
        }
        for source in [again, late, early] {
            loop.add(source)
            if source !== late { (0..<3).forEach { _ in source.signal() } }
        }
        #expect(loop.run() == .stopped)
        #expect(log == ["early in pass 1", "again in pass 1", "early in pass 2", "late in pass 2"])
        #expect(!again.isSignalled)
    }

    @Test("observers run by order, then as added; a non-repeating one runs once")
    func observers() throws {
        let loop = try EpollRunLoop()
        var log: [Int] = []
        for (number, order) in [(1, 5), (2, -5), (3, 5)] {
            loop.add(RunLoopObserver(activities: .beforeSources, order: order) { _ in log.append(number) })
        }
        let once = RunLoopObserver(activities: .beforeSources, order: 9, repeats: false) { _ in log.append(4) }
        loop.add(once)
        loop.keepAlive()
        loop.run(until: .now)
        loop.run(until: .now)
        #expect(log == [2, 1, 3, 4, 2, 1, 3])
        #expect(!once.isValid)
    }
}

private func name(of activity: RunLoopObserver.Activities) -> String {
    switch activity {
    case .entry: "entry"
    case .beforeTimers: "beforeTimers"
    case .beforeSources: "beforeSources"
    case .beforeWaiting: "beforeWaiting"
    case .afterWaiting: "afterWaiting"
    case .exit: "exit"
    default: "several"
    }
}
