import CLinux
import Glibc

/// Owns an epoll descriptor and its event buffer.
struct PollSet: ~Copyable {
    /// The maximum number of events per wait: large enough to amortize the call, small enough for short batches.
    static let capacity = 256

    /// The epoll descriptor.
    let descriptor: Int32
    private let events: UnsafeMutablePointer<epoll_event>

    init() throws(SystemError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        if descriptor < 0 { throw .last("epoll_create1") }
        events = .allocate(capacity: Self.capacity)
        events.initialize(repeating: epoll_event(), count: Self.capacity)
    }

    deinit {
        close(descriptor)
        events.deallocate()
    }

    /// Waits for ready descriptors, forever or not at all, and returns their number; returns 0 after a signal.
    func wait(poll: Bool) -> Int {
        let count = epoll_wait(descriptor, events, Int32(truncatingIfNeeded: Self.capacity), poll ? 0 : -1)
        if count < 0 {
            // Other errors mean an invalid descriptor or buffer, which is a bug in this type.
            precondition(errno == EINTR, "epoll_wait failed with error number \(errno)")
            return 0
        }
        return Int(count)
    }

    /// An event of the last wait: its token and its bits.
    subscript(place: Int) -> (token: UInt64, events: UInt32) {
        (events[place].data.u64, events[place].events)
    }

    /// Sorts a range of the last wait's events by priority, lowest first; the sort is stable.
    func sort(_ range: Range<Int>, by priority: (UInt64) -> Int) {
        for place in range.dropFirst() {
            let event = events[place]
            let key = priority(event.data.u64)
            var hole = place
            while hole > range.lowerBound, priority(events[hole - 1].data.u64) > key {
                events[hole] = events[hole - 1]
                hole -= 1
            }
            events[hole] = event
        }
    }

    /// Adds a descriptor; `events` are epoll's bits.
    ///
    /// Returns 0 or the error number.
    func add(_ watched: Int32, _ events: UInt32, token: UInt64) -> Int32 {
        control(EPOLL_CTL_ADD, watched, events, token)
    }

    /// Modifies a descriptor, which makes the kernel recheck its readiness.
    func modify(_ watched: Int32, _ events: UInt32, token: UInt64) -> Int32 {
        control(EPOLL_CTL_MOD, watched, events, token)
    }

    /// Removes every descriptor: a new epoll set replaces the old one under the same number.
    ///
    /// Returns false, with the old set unchanged, if no descriptor or memory is left.
    func clear() -> Bool {
        let fresh = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard fresh >= 0 else { return false }
        let replaced = dup3(fresh, descriptor, O_CLOEXEC)
        precondition(replaced == descriptor, "dup3 failed with error number \(errno)")
        close(fresh)
        return true
    }

    /// Removes a descriptor.
    @discardableResult
    func remove(_ watched: Int32) -> Int32 {
        control(EPOLL_CTL_DEL, watched, 0, 0)
    }

    private func control(_ operation: Int32, _ watched: Int32, _ events: UInt32, _ token: UInt64) -> Int32 {
        var event = epoll_event(events: events, data: epoll_data(u64: token))
        return epoll_ctl(descriptor, operation, watched, &event) == 0 ? 0 : errno
    }
}
