import EventLoop
import Glibc
import Testing

@Suite("Fair and bounded")
struct FairnessTests {
    @Test("sources that are always ready starve no timers, blocks or other sources")
    func alwaysReady() throws {
        raiseDescriptorLimit()
        let loop = try EpollRunLoop()
        var (calls, blocks) = (0, 0)
        let events = try loop.watchReady(600, reading: false) { _ in calls += 1 }
        let other = try EventDescriptor(1)
        var heard = false
        loop.watch(other, reading: true) { heard = true }
        func block() {
            blocks += 1
            loop.perform(block)
        }
        loop.perform(block)
        var remaining = 20
        let timer = RunLoopTimer(name: "timer", after: .zero, repeating: .nanoseconds(1)) { _ in
            remaining -= 1
            if remaining == 0 { loop.stop() }
        }
        loop.add(timer)
        #expect(loop.run() == .stopped)
        #expect(heard)
        // A pass fires the timer once and handles at most 256 sources, so 20 firings bound both.
        #expect(calls <= 21 * 256 * 3)
        #expect(blocks >= 20)
        withExtendedLifetime(events) {}
    }

    @Test("a timer that always rearms itself for now starves nothing")
    func timerForNow() throws {
        let loop = try EpollRunLoop()
        let event = try EventDescriptor(1)
        var fired = 0
        loop.timer { timer in
            fired += 1
            timer.reschedule(at: loop.now)
        }
        loop.watch(event) { loop.stop() }
        #expect(loop.run() == .stopped)
        #expect(fired <= 2)
    }

    @Test(
        "in runs that return after one source, every ready source is called before any is called again",
        arguments: [3, 300])
    func turns(_ count: Int) throws {
        raiseDescriptorLimit()
        let loop = try EpollRunLoop()
        var calls: [Int] = []
        let events = try loop.watchReady(count, reading: false) { calls.append($0) }
        for _ in 0..<2 * count { #expect(loop.run(returnAfterSourceHandled: true) == .handledSource) }
        withExtendedLifetime(events) {}
        #expect(Set(calls.prefix(count)).count == count)
        #expect(Set(calls.suffix(count)).count == count)
    }

    @Test("a source with a higher priority that is always ready starves no other", arguments: [false, true])
    func turnsByPriority(_ stops: Bool) throws {
        let loop = try EpollRunLoop()
        let events = try (0..<3).map { _ in try EventDescriptor(1) }
        var calls: [Int] = []
        for (event, priority) in zip(events, [2, 0, 1]) {
            try loop.add(
                DescriptorSource(name: "ready", descriptor: event.number, priority: priority) { _ in
                    calls.append(priority)
                    if stops { loop.stop() }
                })
        }
        for _ in 0..<6 { loop.run(returnAfterSourceHandled: !stops) }
        #expect(calls == [0, 1, 2, 0, 1, 2])
    }

    @Test("what became ready between two runs is called by a run with a past deadline, behind what waits from before")
    func betweenRuns() throws {
        let loop = try EpollRunLoop()
        let later = try EventDescriptor()
        var calls: [String] = []
        let events = try loop.watchReady(2) { _ in calls.append("first") }
        loop.watch(later, reading: true) { calls.append("later") }
        loop.run(returnAfterSourceHandled: true)
        later.write()
        loop.run(until: .now)
        #expect(calls == ["first", "first", "later"])
        withExtendedLifetime(events) {}
    }

    @Test("a run with a past deadline calls what is ready, although all that waited from before is invalid")
    func invalidBetweenRuns() throws {
        let loop = try EpollRunLoop()
        let (events, later) = (try (0..<2).map { _ in try EventDescriptor(1) }, try EventDescriptor())
        var calls: [String] = []
        let sources = events.map { event in loop.watch(event) { calls.append("first") } }
        loop.watch(later) { calls.append("later") }
        loop.run(returnAfterSourceHandled: true)
        sources.forEach { $0.invalidate() }
        later.write()
        #expect(loop.run(until: .now, returnAfterSourceHandled: true) == .handledSource)
        #expect(calls == ["first", "later"])
    }

    @Test("timers that rearm each other for past deadlines starve no other timer", arguments: [1, 2])
    func pastDeadlines(_ count: Int) throws {
        let loop = try EpollRunLoop()
        var fired = 0
        var timers: [RunLoopTimer] = []
        for number in 1...count {
            let timer = RunLoopTimer(name: "eager") { _ in
                fired += 1
                // The limit ends a failing test.
                if fired < 1000 { timers[number % count].reschedule(at: Deadline(nanoseconds: 0)) }
            }
            timers.append(loop.add(timer))
        }
        timers[0].reschedule(at: .now)
        loop.timer { _ in loop.stop() }
        loop.keepAlive()
        #expect(loop.run() == .stopped)
        #expect(fired <= 2)
        timers.removeAll()
    }

    @Test("an always signalled source starves no other in runs that return after one")
    func alwaysSignalled() throws {
        let loop = try EpollRunLoop()
        var calls: [String] = []
        var eager: SignalledSource?
        let first = SignalledSource(name: "touches", order: 0) {
            calls.append("touches")
            eager?.signal()
        }
        eager = first
        let others = [20, 10].map { order in
            SignalledSource(name: "\(order)", order: order) { calls.append("\(order)") }
        }
        for source in [first] + others {
            loop.add(source)
            source.signal()
        }
        for _ in 0..<6 { loop.run(returnAfterSourceHandled: true) }
        // Sources waiting since an earlier pass come first, by their order.
        #expect(calls == ["touches", "10", "20", "touches", "touches", "touches"])
        eager = nil
    }

    @Test("ten thousand descriptors are watched, and each ready one is called once")
    func tenThousand() throws {
        raiseDescriptorLimit()
        let loop = try EpollRunLoop()
        let events = try (0..<10_000).map { _ in try EventDescriptor() }
        var calls = [Int](repeating: 0, count: events.count)
        for (index, event) in events.enumerated() {
            loop.watch(event, reading: true) { calls[index] += 1 }
        }
        for event in events { event.write() }
        #expect(loop.run(until: .after(.milliseconds(1))) == .timedOut)
        while calls.contains(0) { loop.run(until: .now) }
        #expect(calls.allSatisfy { $0 == 1 })
    }

    @Test("an idle loop sleeps until its deadline and is not woken before")
    func idle() throws {
        let loop = try EpollRunLoop()
        let event = try EventDescriptor()
        var wakes = 0
        loop.watch(event) {}
        loop.add(RunLoopTimer(name: "far away", after: .seconds(3600)) { _ in })
        loop.observe(.afterWaiting) { wakes += 1 }
        #expect(loop.run(until: .after(.milliseconds(100))) == .timedOut)
        #expect(wakes <= 1)
    }

    private func raiseDescriptorLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
