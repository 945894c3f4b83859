/// A source that the program signals: CFRunLoop's version 0 source.
///
/// `signal()` marks it, and the loop performs it once in its next pass, regardless of the number of signals. It belongs
/// to the loop's thread; from another thread, signal it in `EpollRunLoop.Remote.perform(in:_:)`.
public final class SignalledSource {
    /// The source's name in logs and measurements.
    public let name: String
    /// Of several signalled sources, lower values are performed first; equal ones in the order in which they were
    /// signalled.
    public let order: Int

    /// The handler; nil after invalidation, which releases its captures.
    var handler: (() -> Void)?
    /// The source's loop.
    ///
    /// Safe without reference counting: on deinitialization a loop clears this in all its sources.
    unowned(unsafe) var loop: EpollRunLoop?
    /// The source's modes.
    var modes: ModeSet = []
    /// Whether it waits to be performed.
    var isSignalled = false

    /// The first pass in which it was postponed because the run performed only one source; `.max` for none.
    var postponedSince = Int.max

    /// Creates a source, which does nothing until it is added to a loop and signalled.
    ///
    /// - Parameters:
    ///   - name: The source's name in logs and measurements.
    ///   - order: Lower values are performed first.
    ///   - perform: Called on the loop's thread.
    public init(name: String, order: Int = 0, perform: @escaping () -> Void) {
        self.name = name
        self.order = order
        self.handler = perform
    }

    /// Whether the source can still be performed.
    public var isValid: Bool { handler != nil }

    /// Signals the source, so that it is performed in the loop's next pass in one of its modes.
    ///
    /// The loop does not sleep before that pass. A signal sent while signalled sources are performed takes effect in
    /// the following pass; a signal sent before the source is added to a loop, in its first pass there.
    public func signal() {
        guard !isSignalled, handler != nil else { return }
        isSignalled = true
        loop?.signalled.append(self)
    }

    /// Removes the source from its loop permanently and releases its handler.
    public func invalidate() {
        loop?.remove(self)
        isSignalled = false
        handler = nil
    }
}
