extension EpollRunLoop {
    /// A block and its modes.
    struct Block {
        var modes: ModeSet
        var body: () -> Void
    }

    /// Performs a block once, in the loop's next pass in this mode, or in a common mode. Blocks run in the order in
    /// which they were added.
    ///
    /// Unlike CFRunLoopPerformBlock it needs no wake-up: the loop does not sleep while a block can run.
    public func perform(in mode: Mode = .default, _ block: @escaping () -> Void) {
        checkThread()
        give(Block(modes: modes(of: mode), body: block))
    }

    /// Appends a block.
    @inline(__always)
    func give(_ block: Block) {
        modesOfAllBlocks.formIntersection(block.modes)
        blocks.append(block)
    }

    /// Runs the waiting blocks of the current mode. A block added by a block waits for the next call.
    @inline(__always)
    func performBlocks() {
        if mailbox.hasOwnRing { takeLetters() }
        if !blocks.isEmpty { performGivenBlocks() }
    }

    private func performGivenBlocks() {
        // Takes the current number of blocks from the front. A nested run continues at the same point.
        var left = blocks.count
        while left > 0, modesOfAllBlocks.contains(current), let block = blocks.popFirst() {
            left -= 1
            call("block", block.body)
        }
        if left > 0 { performBlocksOfMode(among: left) }
        if blocks.isEmpty { modesOfAllBlocks = .all }
    }

    /// Runs the blocks for the current mode among others, which keep their position.
    private func performBlocksOfMode(among count: Int) {
        var batch: [Block] = []
        for block in blocks.prefix(count) where !block.modes.isDisjoint(with: current) { batch.append(block) }
        let rest = blocks.prefix(count).filter { $0.modes.isDisjoint(with: current) }
        blocks.removeFirst(min(count, blocks.count))
        blocks.prepend(contentsOf: rest)
        for block in batch { call("block", block.body) }
    }
}
