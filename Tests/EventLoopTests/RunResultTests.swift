import EventLoop
import Testing

@Suite("How a run ends")
struct RunResultTests {
    @Test("a mode with nothing to wait for is finished at once, without entry")
    func finished() throws {
        let loop = try EpollRunLoop()
        var calls = 0
        loop.observe(.all) { calls += 1 }
        #expect(loop.run() == .finished)
        #expect(calls == 0)
        #expect(loop.currentMode == nil)
    }

    @Test("a block that was the last thing to wait for ends the run at any position", arguments: 1...4)
    func lastBlock(chain: Int) throws {
        let loop = try EpollRunLoop()
        var left = chain
        func next() {
            left -= 1
            if left > 0 { loop.perform(next) }
        }
        loop.perform(next)
        #expect(loop.run() == .finished)
        #expect(left == 0)
    }

    @Test("a source that removes itself as the last one ends the run")
    func lastSource() throws {
        let loop = try EpollRunLoop()
        var sources: [SignalledSource] = []
        let source = loop.signalled("last") { sources.removeLast().invalidate() }
        sources.append(source)
        #expect(loop.run() == .finished)
    }

    @Test("a past deadline means one pass that does not sleep, and handles what is ready")
    func past() throws {
        let loop = try EpollRunLoop()
        var (calls, sleeps) = (0, 0)
        loop.observe(.beforeWaiting) { sleeps += 1 }
        let events = try loop.watchReady(2, reading: false) { _ in calls += 1 }
        #expect(loop.run(until: Deadline(nanoseconds: 0)) == .timedOut)
        withExtendedLifetime(events) {}
        #expect(calls == 2)
        #expect(sleeps == 0)
    }

    @Test(
        "a run that returns after one source, or is stopped in its handler, handles exactly one",
        arguments: [EpollRunLoop.RunResult.handledSource, .stopped])
    func handled(result: EpollRunLoop.RunResult) throws {
        let loop = try EpollRunLoop()
        var calls: [Int] = []
        let events = try loop.watchReady(3) { number in
            calls.append(number)
            if result == .stopped { loop.stop() }
        }
        for count in 1...3 {
            #expect(loop.run(returnAfterSourceHandled: result == .handledSource) == result)
            #expect(calls.count == count)
        }
        #expect(calls.sorted() == [0, 1, 2])
        withExtendedLifetime(events) {}
    }

    @Test("a run that returns after one source performs one signalled source, no timer")
    func handledSignalled() throws {
        let loop = try EpollRunLoop()
        var log: [String] = []
        let sources = (0..<2).map { index in SignalledSource(name: "\(index)") { log.append("source \(index)") } }
        for source in sources { loop.add(source) }
        loop.timer { _ in
            log.append("timer")
            for source in sources { source.signal() }
        }
        #expect(loop.run(returnAfterSourceHandled: true) == .handledSource)
        #expect(log == ["timer", "source 0"])
        #expect(loop.run(returnAfterSourceHandled: true) == .handledSource)
        #expect(log == ["timer", "source 0", "source 1"])
    }

    @Test("a stop before the loop waits, in an observer, ends the run without a wait")
    func stopBeforeWaiting() throws {
        let loop = try EpollRunLoop()
        loop.keepAlive()
        loop.observe(.beforeWaiting) { loop.stop() }
        #expect(loop.run(until: .after(.seconds(600))) == .stopped)
    }

    @Test("a block or signaled source from a descriptor's handler follows at once")
    func leavingQuiet() throws {
        let loop = try EpollRunLoop()
        let event = try EventDescriptor(1)
        var log: [String] = []
        let signalled = SignalledSource(name: "signalled") {
            log.append("signalled")
            loop.stop()
        }
        loop.add(signalled)
        var calls = 0
        loop.watch(event) {
            calls += 1
            guard calls == 3 else { return }
            log.append("descriptor")
            signalled.signal()
            loop.perform { log.append("block") }
            event.read()
        }
        #expect(loop.run() == .stopped)
        #expect(log == ["descriptor", "block", "signalled"])
    }
}
