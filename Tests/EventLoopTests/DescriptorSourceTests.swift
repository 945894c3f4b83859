import CLinux
import EventLoop
import Glibc
import Testing

@Suite("Descriptor sources")
struct DescriptorSourceTests {
    @Test("a source is called in every pass while its descriptor is ready")
    func level() throws {
        let loop = try EpollRunLoop()
        let event = try EventDescriptor(1)
        var seen: [DescriptorSource.Events] = []
        loop.add(
            DescriptorSource(name: "level", descriptor: event.number) { events in
                seen.append(events)
                if seen.count == 3 { loop.stop() }
            })
        #expect(loop.run() == .stopped)
        #expect(seen == [.read, .read, .read])
    }

    @Test("a hang-up is reported without being requested, writability on request")
    func hangUp() throws {
        let loop = try EpollRunLoop()
        let event = try EventDescriptor()
        var ends: [Int32] = [0, 0]
        try #require(pipe2(&ends, O_CLOEXEC) == 0)
        close(ends[1])
        for (descriptor, expected) in [(ends[0], DescriptorSource.Events.hangUp), (event.number, .write)] {
            var seen: DescriptorSource.Events = []
            let source = DescriptorSource(
                name: "pipe", descriptor: descriptor, events: expected == .write ? [.read, .write] : .read
            ) { events in
                seen = events
                loop.stop()
            }
            loop.add(source)
            #expect(loop.run() == .stopped)
            #expect(seen == expected)
            source.invalidate()
        }
        close(ends[0])
    }

    @Test("ready sources are handled by priority, equal ones in the kernel's order")
    func priority() throws {
        let loop = try EpollRunLoop()
        let events = try (0..<4).map { _ in try EventDescriptor() }
        var order: [Int] = []
        for (index, priority) in [0, 5, -1, 0].enumerated() {
            loop.add(
                DescriptorSource(name: "\(index)", descriptor: events[index].number, priority: priority) { _ in
                    order.append(index)
                })
        }
        for event in events { event.write() }
        loop.run(until: .now)
        #expect(order == [2, 0, 3, 1])
    }

    @Test("a source invalidated by another's handler in the same pass is not called")
    func invalidatedInPass() throws {
        let loop = try EpollRunLoop()
        let events = try (0..<2).map { _ in try EventDescriptor(1) }
        var sources: [DescriptorSource] = []
        var calls = 0
        for event in events {
            let source = loop.watch(event) {
                calls += 1
                for source in sources { source.invalidate() }
            }
            sources.append(source)
        }
        #expect(loop.run() == .finished)
        #expect(calls == 1)
    }

    @Test("a descriptor number reused after close does not call its former source")
    func reusedNumber() throws {
        let loop = try EpollRunLoop()
        var calls: [String] = []
        let old = try EventDescriptor(1)
        loop.watch(old) { calls.append("old") }
        let event = try EventDescriptor()
        // Closes the old descriptor and reuses its number in one step.
        try #require(dup3(event.number, old.number, O_CLOEXEC) == old.number)
        loop.watch(old) {
            calls.append("new")
            loop.stop()
        }
        event.write()
        loop.run()
        #expect(calls == ["new"])
    }

    @Test("an invalidated source releases what its handler captured")
    func release() throws {
        let loop = try EpollRunLoop()
        let event = try EventDescriptor(1)
        weak var captured: EventDescriptor?
        do {
            let object = try EventDescriptor()
            captured = object
            let source = loop.watch(event) {
                object.write()
                loop.stop()
            }
            loop.run()
            #expect(captured != nil)
            source.invalidate()
        }
        #expect(captured == nil)
    }

    @Test("a closed descriptor that is alive as a duplicate does not keep the loop busy")
    func closedButAlive() throws {
        let loop = try EpollRunLoop()
        let duplicate = try EventDescriptor()
        let closed = fcntl(duplicate.number, F_DUPFD_CLOEXEC, 0)
        try #require(closed >= 0)
        let other = try EventDescriptor()
        var log: [String] = []
        var wakes = 0
        let source = DescriptorSource(name: "closed", descriptor: closed) { _ in log.append("closed") }
        loop.add(source)
        loop.watch(other, reading: true) { log.append("other") }
        loop.observe(.beforeTimers) { wakes += 1 }
        close(closed)
        source.invalidate()
        duplicate.write()
        #expect(loop.run(until: .after(.milliseconds(3))) == .timedOut)
        #expect(wakes <= 3)
        other.write()
        loop.run(until: .now)
        #expect(log == ["other"])
    }
}
