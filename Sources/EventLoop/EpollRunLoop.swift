import CLinux
import Dispatch
import Glibc

/// A run loop: waits in the kernel for descriptors, timers and other threads, and calls back on its thread.
///
/// The contract is CFRunLoop's, with descriptors instead of Mach ports, on top of epoll(7). A loop belongs to the
/// thread that created it, and everything except `remote` may be used only on that thread. Only the main thread's loop,
/// `main`, drains the main dispatch queue and so runs main-actor code; others are for other threads and for tests.
///
/// While nothing is due, the loop makes no system call and never wakes up. Needs Linux 5.3 (pidfd).
///
/// ```swift
/// let loop = try EpollRunLoop()
/// loop.add(RunLoopTimer(name: "tick", after: .seconds(1), repeating: .seconds(1)) { _ in print("a second") })
/// loop.run(until: .after(.seconds(5)))
/// ```
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

    /// A mode of a loop.
    public typealias Mode = RunLoopMode

    // epoll's tokens for the loop's own descriptors; a source's token contains a use count above bit 32.
    static let wakeUpToken: UInt64 = 0
    static let timerToken: UInt64 = 1
    static let mainQueueToken: UInt64 = 2

    let owner = pthread_self()
    private let mainQueue = MovedMainQueue()
    let poll: PollSet
    let remoteQueue: RemoteQueue
    let timer: TimerDescriptor

    // `@exclusivity(unchecked)` spares the runtime's check of each access, which would double the cost of a timer in the
    // release build of a package that depends on this one. It is safe because no access lasts: none contains a callback,
    // or frees a handler whose captures could use the same property. Only what a profile shows has it.

    /// Measures the loop's callbacks; with nil, the loop reads no clock.
    @exclusivity(unchecked) public var meter: RunLoopMeter?
    /// The mode of the innermost run; nil outside a run.
    @exclusivity(unchecked) public internal(set) var currentMode: Mode?
    /// The mode of the innermost run as a set with one bit; empty outside a run.
    var current: ModeSet = []
    /// Whether the innermost run must end.
    var isStopped = false

    /// The events of the last wait are handled from `cursor` up to `ready`; a nested run continues where the outer one
    /// is, and the next run where the last one stopped.
    var cursor = 0
    var ready = 0
    /// The sources by the lower half of their tokens, minus the loop's own tokens.
    @exclusivity(unchecked) var slots: ContiguousArray<SourceSlot> = []
    var freeSlots: ContiguousArray<Int> = []
    /// The slot that watches a descriptor.
    var slotOfDescriptor: [Int32: Int] = [:]
    /// The number of descriptor and signalled sources in each mode.
    @exclusivity(unchecked) private var sourceCounts = ContiguousArray(repeating: 0, count: 64)
    /// Sources that are removed from the epoll set until the loop is in one of their modes.
    @exclusivity(unchecked) var parked: ContiguousArray<DescriptorSource> = []
    /// How many reports without a source may still come from sources that were removed after the last wait.
    var reportsOfRemoved = 0
    /// Whether any source was added with a nonzero priority.
    var hasPriorities = false

    var signalledSources: ContiguousArray<SignalledSource> = []
    /// The sources that wait to be performed, in the order in which they were signalled.
    @exclusivity(unchecked) var signalled: ContiguousArray<SignalledSource> = []
    /// The sources that are being performed, from `performCursor` on; a nested run continues where the outer one is.
    @exclusivity(unchecked) var performing: ContiguousArray<SignalledSource> = []
    var performCursor = 0
    /// The number of passes that performed signalled sources.
    var signalledPass = 0

    let blocks = BlockQueue()
    var remoteBlocks: ContiguousArray<RemoteQueue.Block> = []

    @exclusivity(unchecked) var timerQueues: ContiguousArray<TimerQueue> = []
    /// The time to which the timerfd is set; `Int64.max` for never.
    var armedTime = Int64.max
    /// Whether a timer was already due when the timerfd was to be set.
    var hasDueTimers = false
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
        // What outlives the loop can be added to another one.
        for source in slots.compactMap(\.source) { (source.loop, source.modes) = (nil, []) }
        for source in signalledSources { (source.loop, source.modes) = (nil, []) }
        for observer in observers { (observer.loop, observer.modes) = (nil, []) }
        for timer in timerQueues.flatMap(\.all) { (timer.queue, timer.modes) = (nil, []) }
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
            owner == pthread_self() || mainQueue.isCurrent,
            "use a run loop only on its thread")
    }

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

    // MARK: Runs

    /// Runs the loop in one mode until there is a reason to return.
    ///
    /// A pass has the order of CFRunLoop's: observers before timers, observers before sources, blocks, signalled
    /// sources, and blocks again if a source was performed. Then, unless something is ready, observers before waiting,
    /// sleep, observers after waiting. Then the events that woke the loop (the main queue and descriptors, then due
    /// timers), and blocks. A run can be nested in any callback. If the kernel reports several descriptors together, they are
    /// handled in one pass, by priority. A run that is stopped or returns after a source leaves the others to the next
    /// run, which begins with them: every ready source is called before any is called again.
    ///
    /// - Parameters:
    ///   - mode: The mode to run in; not `common`, which is a set.
    ///   - deadline: The latest time to return. If it is past, the loop calls what is ready, without sleeping. Nil for
    ///     never.
    ///   - returnAfterSourceHandled: Whether to return after one source, or the main queue, was handled.
    /// - Returns: Why the run ended.
    @discardableResult
    public func run(
        mode: Mode = .default, until deadline: Deadline? = nil, returnAfterSourceHandled: Bool = false
    ) -> RunResult {
        checkThread()
        precondition(mode != .common, "a run loop runs in one mode; “common” is a set of modes")
        let outer = (currentMode, current, runLimit)
        currentMode = mode
        current = ModeSet(mode)
        runLimit = deadline?.nanoseconds ?? .max
        needsArming = true
        unpark()
        defer {
            (currentMode, current, runLimit) = outer
            needsArming = true
            unpark()
        }
        if isFinished { return .finished }
        notify(.entry)
        let result = consumeStop() ? .stopped : pass(deadline, returnAfterSourceHandled)
        notify(.exit)
        return result
    }

    /// Makes passes until one has a reason to return.
    private func pass(_ deadline: Deadline?, _ returnAfterSourceHandled: Bool) -> RunResult {
        while true {
            var (handled, hasWaited) = (false, true)
            if returnAfterSourceHandled || !waitQuietly() {
                handled = performSources(onlyOne: returnAfterSourceHandled)
                hasWaited = cursor == ready
                if hasWaited { wait(poll: handled || isStopped || deadline?.isPast ?? false) }
                if handleReady(onlyOne: returnAfterSourceHandled) { handled = true }
            }
            performBlocks()
            if handled && returnAfterSourceHandled { return .handledSource }
            // What became ready after the last wait is handled too.
            if hasWaited, let deadline, deadline.isPast { return .timedOut }
            if consumeStop() { return .stopped }
            if isFinished { return consumeStop() ? .stopped : .finished }
        }
    }

    /// Makes passes in which only descriptors can be ready, because every other stage is known to be empty.
    ///
    /// Only a callback can change that, so one check after each wait replaces a dozen. Returns whether it made a pass;
    /// the blocks at the end of the last pass are left to the caller.
    @inline(__always)
    private func waitQuietly() -> Bool {
        guard isQuiet, !isFinished else { return false }
        repeat {
            cachedNow = 0
            receive(poll: false)
            handleReady(onlyOne: false)
        } while isQuiet && !isFinished
        return true
    }

    /// The first half of a pass; returns whether a signalled source was performed.
    private func performSources(onlyOne: Bool) -> Bool {
        notify(.beforeTimers)
        notify(.beforeSources)
        performBlocks()
        guard hasSignalled, performSignalled(onlyOne: onlyOne) else { return false }
        performBlocks()
        return true
    }

    @inline(__always)
    private var isQuiet: Bool {
        !(needsArming || hasDueTimers || isStopped || hasSignalled || remoteQueue.hasOwnRing)
            && cursor == ready && blocks.isEmpty && observed.isEmpty && meter == nil
    }

    /// Waits until something is ready; calls the observers before and after, if it may sleep.
    @inline(__always)
    private func wait(poll isPolling: Bool) {
        if needsArming { armTimers() }
        cachedNow = 0
        meter?.willWait()
        let waiting: RunLoopObserver.Activities = [.beforeWaiting, .afterWaiting]
        if isPolling || observed.isDisjoint(with: waiting) {
            receive(poll: isPolling || mayNotSleep)
            meter?.wokeUp()
        } else {
            waitObserved(waiting)
        }
    }

    private func waitObserved(_ waiting: RunLoopObserver.Activities) {
        receive(poll: true)
        meter?.wokeUp()
        if ready > 0 || mayNotSleep { return }
        notify(.beforeWaiting)
        // A nested run in an observer may have left unhandled events; they are handled before new ones.
        if cursor == ready {
            if needsArming { armTimers() }
            meter?.waits()
            receive(poll: mayNotSleep || isStopped)
            meter?.wokeUp()
        }
        notify(.afterWaiting)
    }

    /// Waits for ready descriptors, forever or not at all, and sorts them by priority.
    @inline(__always)
    private func receive(poll isPolling: Bool) {
        cursor = 0
        ready = poll.wait(poll: isPolling)
        if hasPriorities, ready > 1 { poll.sort(0..<ready, by: priority(of:)) }
    }

    /// Whether there is already work, or nothing left that could wake the loop: a block or a signalled source of this
    /// pass may have been the last (CFRunLoop would sleep forever).
    @inline(__always)
    private var mayNotSleep: Bool { hasWork || isFinished }

    /// Whether there is work in the current mode that no descriptor will report.
    @inline(__always)
    private var hasWork: Bool {
        (hasDueTimers || !blocks.isEmpty || hasSignalled || remoteQueue.hasOwnRing) && hasWorkInMode
    }

    private var hasWorkInMode: Bool {
        hasDueTimers || remoteQueue.hasOwnRing
            || blocks.hasBlock(in: current)
            || signalled.contains { !$0.modes.isDisjoint(with: current) }
            || performing[performCursor...].contains { !$0.modes.isDisjoint(with: current) }
    }

    /// Whether the current mode has nothing left to wait for.
    @inline(__always)
    private var isFinished: Bool {
        sourceCounts[current.rawValue.trailingZeroBitCount] == 0 && isFinishedWithoutSources
    }

    private var isFinishedWithoutSources: Bool {
        for queue in timerQueues where !queue.isEmpty && !queue.modes.isDisjoint(with: current) { return false }
        collectRemoteBlocks()
        return !hasWork
    }

    @inline(__always)
    private func consumeStop() -> Bool {
        guard isStopped else { return false }
        isStopped = false
        return true
    }

    /// Calls back and records the duration in the meter, if there is one.
    @inline(__always)
    func call(_ name: @autoclosure () -> String, _ body: () -> Void) {
        body()
        if let meter { meter.ended(name()) }
    }
}

/// The main queue as the owner of a run loop that was created by a block of the main queue.
///
/// A program with an asynchronous `main`, such as a test runner, calls `dispatchMain()`. Then libdispatch runs the main
/// queue's blocks on changing worker threads, one after another. An object created by one block may be used by the
/// next.
struct MovedMainQueue {
    private static let key = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    private let isOwner = DispatchQueue.getSpecific(key: key) == true

    /// Whether the loop was created on a worker thread of libdispatch, which may run other queues later.
    var mayMove: Bool { isOwner && getpid() != gettid() }

    /// Whether both the loop's creation and the current code are work of the main queue.
    var isCurrent: Bool {
        @inline(never) get { isOwner && DispatchQueue.getSpecific(key: Self.key) == true }
    }
}
