/// The blocks that wait for a pass, in the order in which they were added.
///
/// A ring in memory that only this object refers to: for each block, an array would check twice whether its storage is
/// shared.
final class BlockQueue {
    private struct Block {
        var modes: ModeSet
        var body: () -> Void
    }

    private var ring = UnsafeMutablePointer<Block>.allocate(capacity: 16)
    /// A power of two.
    private var capacity = 16
    private var first = 0
    private(set) var count = 0
    /// The modes that all blocks have in common.
    private var commonModes: ModeSet = .all

    deinit {
        while count > 0 { _ = removeFirst() }
        ring.deallocate()
    }

    @inline(__always)
    var isEmpty: Bool { count == 0 }

    /// Whether a block can run in a mode.
    func hasBlock(in mode: ModeSet) -> Bool {
        (0..<count).contains { !ring[place($0)].modes.isDisjoint(with: mode) }
    }

    /// Adds a block behind the others.
    @inline(__always)
    func append(in modes: ModeSet, _ body: @escaping () -> Void) { append(Block(modes: modes, body: body)) }

    /// Removes the first block, if all blocks can run in a mode.
    @inline(__always)
    func popFirst(ifAllIn mode: ModeSet) -> (() -> Void)? {
        count > 0 && commonModes.contains(mode) ? removeFirst().body : nil
    }

    /// Removes the blocks of a mode among the first ones; the others keep their order.
    func remove(in mode: ModeSet, among limit: Int) -> [() -> Void] {
        var removed: [() -> Void] = []
        for number in 0..<count {
            let block = removeFirst()
            if number < limit, !block.modes.isDisjoint(with: mode) {
                removed.append(block.body)
            } else {
                append(block)
            }
        }
        return removed
    }

    @inline(__always)
    private func place(_ number: Int) -> Int { (first &+ number) & (capacity &- 1) }

    @inline(__always)
    private func append(_ block: Block) {
        if count == capacity { grow() }
        (ring + place(count)).initialize(to: block)
        count &+= 1
        commonModes.formIntersection(block.modes)
    }

    @inline(__always)
    private func removeFirst() -> Block {
        let block = (ring + first).move()
        first = place(1)
        count &-= 1
        if count == 0 { commonModes = .all }
        return block
    }

    private func grow() {
        let larger = UnsafeMutablePointer<Block>.allocate(capacity: 2 * capacity)
        for number in 0..<count { (larger + number).initialize(to: (ring + place(number)).move()) }
        ring.deallocate()
        (ring, capacity, first) = (larger, 2 * capacity, 0)
    }
}
