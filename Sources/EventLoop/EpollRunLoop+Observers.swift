extension EpollRunLoop {
    /// Adds an observer to a mode, or to all common modes; an observer in other modes of this loop stays in them.
    public func add(_ observer: RunLoopObserver, to mode: Mode = .common) {
        checkThread()
        guard observer.isValid else { return }
        precondition(observer.loop == nil || observer.loop === self, "an observer is in another run loop")
        observer.modes.formUnion(modes(of: mode))
        guard observer.loop == nil else { return }
        observer.loop = self
        let place = observers.firstIndex { $0.order > observer.order } ?? observers.endIndex
        observers.insert(observer, at: place)
        observed.formUnion(observer.activities)
    }

    /// Removes an observer from a mode, or from all; may be called anywhere.
    ///
    /// It can be added again.
    public func remove(_ observer: RunLoopObserver, from mode: Mode? = nil) {
        checkThread()
        guard observer.loop === self else { return }
        observer.modes.subtract(mode.map(modes(of:)) ?? observer.modes)
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
