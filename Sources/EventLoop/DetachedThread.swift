import Glibc

/// A detached thread for one piece of work.
///
/// Foundation's `Thread` does not report a failed start, for example when the service has reached `TasksMax=`.
package enum DetachedThread {
    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread.
    ///
    /// - Throws: The error of pthread_create(3); the work is then not run.
    package static func run(_ work: @escaping @Sendable () -> Void) throws(SystemError) {
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
