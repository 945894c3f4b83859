import CLinux
import EventLoop
import Glibc
import Testing

/// An eventfd, closed with the object.
final class EventDescriptor {
    let number: Int32

    init(_ value: UInt32 = 0) throws {
        number = eventfd(value, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        try #require(number >= 0)
    }

    deinit { close(number) }

    /// Makes it readable.
    func write() { eventfd_write(number, 1) }

    /// Makes it unreadable again, and returns the sum written since the last call.
    @discardableResult
    func read() -> UInt64 {
        var value: eventfd_t = 0
        return eventfd_read(number, &value) == 0 ? value : 0
    }
}

extension EpollRunLoop {
    /// Adds a source for a descriptor, which is made unreadable before the handler if `reading`.
    @discardableResult
    func watch(
        _ event: EventDescriptor, in mode: Mode = .common, reading: Bool = false, _ handler: @escaping () -> Void
    ) -> DescriptorSource {
        let source = DescriptorSource(name: "descriptor", descriptor: event.number) { _ in
            if reading { event.read() }
            handler()
        }
        #expect(throws: Never.self) { try add(source, to: mode) }
        return source
    }

    /// Adds sources for ready descriptors, which are made unreadable before the handler if `reading`.
    ///
    /// - Returns: the descriptors, which must outlive the runs.
    func watchReady(
        _ count: Int, reading: Bool = true, _ handler: @escaping (Int) -> Void
    ) throws -> [EventDescriptor] {
        try (0..<count).map { number in
            let event = try EventDescriptor(1)
            watch(event, reading: reading) { handler(number) }
            return event
        }
    }

    /// Adds an observer.
    func observe(_ activities: RunLoopObserver.Activities, _ handler: @escaping () -> Void) {
        add(RunLoopObserver(activities: activities) { _ in handler() })
    }

    /// Adds a timer that fires now.
    @discardableResult
    func timer(in mode: Mode = .common, _ handler: @escaping (RunLoopTimer) -> Void) -> RunLoopTimer {
        let timer = RunLoopTimer(name: "now", at: .now, handler: handler)
        add(timer, to: mode)
        return timer
    }

    /// Adds a signalled source and signals it.
    @discardableResult
    func signalled(
        _ name: String, order: Int = 0, in mode: Mode = .common, _ handler: @escaping () -> Void
    ) -> SignalledSource {
        let source = SignalledSource(name: name, order: order, perform: handler)
        add(source, to: mode)
        source.signal()
        return source
    }

    /// Keeps a mode from finishing.
    func keepAlive(in mode: Mode = .common) { add(SignalledSource(name: "keeps the mode from finishing") {}, to: mode) }
}
