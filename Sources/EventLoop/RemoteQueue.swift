import Glibc
import Synchronization

/// The queue of blocks, jobs and requests from other threads, and the descriptor that wakes the loop.
///
/// A sender first adds its block and then rings. Only the first ring since the loop last emptied the remoteQueue writes to
/// the descriptor, so any number of blocks costs one system call. The loop clears the ring before it reads the remoteQueue,
/// so a block is either read or rings again.
final class RemoteQueue: Sendable {
    /// A block for a mode.
    struct Block: Sendable {
        var mode: EpollRunLoop.Mode
        var body: @Sendable () -> Void
    }

    private struct Contents {
        var blocks: ContiguousArray<Block> = []
        var jobs: ContiguousArray<UnownedJob> = []
        var stop = false
    }

    let wakeUp: WakeUpDescriptor
    private let mainQueue: MovedMainQueue
    // The owner's thread; 0 if the owner may change threads.
    private let owner: UInt
    private let isRung = Atomic(false)
    // Whether the owner's thread has rung, and whether there are jobs to run, since the last check. Only that thread
    // accesses them, so they are cheaper than `isRung`.
    private let ownRing = Atomic(false)
    private let ownJobs = Atomic(false)
    private let contents = Mutex(Contents())

    /// Creates an empty remoteQueue; call it on the owner's thread.
    init(wakeUp: consuming WakeUpDescriptor, mainQueue: MovedMainQueue) {
        self.wakeUp = wakeUp
        self.mainQueue = mainQueue
        owner = mainQueue.mayMove ? 0 : UInt(pthread_self())
    }

    /// Whether the caller is definitely on the owner's thread, so that no wake-up is needed.
    private var isOwnersThread: Bool { UInt(pthread_self()) == owner }

    /// Whether the caller may use the loop as its owner.
    var isOwners: Bool { isOwnersThread || mainQueue.isCurrent }

    var hasOwnJobs: Bool { ownJobs.load(ordering: .relaxed) }

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

    func post(_ job: UnownedJob) {
        contents.withLock { $0.jobs.append(job) }
        if isOwnersThread { ownJobs.store(true, ordering: .relaxed) } else { wake() }
    }

    /// Moves the blocks into an empty array; the remoteQueue reuses that array's storage.
    ///
    /// Returns whether to stop, and whether there are jobs.
    func drain(into blocks: inout ContiguousArray<Block>) -> (stop: Bool, hasJobs: Bool) {
        ownRing.store(false, ordering: .relaxed)
        isRung.store(false, ordering: .sequentiallyConsistent)
        return contents.withLock { contents in
            swap(&contents.blocks, &blocks)
            let stop = contents.stop
            contents.stop = false
            return (stop, !contents.jobs.isEmpty)
        }
    }

    /// Marks that there are jobs, without a ring.
    func markOwnJobs() { ownJobs.store(true, ordering: .relaxed) }

    /// Moves the jobs into an empty array; the remoteQueue reuses that array's storage.
    func drain(into jobs: inout ContiguousArray<UnownedJob>) {
        ownJobs.store(false, ordering: .relaxed)
        contents.withLock { swap(&$0.jobs, &jobs) }
    }
}
