/// A source that the program signals: CFRunLoop's version 0 source.
///
/// `signal()` marks it, and the loop performs it once in its next pass, regardless of the number of signals. It belongs
/// to the loop's thread; from another thread, signal it in `EpollRunLoop.Remote.perform(in:_:)`.
///
/// ```swift
/// let redraw = SignalledSource(name: "redraw") { print("once a pass") }
/// loop.add(redraw)
/// redraw.signal()
/// redraw.signal()
/// ```
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
    fileprivate var postponedSince = Int.max

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

extension EpollRunLoop {
    // MARK: The loop's part

    /// Adds a source to a mode, or to all common modes; a source in other modes of this loop stays in them.
    @discardableResult
    public func add(_ source: SignalledSource, to mode: Mode = .common) -> SignalledSource {
        checkThread()
        guard source.isValid else { return source }
        precondition(source.loop == nil || source.loop === self, "source “\(source.name)” is in another run loop")
        if source.loop == nil {
            source.loop = self
            source.postponedSince = .max
            signalledSources.append(source)
            if source.isSignalled { signalled.append(source) }
        }
        let added = ModeSet(mode).subtracting(source.modes)
        source.modes.formUnion(added)
        count(added, by: 1)
        return source
    }

    /// Removes a source from a mode, or from all; may be called anywhere.
    ///
    /// It can be added again.
    public func remove(_ source: SignalledSource, from mode: Mode? = nil) {
        checkThread()
        guard source.loop === self else { return }
        let removed = mode.map(ModeSet.init) ?? source.modes
        count(source.modes.intersection(removed), by: -1)
        source.modes.subtract(removed)
        guard source.modes.isEmpty else { return }
        source.loop = nil
        signalledSources.removeAll { $0 === source }
        signalled.removeAll { $0 === source }
    }

    /// Whether a source waits to be performed, in any mode.
    var hasSignalled: Bool { !signalled.isEmpty || performCursor < performing.count }

    /// Performs the signalled sources of the current mode, by order. A source signalled meanwhile waits for the next
    /// pass.
    ///
    /// With `onlyOne`, the others wait for later passes, in which they precede sources that are signalled later. So a
    /// source that signals itself in every pass cannot starve those with a higher order.
    ///
    /// - Returns: Whether any was performed.
    func performSignalled(onlyOne: Bool) -> Bool {
        // Sources that an outer run has not performed yet are performed here; the outer loop then finds none left.
        performing.removeSubrange(..<performCursor)
        performing.append(contentsOf: signalled)
        signalled.removeAll(keepingCapacity: true)
        performCursor = 0
        if performing.count > 1 {
            performing.sort { ($0.postponedSince, $0.order) < ($1.postponedSince, $1.order) }
        }
        signalledPass &+= 1
        var performed = false
        while performCursor < performing.count {
            let source = performing[performCursor]
            performCursor += 1
            guard source.isSignalled, source.loop === self else { continue }
            if source.modes.isDisjoint(with: current) || performed && onlyOne {
                if performed && onlyOne { source.postponedSince = min(source.postponedSince, signalledPass) }
                signalled.append(source)
                continue
            }
            source.isSignalled = false
            source.postponedSince = .max
            if let handler = source.handler { call(source.name, handler) }
            performed = true
        }
        performing.removeAll(keepingCapacity: true)
        performCursor = 0
        return performed
    }
}
