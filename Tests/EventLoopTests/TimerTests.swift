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

    @Test("a repeating timer keeps its phase, and skips missed deadlines")
    func phase() throws {
        let loop = try EpollRunLoop()
        let first = Deadline.now + .milliseconds(-25)
        let timer = RunLoopTimer(name: "repeats", at: first, repeating: .milliseconds(10)) { _ in loop.stop() }
        loop.add(timer)
        #expect(loop.run() == .stopped)
        let passed = timer.deadline - first
        #expect(passed >= .milliseconds(30))
        #expect(passed.components.attoseconds % 10_000_000_000_000_000 == 0)
    }

    @Test(
        "a repeating timer keeps its phase after a first deadline centuries ago, and with an interval of centuries",
        arguments: [Int64.min: 1_000_000_000, -1 << 62: 1 << 62, 0: .max])
    func centuries(_ first: Int64, _ interval: Int64) throws {
        let loop = try EpollRunLoop()
        let first = Deadline(nanoseconds: first)
        let timer = RunLoopTimer(name: "repeats", at: first, repeating: .nanoseconds(interval)) { _ in loop.stop() }
        loop.add(timer)
        #expect(loop.run() == .stopped)
        let passed = timer.deadline - first
        #expect(!timer.deadline.isPast)
        #expect(passed == .nanoseconds(interval) * Int((passed / .nanoseconds(interval)).rounded()))
    }

    @Test("a timer can be rearmed and cancelled in its own handler")
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

    @Test("a repeating timer that its handler moves to another loop fires there")
    func moved() throws {
        let (first, second) = (try EpollRunLoop(), try EpollRunLoop())
        var count = 0
        let timer = RunLoopTimer(name: "moves", after: .zero, repeating: .nanoseconds(1)) { timer in
            count += 1
            guard count == 1 else { return timer.invalidate() }
            first.remove(timer)
            second.add(timer)
        }
        first.add(timer)
        #expect(first.run() == .finished)
        #expect(second.run() == .finished)
        #expect(count == 2)
    }

    @Test("a reusable timer can be rescheduled after it fired; unarmed, it does not count")
    func reusable() throws {
        let loop = try EpollRunLoop()
        var count = 0
        let timer = RunLoopTimer(name: "reusable") { _ in count += 1 }
        loop.add(timer)
        #expect(loop.run() == .finished)
        for expected in 1...3 {
            timer.reschedule(after: .zero)
            #expect(loop.run() == .finished)
            #expect(count == expected)
        }
        #expect(timer.isValid && !timer.isArmed)
    }

    @Test("a cancelled timer does not fire, even if due with the one that cancels it")
    func cancelled() throws {
        let loop = try EpollRunLoop()
        var fired: [String] = []
        let second = RunLoopTimer(name: "second", at: .now, repeating: .microseconds(1)) { _ in fired.append("second") }
        let first = RunLoopTimer(name: "first", at: Deadline.now + .milliseconds(-1), repeating: .seconds(1)) { timer in
            fired.append("first")
            second.cancel()
            timer.cancel()
        }
        loop.add(second)
        loop.add(first)
        #expect(loop.run() == .finished)
        #expect(fired == ["first"])
    }

    @Test("timers with overlapping tolerances share one wake-up, none before its deadline")
    func tolerance() throws {
        let loop = try EpollRunLoop()
        let start = Deadline.now
        var wakes = 0
        var fired = 0
        for milliseconds in [4, 5, 6] {
            let deadline = start + .milliseconds(milliseconds)
            loop.add(
                RunLoopTimer(name: "tolerant", at: deadline, tolerance: .milliseconds(10)) { _ in
                    #expect(deadline.isPast)
                    fired += 1
                })
        }
        loop.observe(.afterWaiting) { wakes += 1 }
        #expect(loop.run() == .finished)
        #expect(fired == 3)
        // Zero if the machine was so busy that all were due before the loop could sleep.
        #expect(wakes <= 1)
    }

    @Test("timers fire in order of deadlines, equal ones in the order armed, after arming, moving and cancelling")
    func random() throws {
        let loop = try EpollRunLoop()
        var generator = SystemRandomNumberGenerator()
        let start = Deadline.now + .milliseconds(-100)
        var model: [Int: (deadline: Int, sequence: Int)] = [:]
        var fired: [Int] = []
        let timers = (0..<500).map { index in RunLoopTimer(name: "\(index)") { _ in fired.append(index) } }
        for timer in timers { loop.add(timer) }
        for sequence in 0..<5_000 {
            let index = Int.random(in: 0..<500, using: &generator)
            if Bool.random(using: &generator) {
                let deadline = Int.random(in: 0..<100, using: &generator)
                timers[index].reschedule(at: start + .microseconds(deadline))
                model[index] = (deadline, sequence)
            } else {
                timers[index].cancel()
                model[index] = nil
            }
        }
        let expected = model.sorted { ($0.value.deadline, $0.value.sequence) < ($1.value.deadline, $1.value.sequence) }
        #expect(loop.run() == .finished)
        #expect(fired == expected.map(\.key))
    }

    @Test("delays too long to count are infinite, and durations keep their nanoseconds")
    func durations() {
        #expect((Deadline.now + .seconds(Int64.max)).nanoseconds == .max)
        #expect((Deadline(nanoseconds: 5) + .seconds(10_000_000_000)).nanoseconds == .max)
        #expect((Deadline(nanoseconds: 1) + .seconds(100)).nanoseconds == 100_000_000_001)
        #expect((Deadline(nanoseconds: 7) + .nanoseconds(-3)).nanoseconds == 4)
        #expect(Deadline(nanoseconds: 10) - Deadline(nanoseconds: 4) == .nanoseconds(6))
    }

    @Test("a destroyed loop releases its sources, and invalidating them does nothing")
    func loopGone() throws {
        let event = try EventDescriptor()
        let source = DescriptorSource(name: "outlives", descriptor: event.number) { _ in }
        let timer = RunLoopTimer(name: "outlives", after: .seconds(1)) { _ in }
        let observer = RunLoopObserver(activities: .all) { _ in }
        let signalled = SignalledSource(name: "outlives") {}
        weak var gone: EpollRunLoop?
        do {
            let loop = try EpollRunLoop()
            gone = loop
            try loop.add(source)
            loop.add(timer)
            loop.add(observer)
            loop.add(signalled)
        }
        #expect(gone == nil)
        signalled.signal()
        timer.reschedule(after: .zero)
        timer.cancel()
        source.invalidate()
        timer.invalidate()
        observer.invalidate()
        signalled.invalidate()
    }

    @Test("a source that outlives its loop is handled in the next loop, also if it was ready outside its mode")
    func nextLoop() throws {
        let events = try (0..<2).map { _ in try EventDescriptor(1) }
        var log: Set<String> = []
        let common = DescriptorSource(name: "common", descriptor: events[0].number) { _ in log.insert("common") }
        let parked = DescriptorSource(name: "parked", descriptor: events[1].number) { _ in log.insert("parked") }
        let signalled = SignalledSource(name: "signalled") { log.insert("signalled") }
        let timer = RunLoopTimer(name: "timer") { _ in log.insert("timer") }
        let observer = RunLoopObserver(activities: .exit) { _ in log.insert("observer") }
        func add(to loop: EpollRunLoop) throws {
            try loop.add(common)
            try loop.add(parked, to: .default)
            loop.add(signalled)
            loop.add(timer)
            loop.add(observer)
        }
        do {
            let first = try EpollRunLoop()
            try add(to: first)
            first.run(mode: .tracking, until: .now)
        }
        log.removeAll()
        let second = try EpollRunLoop()
        try add(to: second)
        signalled.signal()
        timer.reschedule(at: .now)
        #expect(second.run(until: .now) == .timedOut)
        #expect(log == ["common", "parked", "signalled", "timer", "observer"])
        for source in [common, parked] { source.invalidate() }
        signalled.invalidate()
        #expect(second.run(until: .now) == .finished)
    }
}
