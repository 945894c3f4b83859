import Glibc

/// Runs Swift's concurrency jobs on a loop's thread without the detour through libdispatch.
///
/// It can be an actor's executor (`unownedExecutor`), which makes the actor's code run on the loop's thread, or a task's
/// preferred one (`Task(executorPreference:)`). Jobs run in the loop's common modes, in the order they were enqueued, where
/// blocks do. A job enqueued on the loop's own thread costs no system call; from another thread it wakes the loop as
/// `Remote.perform(in:_:)` does. The executor does not keep the loop alive; jobs enqueued after the loop is gone never run.
public final class LoopExecutor: SerialExecutor, TaskExecutor {
    private let mailbox: Mailbox

    init(mailbox: Mailbox) { self.mailbox = mailbox }

    /// Has a job run on the loop's thread.
    public func enqueue(_ job: consuming ExecutorJob) { mailbox.post(UnownedJob(job)) }

    /// This executor as an actor's.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Traps unless the caller is on the loop's thread, which is what isolation by this executor means.
    public func checkIsolated() {
        precondition(mailbox.isOwners, "this code is isolated to a run loop, and runs on another thread")
    }

    /// Whether the caller is on the loop's thread.
    public func isIsolatingCurrentContext() -> Bool? { mailbox.isOwners }

    /// Runs one job.
    func run(_ job: UnownedJob) {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
}
