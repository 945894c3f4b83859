import CLinux

/// Calls a handler when a descriptor is ready: CFRunLoop's version 1 source, with a descriptor for a Mach port.
///
/// The source does not own the descriptor: whoever opened it closes it, after `invalidate()`. The handler runs on the
/// loop's thread. A source can be in several modes of one loop. Two sources cannot watch one descriptor in one loop:
/// epoll has one entry for each (epoll(7)); duplicate it with `dup`.
public final class DescriptorSource {
    /// What a descriptor can be ready for.
    ///
    /// The bits are epoll's (epoll_ctl(2)).
    public struct Events: OptionSet, Sendable, Hashable {
        /// epoll's bits.
        public let rawValue: UInt32

        /// Makes a set from epoll's bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Something can be read, or the end of what can be read was reached (`EPOLLIN`).
        public static let read = Events(rawValue: EPOLLIN.rawValue)
        /// Something can be written without waiting (`EPOLLOUT`).
        public static let write = Events(rawValue: EPOLLOUT.rawValue)
        /// Urgent data, or a change of a file under /sys or /proc (`EPOLLPRI`).
        public static let urgent = Events(rawValue: EPOLLPRI.rawValue)
        /// The peer of a stream socket will write no more (`EPOLLRDHUP`); reported only if asked for.
        public static let peerClosed = Events(rawValue: EPOLLRDHUP.rawValue)
        /// The other end is gone, or the device was unplugged (`EPOLLHUP`); always reported.
        public static let hangUp = Events(rawValue: EPOLLHUP.rawValue)
        /// The descriptor has an error (`EPOLLERR`); always reported.
        public static let error = Events(rawValue: EPOLLERR.rawValue)
    }

    /// When a ready descriptor is reported (epoll(7), "Level-triggered and edge-triggered").
    public enum Trigger: Sendable {
        /// In every pass for as long as it is ready.
        case level
        /// Once each time it becomes ready: the handler has to read or write until `EAGAIN`.
        case edge
    }

    /// What reports about this source call it.
    public let name: String
    /// The descriptor, not owned.
    public let descriptor: Int32
    /// What the source waits for, besides `hangUp` and `error`.
    public let events: Events
    /// Of several sources ready at once those with the lowest number come first; of one number, as the kernel has them.
    public let priority: Int
    /// Level or edge.
    public let trigger: Trigger

    /// The handler; nil once invalidated, so that what it captured is let go.
    @exclusivity(unchecked) var handler: ((Events) -> Void)?
    /// The loop it is in.
    ///
    /// Safe without counting: a loop that goes clears this in every source it has.
    @exclusivity(unchecked) unowned(unsafe) var loop: EpollRunLoop?
    /// The modes it is in.
    @exclusivity(unchecked) var modes: ModeSet = []
    /// Whether it was added to the common set, and so follows modes that become common later.
    @exclusivity(unchecked) var isCommon = false
    /// Its place in the loop's table with the table's count of uses, as epoll hands it back.
    @exclusivity(unchecked) var token: UInt64 = 0
    /// Whether it is out of the epoll set because it was ready in a mode it does not belong to.
    @exclusivity(unchecked) var isParked = false

    /// Makes a source, which does nothing until it is added to a loop.
    ///
    /// - Parameters:
    ///   - name: What reports about this source call it.
    ///   - descriptor: An open descriptor that can be polled. Not owned: it must stay open until `invalidate()`.
    ///   - events: What to wait for; `hangUp` and `error` are always reported.
    ///   - priority: Lower numbers are handled first.
    ///   - trigger: Level or edge.
    ///   - handler: Called on the loop's thread with what the descriptor is ready for.
    public init(
        name: String, descriptor: Int32, events: Events = .read, priority: Int = 0, trigger: Trigger = .level,
        handler: @escaping (Events) -> Void
    ) {
        self.name = name
        self.descriptor = descriptor
        self.events = events
        self.priority = priority
        self.trigger = trigger
        self.handler = handler
    }

    /// Whether the source can still call its handler.
    public var isValid: Bool { handler != nil }

    /// Takes the source out of its loop for good and lets go of its handler; allowed anywhere, its own handler included.
    public func invalidate() {
        loop?.remove(self)
        handler = nil
    }

    /// The bits to ask epoll for.
    var requested: UInt32 { events.rawValue | (trigger == .edge ? EPOLLET.rawValue : 0) }
}

/// A source made of a descriptor and what reads it, which a loop takes as it takes a `DescriptorSource`.
public protocol DescriptorBacked {
    /// The source that watches the descriptor.
    var descriptorSource: DescriptorSource { get }
}
