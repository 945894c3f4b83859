import DequeModule
import Glibc

/// A run loop: waits in the kernel for descriptors, timers and other threads, and calls back on its thread.
///
/// The contract is CFRunLoop's, with descriptors instead of Mach ports, on top of epoll(7). A loop belongs to the
/// thread that created it, and everything except `remote` may be used only on that thread. Only the main thread's loop,
/// `main`, drains the main dispatch queue and so runs main-actor code; others are for other threads and for tests.
///
/// While nothing is due, the loop makes no system call and never wakes up. Needs Linux 5.3 (pidfd).
public final class EpollRunLoop {
    /// How a run ended, as in CFRunLoopRunResult.
    public enum RunResult: Sendable, Hashable {
        /// The mode has no source, timer or block left to wait for. Observers do not count.
        case finished
        /// `stop()` was called.
        case stopped
        /// The deadline passed.
        case timedOut
        /// A source was handled, and the caller asked to return after one.
        case handledSource
    }

    // epoll's tokens for the loop's own descriptors; a source's token contains a use count above bit 32.
    static let wakeUpToken: UInt64 = 0
    static let timerToken: UInt64 = 1
    static let mainQueueToken: UInt64 = 2

    let owner = pthread_self()
    private let mainQueue = MovedMainQueue()
    let poll: PollSet
    let remoteQueue: RemoteQueue
    let timer: TimerDescriptor

    /// Measures the loop's callbacks; with nil, the loop reads no clock.
    public var meter: RunLoopMeter?
    /// The mode of the innermost run; nil outside a run.
    public internal(set) var currentMode: Mode?
    /// The mode of the innermost run as a set with one bit; empty outside a run.
    var current: ModeSet = []
    /// Whether the innermost run must end.
    var isStopped = false

    /// The events of the last wait are handled from `cursor` up to `ready`; a nested run continues where the outer one
    /// is.
    var cursor = 0
    var ready = 0
    /// The sources by the lower half of their tokens, minus the loop's own tokens.
    var slots: ContiguousArray<SourceSlot> = []
    var freeSlots: ContiguousArray<Int> = []
    /// The slot that watches a descriptor.
    var slotOfDescriptor: [Int32: Int] = [:]
    /// The number of descriptor and signalled sources in each mode.
    var sourceCounts = ContiguousArray(repeating: 0, count: 64)
    /// Sources that are removed from the epoll set until the loop is in one of their modes.
    var parked: ContiguousArray<DescriptorSource> = []
    /// How many reports without a source may still come from sources that were removed after the last wait.
    var reportsOfRemoved = 0
    /// Whether any source was added with a nonzero priority.
    var hasPriorities = false

    var signalledSources: ContiguousArray<SignalledSource> = []
    /// The sources that wait to be performed, in the order in which they were signalled.
    var signalled: ContiguousArray<SignalledSource> = []
    /// The sources that are being performed, from `performCursor` on; a nested run continues where the outer one is.
    var performing: ContiguousArray<SignalledSource> = []
    var performCursor = 0
    /// The number of passes that performed signalled sources.
    var signalledPass = 0

    var blocks: Deque<Block> = []
    /// The modes that all waiting blocks have in common.
    var modesOfAllBlocks: ModeSet = .all
    var remoteBlocks: ContiguousArray<RemoteQueue.Block> = []

    var timerQueues: ContiguousArray<TimerQueue> = []
    /// The time to which the timerfd is set; `Int64.max` for never.
    var armedTime = Int64.max
    /// Whether a timer was already due when the timerfd was to be set.
    var hasDueTimers = false
    /// How many runs in a row have returned after a source while more were ready, so that due timers did not fire.
    var postponements = 0
    /// The value of `now`; 0 if it has not been read since the last wake-up.
    var cachedNow: Int64 = 0
    /// Whether the timerfd may have to be set again.
    var needsArming = true
    /// The deadline of the innermost run.
    var runLimit = Int64.max

    var observers: ContiguousArray<RunLoopObserver> = []
    /// The union of all observers' activities, so that a pass without observers checks only this.
    var observed: RunLoopObserver.Activities = []

    /// Whether this is the main thread's loop, and whether it is draining the main queue.
    var drainsMainQueue = false
    var isDrainingMainQueue = false
    /// Whether the main queue reported work in a mode that does not drain it.
    var hasMainQueueWaiting = false

    /// Creates a loop that belongs to the calling thread.
    ///
    /// The main thread's loop is `main`.
    public init() throws(SystemError) {
        poll = try PollSet()
        remoteQueue = RemoteQueue(wakeUp: try WakeUpDescriptor(), ownerMayMove: mainQueue.mayMove)
        timer = try TimerDescriptor()
        try watch(remoteQueue.wakeUp.descriptor, token: Self.wakeUpToken)
        try watch(timer.descriptor, token: Self.timerToken)
    }

    deinit {
        for slot in slots { slot.source?.loop = nil }
        for source in parked { source.loop = nil }
        for source in signalledSources { source.loop = nil }
        for observer in observers { observer.loop = nil }
        for queue in timerQueues {
            for timer in queue.all {
                timer.loop = nil
                timer.queue = nil
            }
        }
    }

    /// Watches one of the loop's own descriptors, edge-triggered, because they are never read.
    func watch(_ descriptor: Int32, token: UInt64) throws(SystemError) {
        let failure = poll.add(descriptor, DescriptorSource.ownEvents, token: token)
        if failure != 0 { throw SystemError(call: "epoll_ctl(EPOLL_CTL_ADD)", errno: failure) }
    }

    /// Traps unless the caller is on the loop's thread.
    @inline(__always)
    func checkThread() {
        precondition(
            pthread_equal(owner, pthread_self()) != 0 || mainQueue.isCurrent,
            "use a run loop only on its thread")
    }

    /// The modes of a mode, or of the common set.
    func modes(of mode: Mode) -> ModeSet { mode == .common ? .common : ModeSet(mode) }

    /// Ends the innermost run; before a run, ends the next one immediately.
    ///
    /// As in CFRunLoop, the blocks, signalled sources or timers of the pass still run. Of several descriptors that are
    /// ready together, the unhandled ones wait for the next run.
    public func stop() {
        checkThread()
        isStopped = true
    }

    /// Adds `change` to the source count of each of the modes.
    func count(_ modes: ModeSet, by change: Int) {
        var rest = modes.rawValue
        while rest != 0 {
            sourceCounts[rest.trailingZeroBitCount] += change
            rest &= rest - 1
        }
    }
}
