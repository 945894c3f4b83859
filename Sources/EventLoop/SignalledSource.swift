/// A source the program itself signals: CFRunLoop's version 0.
///
/// `signal()` marks it, and the loop performs it once in its next pass, however often it was signalled. It belongs to the
/// loop's thread; from another, signal it in `EpollRunLoop.Remote.perform(in:_:)`.
public final class SignalledSource {
    /// What reports about this source call it.
    public let name: String
    /// Of several signalled sources those with the lowest number come first; of one number, the first signalled.
    public let order: Int

    /// What to do; nil once invalidated, so that what it captured is let go.
    @exclusivity(unchecked) var handler: (() -> Void)?
    /// The loop it is in.
    ///
    /// Safe without counting: a loop that goes clears this in every source it has.
    @exclusivity(unchecked) unowned(unsafe) var loop: EpollRunLoop?
    /// The modes it is in.
    @exclusivity(unchecked) var modes: ModeSet = []
    /// Whether it was added to the common set.
    @exclusivity(unchecked) var isCommon = false
    /// Whether it waits to be performed.
    @exclusivity(unchecked) public internal(set) var isSignalled = false

    /// The pass in which it first had to wait, since the run performed only one source; `.max` for none.
    @exclusivity(unchecked) var postponedSince = Int.max

    /// Makes a source, which does nothing until it is added to a loop and signalled.
    ///
    /// - Parameters:
    ///   - name: What reports about this source call it.
    ///   - order: Lower numbers are performed first.
    ///   - perform: Called on the loop's thread.
    public init(name: String, order: Int = 0, perform: @escaping () -> Void) {
        self.name = name
        self.order = order
        self.handler = perform
    }

    /// Whether the source can still be performed.
    public var isValid: Bool { handler != nil }

    /// Has the source performed in the loop's next pass in one of its modes.
    ///
    /// The loop does not sleep before. Called while signalled sources are performed, it means the pass after; called
    /// before the source is in a loop, the first pass it takes part in.
    public func signal() {
        guard !isSignalled, handler != nil else { return }
        isSignalled = true
        loop?.signalled.append(self)
    }

    /// Takes the source out of its loop for good and lets go of what it would perform.
    public func invalidate() {
        loop?.remove(self)
        isSignalled = false
        handler = nil
    }
}
