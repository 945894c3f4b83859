import DequeModule
import Glibc

/// A run loop: waits in the kernel for descriptors, timers and other threads, and calls back on its own thread.
///
/// The contract is CFRunLoop's, with descriptors where CFRunLoop has Mach ports, and epoll(7) below. A loop belongs to the
/// thread that made it, and everything but `remote` is for that thread alone. Only the main thread's loop, `main`, drains
/// the main dispatch queue and so carries main-actor code; others are for threads of their own, and for tests.
///
/// With nothing due the loop makes no system call and has no wake-up at all. Needs Linux 5.3 (pidfd).
public final class EpollRunLoop {
    /// How a run ended, as CFRunLoopRunResult has it.
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

    // What epoll hands back for the loop's own descriptors; a source's token has a count of uses above bit 32.
    static let wakeUpToken: UInt64 = 0
    static let monotonicToken: UInt64 = 1
    static let boottimeToken: UInt64 = 2
    static let mainQueueToken: UInt64 = 3

    let owner = pthread_self()
    private let mainQueue = MovedMainQueue()
    let poll: PollSet
    let mailbox: Mailbox
    let executor: LoopExecutor
    let monotonic: TimerDescriptor
    let boottime: TimerDescriptor

    // What follows belongs to one thread and is never held across a callback, so Swift's run-time checks for overlapping
    // access prove nothing here; they made up 600 of 1,050 instructions of a wake-up.

    /// Measures the loop's callbacks; nil for none, and then the loop reads no clock.
    @exclusivity(unchecked) public var meter: RunLoopMeter?
    /// The mode of the innermost run, or nil outside of any.
    @exclusivity(unchecked) public internal(set) var currentMode: Mode?
    /// The modes of the innermost run: one bit, or none outside of any.
    @exclusivity(unchecked) var current: ModeSet = []
    /// The modes that the common set stands for.
    @exclusivity(unchecked) var commonModes: ModeSet = [ModeSet(.default), ModeSet(.tracking)]
    /// Whether the innermost run is to end.
    @exclusivity(unchecked) var isStopped = false

    /// What the last wait reported is handled from `cursor` up to `ready`; a nested run goes on where the outer one is.
    @exclusivity(unchecked) var cursor = 0
    @exclusivity(unchecked) var ready = 0
    /// The sources by the lower half of their tokens, less the loop's own.
    @exclusivity(unchecked) var slots: ContiguousArray<SourceSlot> = []
    @exclusivity(unchecked) var freeSlots: ContiguousArray<Int> = []
    /// Which slot watches a descriptor.
    @exclusivity(unchecked) var slotOfDescriptor: [Int32: Int] = [:]
    /// How many descriptor and signalled sources each mode has.
    @exclusivity(unchecked) var sourceCounts = ContiguousArray(repeating: 0, count: 64)
    /// Sources out of the epoll set until the loop is in one of their modes.
    @exclusivity(unchecked) var parked: ContiguousArray<DescriptorSource> = []
    /// How many reports without a source may still be of sources removed after the wait that reported them.
    @exclusivity(unchecked) var reportsOfRemoved = 0
    /// Whether any source was added with a priority other than 0.
    @exclusivity(unchecked) var hasPriorities = false

    @exclusivity(unchecked) var signalledSources: ContiguousArray<SignalledSource> = []
    /// The sources waiting to be performed, in the order in which they were signalled.
    @exclusivity(unchecked) var signalled: ContiguousArray<SignalledSource> = []
    /// The sources being performed, from `performCursor` on; a nested run goes on where the outer one is.
    @exclusivity(unchecked) var performing: ContiguousArray<SignalledSource> = []
    @exclusivity(unchecked) var performCursor = 0
    /// Counts the passes that performed signalled sources.
    @exclusivity(unchecked) var signalledPass = 0

    @exclusivity(unchecked) var blocks: Deque<Block> = []
    /// The modes that every one of the blocks waits for.
    @exclusivity(unchecked) var modesOfAllBlocks: ModeSet = .all
    @exclusivity(unchecked) var remoteBlocks: ContiguousArray<Mailbox.Letter> = []
    @exclusivity(unchecked) var spareJobs: ContiguousArray<UnownedJob> = []

