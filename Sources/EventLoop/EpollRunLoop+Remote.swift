extension EpollRunLoop {
    /// The part of a loop that other threads may use.
    ///
    /// It does not keep the loop alive; after the loop's deinitialization it does nothing.
    public struct Remote: Sendable {
        let remoteQueue: RemoteQueue

        /// Stops the innermost run at the time the loop receives the request; without a run, the next one.
        public func stop() { remoteQueue.stop() }

        /// Performs a block once on the loop's thread, in this mode, and wakes the loop. Blocks run in the order in
        /// which they were added. A thousand calls while the loop sleeps cost one system call.
        public func perform(in mode: Mode = .default, _ block: @escaping @Sendable () -> Void) {
            remoteQueue.post(RemoteQueue.Block(mode: mode, body: block))
        }
    }

    /// The part of the loop that other threads may use.
    public var remote: Remote { Remote(remoteQueue: remoteQueue) }

    /// Takes the blocks and requests of other threads; the blocks join the loop's own.
    func collectRemoteBlocks() {
        if remoteQueue.drain(into: &remoteBlocks) { isStopped = true }
        guard !remoteBlocks.isEmpty else { return }
        for block in remoteBlocks { enqueue(Block(modes: modes(of: block.mode), body: block.body)) }
        remoteBlocks.removeAll(keepingCapacity: true)
    }
}
