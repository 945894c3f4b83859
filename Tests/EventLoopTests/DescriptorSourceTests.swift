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
        try loop.add(
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
            try loop.add(source)
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
            try loop.add(
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
        try loop.add(source)
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

    @Test("a descriptor that the kernel refuses to watch is an error; its source can be added later")
    func refused() throws {
        let loop = try EpollRunLoop()
        let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        var calls = 0
        let source = DescriptorSource(name: "file", descriptor: file) { _ in
            calls += 1
            loop.stop()
        }
        #expect(throws: SystemError(call: "epoll_ctl(EPOLL_CTL_ADD)", errno: EPERM)) { try loop.add(source) }
        #expect(loop.run() == .finished)
        let event = try EventDescriptor(1)
        try #require(dup3(event.number, file, O_CLOEXEC) == file)
        try loop.add(source)
        #expect(loop.run() == .stopped)
        #expect(calls == 1)
        source.invalidate()
    }

    @Test("an acceptor whose socket the kernel refuses to watch reports it and tries again")
    func refusedAcceptor() throws {
        let loop = try EpollRunLoop()
        let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        var failures: [Int32] = []
        let acceptor = Acceptor(
            file, name: "file", loop: loop, didFail: { failures.append($0.errno) }, didAccept: { _ in })
        #expect(failures == [EPERM])
        // The timer for the next try.
        #expect(loop.run(until: .now) == .timedOut)
        acceptor.invalidate()
        #expect(loop.run(until: .now) == .finished)
    }
}
