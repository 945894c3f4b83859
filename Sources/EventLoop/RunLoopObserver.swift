/// Is called when a run loop comes to certain points of its pass, as a CFRunLoopObserver is.
public final class RunLoopObserver {
    /// The points of a run, in the order in which they come (CFRunLoopActivity, with its bits).
    public struct Activities: OptionSet, Sendable, Hashable {
        /// CFRunLoopActivity's bits.
        public let rawValue: UInt8

        /// Makes a set from CFRunLoopActivity's bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A run begins.
        public static let entry = Activities(rawValue: 1 << 0)
        /// A pass is about to look at timers.
        public static let beforeTimers = Activities(rawValue: 1 << 1)
        /// A pass is about to perform blocks and signalled sources.
        public static let beforeSources = Activities(rawValue: 1 << 2)
        /// The loop is about to sleep.
        public static let beforeWaiting = Activities(rawValue: 1 << 5)
        /// The loop woke, and has not yet handled what woke it.
        public static let afterWaiting = Activities(rawValue: 1 << 6)
        /// A run ends.
        public static let exit = Activities(rawValue: 1 << 7)
        /// All of them.
        public static let all: Activities = [
            .entry, .beforeTimers, .beforeSources, .beforeWaiting, .afterWaiting, .exit,
        ]
    }

    /// The points it is called at.
    public let activities: Activities
    /// Of several observers those with the lowest number are called first; of one number, the first added.
    public let order: Int
    /// Whether it stays after its first call; if not, it is invalid from then on.
    public let repeats: Bool

    /// The handler; nil once invalidated.
    @exclusivity(unchecked) var handler: ((Activities) -> Void)?
    /// The loop it is in.
    ///
    /// Safe without counting: a loop that goes clears this in every observer it has.
    @exclusivity(unchecked) unowned(unsafe) var loop: EpollRunLoop?
    /// The modes it is in.
    @exclusivity(unchecked) var modes: ModeSet = []
    /// Whether it was added to the common set.
    @exclusivity(unchecked) var isCommon = false
    /// Whether its handler is running; it is not called in a run nested there.
    @exclusivity(unchecked) var isCalled = false

    /// Makes an observer, which does nothing until it is added to a loop.
    ///
    /// - Parameters:
    ///   - activities: The points to be called at.
    ///   - order: Lower numbers are called first.
    ///   - repeats: Whether it stays after its first call.
    ///   - handler: Called on the loop's thread with the one activity it is called for.
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

    /// Takes the observer out of its loop for good and lets go of its handler; allowed anywhere.
    public func invalidate() {
        loop?.remove(self)
        handler = nil
    }
}
