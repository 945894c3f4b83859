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
    let poll: PollSet
    let mailbox: Mailbox
    let monotonic: TimerDescriptor
    let boottime: TimerDescriptor

    /// The mode of the innermost run, or nil outside of any.
    public internal(set) var currentMode: Mode?
    /// The modes of the innermost run: one bit, or none outside of any.
    var current: ModeSet = []
    /// The modes that the common set stands for.
    var commonModes: ModeSet = [ModeSet(.default), ModeSet(.tracking)]
    /// Whether the innermost run is to end.
    var isStopped = false

    /// What the last wait reported is handled from `cursor` up to `ready`; a nested run goes on where the outer one is.
    var cursor = 0
    var ready = 0
    /// The sources by the lower half of their tokens, less the loop's own.
    var slots: ContiguousArray<DescriptorSource?> = []
    var freeSlots: ContiguousArray<Int> = []
    var slotUses: ContiguousArray<UInt32> = []
    /// Which slot watches a descriptor.
    var slotOfDescriptor: [Int32: Int] = [:]
    /// How many descriptor and signalled sources each mode has.
    var sourceCounts = ContiguousArray(repeating: 0, count: 64)
    /// Sources out of the epoll set until the loop is in one of their modes.
    var parked: ContiguousArray<DescriptorSource> = []
    /// Whether any source was added with a priority other than 0.
    var hasPriorities = false

    var signalledSources: ContiguousArray<SignalledSource> = []
    /// The sources waiting to be performed, in the order in which they were signalled.
    var signalled: ContiguousArray<SignalledSource> = []
    /// The sources being performed, from `performCursor` on; a nested run goes on where the outer one is.
    var performing: ContiguousArray<SignalledSource> = []
    var performCursor = 0

    var blocks: ContiguousArray<Block> = []
    var spareBlocks: ContiguousArray<Block> = []
    var remoteBlocks: ContiguousArray<Mailbox.Letter> = []

    var timerQueues: ContiguousArray<TimerQueue> = []
    /// What the two timerfds are set to; `Int64.max` for never.
    var armedMonotonic = Int64.max
    var armedBoottime = Int64.max
    /// When the innermost run is to end, on `CLOCK_MONOTONIC`, and on `CLOCK_BOOTTIME`.
    var limitMonotonic = Int64.max
    var limitBoottime = Int64.max

    var observers: ContiguousArray<RunLoopObserver> = []
    /// The activities that any observer is interested in, so that a pass without observers looks only here.
    var observed: RunLoopObserver.Activities = []

    /// Whether this is the main thread's loop, and whether it is draining the main queue at the moment.
    var drainsMainQueue = false
    var isDrainingMainQueue = false
    /// Whether the main queue reported work in a mode that does not drain it.
    var hasMainQueueWaiting = false

    /// Makes a loop that belongs to the calling thread.
    ///
    /// The main thread's is `main`.
    public init() throws(SystemError) {
        poll = try PollSet()
        mailbox = Mailbox(wakeUp: try WakeUpDescriptor())
        monotonic = try TimerDescriptor(.monotonic)
        boottime = try TimerDescriptor(.boottime)
        try watch(mailbox.wakeUp.descriptor, token: Self.wakeUpToken)
        try watch(monotonic.descriptor, token: Self.monotonicToken)
        try watch(boottime.descriptor, token: Self.boottimeToken)
    }

    deinit {
        for case let source? in slots { source.loop = nil }
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
    func checkThread() {
        precondition(pthread_equal(owner, pthread_self()) != 0, "a run loop is used only on its own thread")
    }

    /// The modes that a mode, or the common set, stands for.
    func modes(of mode: Mode) -> ModeSet { mode == .common ? commonModes : ModeSet(mode) }

    /// Ends the innermost run once the callback that is running has returned; before a run, ends the next one at once.
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
        for case let source? in slots where source.isCommon { extend(source, by: bit) }
        for source in signalledSources where source.isCommon && !source.modes.contains(bit) {
            source.modes.formUnion(bit)
            count(bit, by: 1)
        }
        for queue in timerQueues where queue.isCommon { queue.modes.formUnion(bit) }
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
