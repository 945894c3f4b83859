import CLinux
import Glibc

/// Owns an epoll descriptor and the buffer it reports into.
struct PollSet: ~Copyable {
    /// How many ready descriptors one wait can report: enough to spread the call's cost, few enough that a batch is short.
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

    /// Waits for ready descriptors, for ever or not at all, and answers how many there are; 0 too after a signal.
    func wait(poll: Bool, atMost limit: Int) -> Int {
        let count = epoll_wait(descriptor, events, Int32(truncatingIfNeeded: limit), poll ? 0 : -1)
        if count < 0 {
            // The other errors say that the descriptor or the buffer is not what this type made it.
            precondition(errno == EINTR, "epoll_wait failed with error number \(errno)")
            return 0
        }
        return Int(count)
    }

    /// What the last wait reported at a place: whose it is, and what is ready.
    subscript(place: Int) -> (token: UInt64, events: UInt32) {
        (events[place].data.u64, events[place].events)
    }

    /// Sorts part of what the last wait reported by a priority, lowest first; those of one priority keep their order.
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

    /// Adds a descriptor; what is asked for are epoll's own bits.
    ///
    /// Answers 0 or the error number.
    func add(_ watched: Int32, _ events: UInt32, token: UInt64) -> Int32 {
        control(EPOLL_CTL_ADD, watched, events, token)
    }

    /// Asks again for a descriptor, which makes the kernel look at once whether it is ready.
    func modify(_ watched: Int32, _ events: UInt32, token: UInt64) -> Int32 {
        control(EPOLL_CTL_MOD, watched, events, token)
    }

    /// Forgets every descriptor: a new set takes the place of the old one, under its number.
    func clear() {
        let fresh = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(fresh >= 0, "epoll_create1 failed with error number \(errno)")
        let replaced = dup3(fresh, descriptor, O_CLOEXEC)
        precondition(replaced == descriptor, "dup3 failed with error number \(errno)")
        close(fresh)
    }

    /// Takes a descriptor out.
    @discardableResult
    func remove(_ watched: Int32) -> Int32 {
        control(EPOLL_CTL_DEL, watched, 0, 0)
    }

    private func control(_ operation: Int32, _ watched: Int32, _ events: UInt32, _ token: UInt64) -> Int32 {
        var event = epoll_event(events: events, data: epoll_data(u64: token))
        return epoll_ctl(descriptor, operation, watched, &event) == 0 ? 0 : errno
    }
}
