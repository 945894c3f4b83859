import Glibc
import Synchronization

/// What other threads leave for a loop, and the descriptor that wakes it.
///
/// A sender leaves its letter first and rings after. Only the first ring since the loop last emptied the box writes to the
/// descriptor, so any number of letters costs one system call; the loop says “not rung” before it looks into the box, so
/// a letter is either seen or rings again.
final class Mailbox: Sendable {
    /// A block for a mode.
    struct Letter: Sendable {
        var mode: EpollRunLoop.Mode
        var body: @Sendable () -> Void
    }

    private struct Contents {
        var letters: ContiguousArray<Letter> = []
        var jobs: ContiguousArray<UnownedJob> = []
        var stop = false
    }

    let wakeUp: WakeUpDescriptor
    private let mainQueue: MovedMainQueue
    // The owner's thread; 0 where that changes, and none is known for it.
    private let owner: UInt
    private let isRung = Atomic(false)
    // Whether the owner's thread has rung, and whether there are jobs to run, since each was last looked at; only that thread
    // reads and writes them, so they are cheaper than the bell.
    private let ownRing = Atomic(false)
    private let ownJobs = Atomic(false)
    private let contents = Mutex(Contents())

    /// Makes an empty one; to be called on the owner's thread.
    init(wakeUp: consuming WakeUpDescriptor, mainQueue: MovedMainQueue) {
        self.wakeUp = wakeUp
        self.mainQueue = mainQueue
        owner = mainQueue.mayMove ? 0 : UInt(pthread_self())
    }

    /// Whether the caller is surely on the owner's thread, so that nothing need be woken.
    private var isOwnersThread: Bool { UInt(pthread_self()) == owner }

    /// Whether the caller may do what only the owner does.
    var isOwners: Bool { isOwnersThread || mainQueue.goesOnHere }

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

    func post(_ letter: Letter) {
        contents.withLock { $0.letters.append(letter) }
        wake()
    }

    func post(_ job: UnownedJob) {
        contents.withLock { $0.jobs.append(job) }
        if isOwnersThread { ownJobs.store(true, ordering: .relaxed) } else { wake() }
    }

    /// Empties the box of letters into an empty array, whose storage the box uses from then on.
    ///
    /// Answers whether to stop, and whether there are jobs.
    func take(into letters: inout ContiguousArray<Letter>) -> (stop: Bool, hasJobs: Bool) {
        ownRing.store(false, ordering: .relaxed)
        isRung.store(false, ordering: .sequentiallyConsistent)
        return contents.withLock { contents in
            swap(&contents.letters, &letters)
            let stop = contents.stop
            contents.stop = false
            return (stop, !contents.jobs.isEmpty)
        }
    }

    /// Says that there are jobs, though nothing will ring for them.
    func markOwnJobs() { ownJobs.store(true, ordering: .relaxed) }

    /// Empties the box of jobs into an empty array, whose storage the box uses from then on.
    func take(into jobs: inout ContiguousArray<UnownedJob>) {
        ownJobs.store(false, ordering: .relaxed)
        contents.withLock { swap(&$0.jobs, &jobs) }
    }
}
