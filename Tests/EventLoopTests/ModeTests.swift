import EventLoop
import Testing

@Suite("Modes")
struct ModeTests {
    @Test("B16 while a touch is tracked, sources of the default mode wait")
    func tracking() throws {
        let loop = try EpollRunLoop()
        let events = try (0..<2).map { _ in try EventDescriptor(1) }
        var log: [String] = []
        loop.watch(events[0], in: .default, reading: true) { log.append("descriptor") }
        loop.watch(events[1], reading: true) { log.append("common descriptor") }
        loop.timer(in: .default) { _ in log.append("timer") }
        loop.timer { _ in log.append("common timer") }
        loop.signalled("default", in: .default) { log.append("signalled") }
        loop.perform { log.append("block") }
        loop.perform(in: .common) { log.append("common block") }
        loop.run(mode: .tracking, until: .after(.milliseconds(2)))
        #expect(log == ["common block", "common descriptor", "common timer"])
        log.removeAll()
        loop.run(until: .after(.milliseconds(2)))
        #expect(log.sorted() == ["block", "descriptor", "signalled", "timer"])
    }

    @Test("a source that stays ready outside its mode does not wake the loop repeatedly")
    func parked() throws {
        let loop = try EpollRunLoop()
        let event = try EventDescriptor(1)
        var (calls, wakes) = (0, 0)
        loop.watch(event, in: .default, reading: true) { calls += 1 }
        loop.observe(.afterWaiting) { wakes += 1 }
        loop.keepAlive()
        #expect(loop.run(mode: .tracking, until: .after(.milliseconds(5))) == .timedOut)
        #expect(wakes <= 1)
        #expect(calls == 0)
        loop.run(until: .now)
        #expect(calls == 1)
    }

    @Test("a source removed from one mode stays in the others")
    func removeFromMode() throws {
        let loop = try EpollRunLoop()
        let event = try EventDescriptor(1)
        var calls = 0
        let source = loop.watch(event) {
            calls += 1
            loop.stop()
        }
        loop.remove(source, from: .default)
        #expect(loop.run() == .finished)
        #expect(loop.run(mode: .tracking) == .stopped)
        loop.remove(source, from: .tracking)
        #expect(loop.run(mode: .tracking) == .finished)
        try loop.add(source)
        #expect(loop.run() == .stopped)
        #expect(calls == 2)
    }

    @Test("blocks of another mode keep their place among later ones")
    func blockOrder() throws {
        let loop = try EpollRunLoop()
        var log: [Int] = []
        loop.perform(in: .tracking) { log.append(1) }
        loop.perform {
            log.append(0)
            loop.perform(in: .tracking) { log.append(3) }
        }
        loop.perform(in: .tracking) { log.append(2) }
        #expect(loop.run() == .finished)
        #expect(loop.run(mode: .tracking) == .finished)
        #expect(log == [0, 1, 2, 3])
    }
}
