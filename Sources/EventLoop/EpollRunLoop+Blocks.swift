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
        give(Block(modes: modes(of: mode), body: block))
    }

    /// Puts a block behind all others.
    @inline(__always)
    func give(_ block: Block) {
        modesOfAllBlocks.formIntersection(block.modes)
        blocks.append(block)
    }

    /// Runs the blocks and jobs given so far that wait for the current mode; those given meanwhile wait for the next time.
    @inline(__always)
    func performBlocks() {
        if mailbox.hasOwnRing { takeLetters() }
        if !blocks.isEmpty { performGivenBlocks() }
        if mailbox.hasOwnJobs, !commonModes.isDisjoint(with: current) { runJobs() }
    }

    private func performGivenBlocks() {
        // In order from the front, as many as there are now. A nested run goes on where this one is.
        var left = blocks.count
        while left > 0, modesOfAllBlocks.contains(current), let block = blocks.popFirst() {
            left -= 1
            call("block", block.body)
        }
        if left > 0 { performBlocksOfMode(among: left) }
        if blocks.isEmpty { modesOfAllBlocks = .all }
    }

    /// Runs blocks that wait for the current mode from among others, which keep their place.
    private func performBlocksOfMode(among count: Int) {
        var batch: [Block] = []
        for block in blocks.prefix(count) where !block.modes.isDisjoint(with: current) { batch.append(block) }
        let rest = blocks.prefix(count).filter { $0.modes.isDisjoint(with: current) }
        blocks.removeFirst(min(count, blocks.count))
        blocks.prepend(contentsOf: rest)
        for block in batch { call("block", block.body) }
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
