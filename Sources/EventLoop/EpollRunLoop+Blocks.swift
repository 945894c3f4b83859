extension EpollRunLoop {
    /// A block and the modes it waits for.
    struct Block {
        var modes: ModeSet
        var body: () -> Void
    }

    /// Has a block run once, in the loop's next pass in this mode, or in a common mode; blocks run in the order given.
    ///
    /// Unlike CFRunLoopPerformBlock this needs no wake-up besides: the loop does not sleep on a block it can run.
    public func perform(in mode: Mode = .default, _ block: @escaping () -> Void) {
        checkThread()
        blocks.append(Block(modes: modes(of: mode), body: block))
    }

    /// Runs the blocks and jobs given so far that wait for the current mode; those given meanwhile wait for the next time.
    @inline(__always)
    func performBlocks() {
        if !blocks.isEmpty { performGivenBlocks() }
        if mailbox.hasOwnJobs, !commonModes.isDisjoint(with: current) { runJobs() }
    }

    private func performGivenBlocks() {
        var batch = blocks
        blocks = spareBlocks
        spareBlocks = []
        // Blocks of other modes keep their place before whatever is given meanwhile.
        for block in batch where block.modes.isDisjoint(with: current) { blocks.append(block) }
        let mode = current
        for block in batch where !block.modes.isDisjoint(with: mode) { call("block", block.body) }
        batch.removeAll(keepingCapacity: true)
        spareBlocks = batch
    }

    private func runJobs() {
        var batch = spareJobs
        spareJobs = []
        mailbox.take(into: &batch)
        for job in batch { call("job") { executor.run(job) } }
        batch.removeAll(keepingCapacity: true)
        spareJobs = batch
    }
}