    @exclusivity(unchecked) var timerQueues: ContiguousArray<TimerQueue> = []
    /// What the two timerfds are set to; `Int64.max` for never.
    @exclusivity(unchecked) var armedMonotonic = Int64.max
    @exclusivity(unchecked) var armedBoottime = Int64.max
    /// Whether a timer was due when the timerfds were to be set.
    @exclusivity(unchecked) var hasDueTimers = false
    /// `now`, or 0 when it has not been asked for since the last wake-up.
    @exclusivity(unchecked) var cachedNow: Int64 = 0
    /// Whether the timerfds may be set to something else than what comes next.
    @exclusivity(unchecked) var needsArming = true
    /// When the innermost run is to end, on `CLOCK_MONOTONIC`, and on `CLOCK_BOOTTIME`.
    @exclusivity(unchecked) var limitMonotonic = Int64.max
    @exclusivity(unchecked) var limitBoottime = Int64.max

    @exclusivity(unchecked) var observers: ContiguousArray<RunLoopObserver> = []
    /// The activities that any observer is interested in, so that a pass without observers looks only here.
    @exclusivity(unchecked) var observed: RunLoopObserver.Activities = []

    /// Whether this is the main thread's loop, and whether it is draining the main queue at the moment.
    @exclusivity(unchecked) var drainsMainQueue = false
    @exclusivity(unchecked) var isDrainingMainQueue = false
    /// Whether the main queue reported work in a mode that does not drain it.
    @exclusivity(unchecked) var hasMainQueueWaiting = false

    /// Makes a loop that belongs to the calling thread.
    ///
    /// The main thread's is `main`.
    public init() throws(SystemError) {
        poll = try PollSet()
        mailbox = Mailbox(wakeUp: try WakeUpDescriptor(), mainQueue: mainQueue)
        executor = LoopExecutor(mailbox: mailbox)
        monotonic = try TimerDescriptor(.monotonic)
        boottime = try TimerDescriptor(.boottime)
        try watch(mailbox.wakeUp.descriptor, token: Self.wakeUpToken)
        try watch(monotonic.descriptor, token: Self.monotonicToken)
        try watch(boottime.descriptor, token: Self.boottimeToken)
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

    /// Watches a descriptor of the loop's own, edge-triggered, as none of them is read.
    func watch(_ descriptor: Int32, token: UInt64) throws(SystemError) {
        let failure = poll.add(descriptor, DescriptorSource.ownEvents, token: token)
        if failure != 0 { throw SystemError(call: "epoll_ctl(EPOLL_CTL_ADD)", errno: failure) }
    }

    /// Traps unless the caller is on the loop's thread.
    @inline(__always)
    func checkThread() {
        precondition(
            pthread_equal(owner, pthread_self()) != 0 || mainQueue.goesOnHere,
            "a run loop is used only on its own thread")
    }

    /// The modes that a mode, or the common set, stands for.
    func modes(of mode: Mode) -> ModeSet { mode == .common ? commonModes : ModeSet(mode) }

    /// Ends the innermost run; before a run, ends the next one at once.
    ///
    /// As in CFRunLoop the blocks, signalled sources or timers of the pass still get their turn; of several descriptors
    /// ready together, those not yet handled wait for the next run.
    public func stop() {
        checkThread()
        isStopped = true
    }

    /// Declares a mode common: everything in the common set, now and later, is in this mode too.
    public func addCommonMode(_ mode: Mode) {
        checkThread()
        let bit = modes(of: mode)
        guard !commonModes.contains(bit) else { return }
        commonModes.formUnion(bit)
        for slot in slots {
            if let source = slot.source, source.isCommon { extend(source, by: bit) }
        }
        for source in signalledSources where source.isCommon && !source.modes.contains(bit) {
            source.modes.formUnion(bit)
            count(bit, by: 1)
        }
        for queue in timerQueues where queue.isCommon { queue.modes.formUnion(bit) }
        needsArming = true
        for observer in observers where observer.isCommon { observer.modes.formUnion(bit) }
        if drainsMainQueue { count(bit, by: 1) }
    }

    /// Counts sources in each of some modes.
    func count(_ modes: ModeSet, by change: Int) {
        var rest = modes.rawValue
        while rest != 0 {
            sourceCounts[rest.trailingZeroBitCount] += change
            rest &= rest - 1
        }
    }
}
