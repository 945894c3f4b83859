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
}
