import CLinux
import Glibc
import Synchronization

/// The queue of blocks and requests from other threads, and the descriptor that wakes the loop.
///
/// A sender first adds its block and then rings. Only the first ring since the loop last emptied the queue writes to
/// the descriptor, so any number of blocks costs one system call. The loop clears the ring before it reads the queue,
/// so a block is either read or rings again.
final class RemoteQueue: Sendable {
    /// A block for a mode.
    struct Block: Sendable {
        var mode: EpollRunLoop.Mode
        var body: @Sendable () -> Void
    }

    private struct Contents {
        var blocks: ContiguousArray<Block> = []
        var stop = false
    }

    let wakeUp: WakeUpDescriptor
    // The owner's thread; 0 if the owner may change threads.
    private let owner: UInt
    private let isRung = Atomic(false)
    // Whether the owner's thread has rung since the last check. Only that thread accesses it, so it is cheaper than
    // `isRung`.
    private let ownRing = Atomic(false)
    private let contents = Mutex(Contents())

    /// Creates an empty queue; call it on the owner's thread.
    /// - Parameter ownerMayMove: Whether the owner may change threads.
    init(wakeUp: consuming WakeUpDescriptor, ownerMayMove: Bool) {
        self.wakeUp = wakeUp
        owner = ownerMayMove ? 0 : UInt(pthread_self())
    }

    /// Whether the caller is definitely on the owner's thread, so that no wake-up is needed.
    private var isOwnersThread: Bool { UInt(pthread_self()) == owner }

    var hasOwnRing: Bool { ownRing.load(ordering: .relaxed) }

    func wake() {
        if isOwnersThread { return ownRing.store(true, ordering: .relaxed) }
        if !isRung.exchange(true, ordering: .sequentiallyConsistent) { wakeUp.write() }
    }

    func stop() {
        contents.withLock { $0.stop = true }
        wake()
    }

    func post(_ block: Block) {
        contents.withLock { $0.blocks.append(block) }
        wake()
    }

    /// Moves the blocks into an empty array; the queue reuses that array's storage.
    ///
    /// Returns whether to stop.
    func drain(into blocks: inout ContiguousArray<Block>) -> Bool {
        ownRing.store(false, ordering: .relaxed)
        isRung.store(false, ordering: .sequentiallyConsistent)
        return contents.withLock { contents in
            swap(&contents.blocks, &blocks)
            defer { contents.stop = false }
            return contents.stop
        }
    }
}

extension EpollRunLoop {
    // MARK: Blocks

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
        enqueue(Block(modes: modes(of: mode), body: block))
    }

    /// Appends a block.
    @inline(__always)
    func enqueue(_ block: Block) {
        modesOfAllBlocks.formIntersection(block.modes)
        blocks.append(block)
    }

    /// Runs the waiting blocks of the current mode. A block added by a block waits for the next call.
    @inline(__always)
    func performBlocks() {
        if remoteQueue.hasOwnRing { collectRemoteBlocks() }
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

    // MARK: Other threads

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

/// Owns the eventfd with which other threads wake the loop.
///
/// It is watched edge-triggered and never read: each write is a separate edge, which saves a system call per wake-up.
/// The counter would overflow after 2⁶⁴ − 2 writes, which takes five thousand years at 100 writes per microsecond.
struct WakeUpDescriptor: ~Copyable, Sendable {
    /// The eventfd.
    let descriptor: Int32

    init() throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        if descriptor < 0 { throw .last("eventfd") }
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable once more.
    func write() {
        let failed = eventfd_write(descriptor, 1)
        precondition(failed == 0, "eventfd_write failed with error number \(errno)")
    }
}
