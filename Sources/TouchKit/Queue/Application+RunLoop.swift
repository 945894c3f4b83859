import EventLoop

/// The one place where an application meets a run loop.
extension Application {
    /// Lets a run loop on the main thread empty the queue, in all its common modes.
    ///
    /// The loop wakes when an event is queued, handles everything that is queued in one go, and sleeps again. Attaching
    /// to another loop detaches from the first.
    public func attach(to loop: EpollRunLoop) {
        detach()
        let source = SignalledSource(name: "touchd.events") { [weak self] in self?.drainEvents() }
        loop.add(source, to: .common)
        queueSource = source
        if queue.count > 0 { source.signal() }
    }

    /// Takes the queue's source out of its loop; queued events wait.
    public func detach() {
        queueSource?.invalidate()
        queueSource = nil
    }

    /// Runs a loop until it is stopped or a deadline passes: in its tracking mode while touches are down, and else in
    /// its default mode, as UIKit does.
    ///
    /// What was added to the default mode alone waits while touches are down. Attaches to the loop if the application
    /// is not attached.
    @discardableResult
    public func run(on loop: EpollRunLoop, until deadline: Deadline? = nil) -> EpollRunLoop.RunResult {
        if queueSource == nil { attach(to: loop) }
        while true {
            // After each source the mode may have to change; that is known here only when the run returns.
            let result = loop.run(
                mode: isTracking ? .tracking : .default, until: deadline, returnAfterSourceHandled: true)
            if result != .handledSource { return result }
        }
    }
}
