import CLinux

/// Calls a handler when a descriptor is ready: CFRunLoop's version 1 source, with a descriptor instead of a Mach port.
///
/// The source does not own the descriptor: the caller closes it, after `invalidate()`. The handler runs on the loop's
/// thread. A source can be in several modes of one loop. Two sources cannot watch one descriptor in one loop, because
/// epoll has one entry per descriptor (epoll(7)); duplicate it with `dup`.
public final class DescriptorSource {
    /// The readiness events of a descriptor.
    ///
    /// The bits are epoll's (epoll_ctl(2)).
    public struct Events: OptionSet, Sendable, Hashable {
        /// epoll's bits.
        public let rawValue: UInt32

        /// Creates a set from epoll's bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Data can be read, or the end of data was reached (`EPOLLIN`).
        public static let read = Events(rawValue: EPOLLIN.rawValue)
        /// Data can be written without blocking (`EPOLLOUT`).
        public static let write = Events(rawValue: EPOLLOUT.rawValue)
        /// The peer has closed its end, or the device was unplugged (`EPOLLHUP`); always reported.
        public static let hangUp = Events(rawValue: EPOLLHUP.rawValue)
        /// The descriptor has an error (`EPOLLERR`); always reported.
        public static let error = Events(rawValue: EPOLLERR.rawValue)
    }

    /// The source's name in logs and measurements.
    public let name: String
    /// The descriptor; not owned.
    public let descriptor: Int32
    /// The requested events; `hangUp` and `error` are always reported.
    public let events: Events
    /// Of several ready sources, lower values are handled first; equal ones in the kernel's order.
    public let priority: Int

    /// The handler; nil after invalidation, which releases its captures.
    var handler: ((Events) -> Void)?
    /// The source's loop.
    ///
    /// Safe without reference counting: on deinitialization a loop clears this in all its sources.
    unowned(unsafe) var loop: EpollRunLoop?
    /// The source's modes.
    var modes: ModeSet = []
    /// Its slot in the loop's table with the slot's use count, as returned by epoll.
    var token: UInt64 = 0
    /// Whether it is removed from the epoll set because it was ready in a mode it does not belong to.
    var isParked = false

    /// Creates a source, which does nothing until it is added to a loop. Its handler is called in every pass in which the
    /// descriptor is ready.
    ///
    /// - Parameters:
    ///   - name: The source's name in logs and measurements.
    ///   - descriptor: An open descriptor that can be polled. Not owned: it must stay open until `invalidate()`.
    ///   - events: The events to wait for; `hangUp` and `error` are always reported.
    ///   - priority: Lower values are handled first.
    ///   - handler: Called on the loop's thread with the reported events.
    public init(
        name: String, descriptor: Int32, events: Events = .read, priority: Int = 0,
        handler: @escaping (Events) -> Void
    ) {
        self.name = name
        self.descriptor = descriptor
        self.events = events
        self.priority = priority
        self.handler = handler
    }

    /// Whether the source can still call its handler.
    public var isValid: Bool { handler != nil }

    /// Removes the source from its loop permanently and releases its handler; may be called anywhere, even in its
    /// handler.
    public func invalidate() {
        loop?.remove(self)
        handler = nil
    }
}

/// A source that is backed by a descriptor; add it to a loop as you add a `DescriptorSource`.
public protocol DescriptorBacked {
    /// The source that watches the descriptor.
    var descriptorSource: DescriptorSource { get }
}
