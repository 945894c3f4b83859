import Glibc

/// Runs Swift's concurrency jobs on a loop's thread without libdispatch.
///
/// It can be an actor's executor (`unownedExecutor`), so that the actor's code runs on the loop's thread, or a task's
/// preferred executor (`Task(executorPreference:)`). Jobs run in the loop's common modes, in the order in which they
/// were enqueued, at the same point as blocks. A job enqueued on the loop's thread costs no system call; from another
/// thread it wakes the loop like `Remote.perform(in:_:)`. The executor does not keep the loop alive; jobs enqueued
/// after the loop's deinitialization never run.
public final class LoopExecutor: SerialExecutor, TaskExecutor {
    private let remoteQueue: RemoteQueue

    init(remoteQueue: RemoteQueue) { self.remoteQueue = remoteQueue }

    /// Enqueues a job to run on the loop's thread.
    public func enqueue(_ job: consuming ExecutorJob) { remoteQueue.post(UnownedJob(job)) }

    /// This executor as an actor's.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Traps unless the caller is on the loop's thread.
    public func checkIsolated() {
        precondition(remoteQueue.isOwners, "this code is isolated to a run loop, and runs on another thread")
    }

    /// Whether the caller is on the loop's thread.
    public func isIsolatingCurrentContext() -> Bool? { remoteQueue.isOwners }

    func run(_ job: UnownedJob) {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
}
