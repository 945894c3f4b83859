extension EpollRunLoop {
    /// The part of a loop that other threads may use.
    ///
    /// It does not keep the loop alive; after the loop's deinitialization it does nothing.
    public struct Remote: Sendable {
        let mailbox: Mailbox

        /// Wakes the loop if it sleeps.
        ///
        /// A thousand calls while it sleeps cost one system call.
        public func wakeUp() { mailbox.wake() }

        /// Stops the innermost run at the time the loop receives the request; without a run, the next one.
        public func stop() { mailbox.stop() }

        /// Performs a block once on the loop's thread, in this mode, and wakes the loop. Blocks run in the order in
        /// which they were added.
        public func perform(in mode: Mode = .default, _ block: @escaping @Sendable () -> Void) {
            mailbox.post(Mailbox.Letter(mode: mode, body: block))
        }
    }

    /// The part of the loop that other threads may use.
    public var remote: Remote { Remote(mailbox: mailbox) }

    /// Takes the blocks and requests of other threads; the blocks join the loop's own.
    func takeLetters() {
        if mailbox.take(into: &remoteBlocks) { isStopped = true }
        guard !remoteBlocks.isEmpty else { return }
        for letter in remoteBlocks { give(Block(modes: modes(of: letter.mode), body: letter.body)) }
        remoteBlocks.removeAll(keepingCapacity: true)
    }
}
