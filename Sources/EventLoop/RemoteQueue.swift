import CLinux
import Glibc
import Synchronization

/// The queue of blocks and requests from other threads, and the descriptor that wakes the loop.
///
/// A sender first adds its block and then rings. Only the first ring since the loop last emptied the queue writes to
/// the descriptor, so any number of blocks costs one system call. The loop clears the ring before it reads the queue,
/// so a block is either read or rings again.
final class RemoteQueue: Sendable {
    /// A block and its modes.
    struct Block: Sendable {
        var modes: ModeSet
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

    /// Whether a block or request was added since the last `drain(into:)`.
    var isRinging: Bool { hasOwnRing || isRung.load(ordering: .acquiring) }

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
