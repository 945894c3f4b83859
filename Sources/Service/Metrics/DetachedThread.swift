import EventLoop
import Glibc

/// A thread for one piece of work, which nobody waits for.
///
/// Foundation's does not say when there can be none: when the service has all tasks that it may have (`TasksMax=`).
nonisolated enum DetachedThread {
    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts one.
    ///
    /// - Throws: Why there is none (pthread_create(3)); then the work is not done.
    static func run(_ work: @escaping @Sendable () -> Void) throws(SystemError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let work = Unmanaged.passRetained(Work(work))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, &attributes,
            { work in
                if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        guard failure != 0 else { return }
        work.release()
        throw SystemError(call: "pthread_create", errno: failure)
    }
}
