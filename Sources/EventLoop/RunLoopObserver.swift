/// Calls a handler at certain points of a run loop's pass, like a CFRunLoopObserver.
///
/// ```swift
/// loop.add(RunLoopObserver(activities: .beforeWaiting) { _ in print("nothing left to do") })
/// ```
public final class RunLoopObserver {
    /// The points of a run, in order (CFRunLoopActivity, with its bits).
    public struct Activities: OptionSet, Sendable, Hashable {
        /// CFRunLoopActivity's bits.
        public let rawValue: UInt8

        /// Creates a set from CFRunLoopActivity's bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A run begins.
        public static let entry = Activities(rawValue: 1 << 0)
        /// A pass is about to check timers.
        public static let beforeTimers = Activities(rawValue: 1 << 1)
        /// A pass is about to perform blocks and signalled sources.
        public static let beforeSources = Activities(rawValue: 1 << 2)
        /// The loop is about to sleep.
        public static let beforeWaiting = Activities(rawValue: 1 << 5)
        /// The loop woke up and has not yet handled the events that woke it.
        public static let afterWaiting = Activities(rawValue: 1 << 6)
        /// A run ends.
        public static let exit = Activities(rawValue: 1 << 7)
        /// All of them.
        public static let all: Activities = [
            .entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit,
        ]
    }

    /// The points at which it is called.
    public let activities: Activities
    /// Of several observers, lower values are called first; equal ones in the order in which they were added.
    public let order: Int
    /// Whether it stays after its first call; otherwise it is invalid from then on.
    public let repeats: Bool

    /// The handler; nil after invalidation.
    var handler: ((Activities) -> Void)?
    /// The observer's loop.
    ///
    /// Safe without reference counting: on deinitialization a loop clears this in all its observers.
    unowned(unsafe) var loop: EpollRunLoop?
    /// The observer's modes.
    var modes: ModeSet = []
    /// Whether its handler is running; a run nested in the handler does not call it.
    var isCalled = false

    /// Creates an observer, which does nothing until it is added to a loop.
    ///
    /// - Parameters:
    ///   - activities: The points at which it is called.
    ///   - order: Lower values are called first.
    ///   - repeats: Whether it stays after its first call.
    ///   - handler: Called on the loop's thread with the current activity.
    public init(
        activities: Activities, order: Int = 0, repeats: Bool = true, handler: @escaping (Activities) -> Void
    ) {
        self.activities = activities
        self.order = order
        self.repeats = repeats
        self.handler = handler
    }

    /// Whether the observer can still be called.
    public var isValid: Bool { handler != nil }

    /// Removes the observer from its loop permanently and releases its handler; may be called anywhere.
    public func invalidate() {
        loop?.remove(self)
        handler = nil
    }
}

extension EpollRunLoop {
    // MARK: The loop's part

    /// Adds an observer to a mode, or to all common modes; an observer in other modes of this loop stays in them.
    @discardableResult
    public func add(_ observer: RunLoopObserver, to mode: Mode = .common) -> RunLoopObserver {
        checkThread()
        guard observer.isValid else { return observer }
        precondition(observer.loop == nil || observer.loop === self, "an observer is in another run loop")
        observer.modes.formUnion(ModeSet(mode))
        guard observer.loop == nil else { return observer }
        observer.loop = self
        let place = observers.firstIndex { $0.order > observer.order } ?? observers.endIndex
        observers.insert(observer, at: place)
        observed.formUnion(observer.activities)
        return observer
    }

    /// Removes an observer from a mode, or from all; may be called anywhere.
    ///
    /// It can be added again.
    public func remove(_ observer: RunLoopObserver, from mode: Mode? = nil) {
        checkThread()
        guard observer.loop === self else { return }
        observer.modes.subtract(mode.map(ModeSet.init) ?? observer.modes)
        guard observer.modes.isEmpty else { return }
        observer.loop = nil
        observers.removeAll { $0 === observer }
        observed = observers.reduce(into: []) { $0.formUnion($1.activities) }
    }

    /// Calls the observers of an activity in the current mode, in order; observers added meanwhile are not called.
    @inline(__always)
    func notify(_ activity: RunLoopObserver.Activities) {
        if !observed.isDisjoint(with: activity) { callObservers(activity) }
    }

    private func callObservers(_ activity: RunLoopObserver.Activities) {
        let mode = current
        for observer in observers
        where observer.activities.contains(activity) && !observer.modes.isDisjoint(with: mode) && !observer.isCalled {
            guard observer.loop === self, let handler = observer.handler else { continue }
            if !observer.repeats { observer.invalidate() }
            observer.isCalled = true
            call("observer") { handler(activity) }
            observer.isCalled = false
        }
    }
}
