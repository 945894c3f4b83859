extension EpollRunLoop {
    /// What other threads may do with a loop.
    ///
    /// It does not keep the loop alive; without its loop it does nothing.
    public struct Remote: Sendable {
        let mailbox: Mailbox

        /// Wakes the loop if it sleeps, and does nothing else.
        ///
        /// A thousand calls while it sleeps cost one system call.
        public func wakeUp() { mailbox.wake() }

        /// Stops the run that is innermost when the loop gets to know of it; without a run, the next one.
        public func stop() { mailbox.stop() }

        /// Has a block run once on the loop's thread, in this mode, and wakes the loop; blocks run in the order given.
        public func perform(in mode: Mode = .default, _ block: @escaping @Sendable () -> Void) {
            mailbox.post(Mailbox.Letter(mode: mode, body: block))
        }
    }

    /// Runs async functions and actors on the loop's thread, at the cost of a block.
    ///
    /// This is the way for async handlers: a resumption costs no thread switch and, on the loop's own thread, no system call.
    public var loopExecutor: LoopExecutor { executor }

    /// The part of the loop that other threads may use.
    public var remote: Remote { Remote(mailbox: mailbox) }

    /// Takes what other threads have left: blocks join the loop's own.
    func takeLetters() {
        let (stop, hasJobs) = mailbox.take(into: &remoteBlocks)
        if stop { isStopped = true }
        if hasJobs { mailbox.markOwnJobs() }
        guard !remoteBlocks.isEmpty else { return }
        for letter in remoteBlocks { give(Block(modes: modes(of: letter.mode), body: letter.body)) }
        remoteBlocks.removeAll(keepingCapacity: true)
    }
}
