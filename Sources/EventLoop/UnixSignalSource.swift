import CLinux
import Glibc

/// Calls a handler on the loop's thread for signals sent to the process, by signalfd(2).
///
/// The signals are blocked in the calling thread, as a signalfd requires. The kernel delivers a process's signal to any
/// thread that does not block it, so create this source before other threads start: they inherit the blocked set.
/// libdispatch's worker threads always block these signals. A program started with `posix_spawn` also inherits the
/// blocked set, unless `POSIX_SPAWN_SETSIGMASK` sets another.
///
/// ```swift
/// try loop.add(UnixSignalSource(signals: [SIGTERM, SIGINT]) { _ in loop.stop() })
/// ```
public final class UnixSignalSource: DescriptorBacked {
    /// The source that watches the signalfd.
    public let descriptorSource: DescriptorSource

    /// The signals that this source blocked; they are unblocked on invalidation.
    private var blockedHere = sigset_t()

    /// Blocks signals in the calling thread and creates a source for them.
    ///
    /// - Parameters:
    ///   - signals: The signal numbers, such as `SIGTERM`.
    ///   - handler: Called with the number of each signal; several signals of one kind may be merged (signal(7)).
    /// - Throws: If a number is not a signal, or if no descriptor is left.
    public init(signals: [Int32], handler: @escaping (Int32) -> Void) throws(SystemError) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in signals where sigaddset(&set, number) != 0 { throw .last("sigaddset(\(number))") }
        let descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
        if descriptor < 0 { throw .last("signalfd") }
        var before = sigset_t()
        let failure = pthread_sigmask(SIG_BLOCK, &set, &before)
        precondition(failure == 0, "pthread_sigmask failed with error number \(failure)")
        sigemptyset(&blockedHere)
        for number in signals where sigismember(&before, number) == 0 { sigaddset(&blockedHere, number) }
        weak var source: DescriptorSource?
        descriptorSource = DescriptorSource(name: "signals", owning: descriptor) { _ in
            var information = signalfd_siginfo()
            let size = MemoryLayout<signalfd_siginfo>.size
            // The handler may invalidate the source, which closes the descriptor.
            while source?.isValid == true, read(descriptor, &information, size) == size {
                handler(Int32(information.ssi_signo))
            }
        }
        source = descriptorSource
    }

    deinit { invalidate() }

    /// Invalidates the source and unblocks its signals in the calling thread, which must be the loop's.
    ///
    /// A pending signal is then delivered with its disposition (signal(7)).
    public func invalidate() {
        guard descriptorSource.isValid else { return }
        descriptorSource.invalidate()
        pthread_sigmask(SIG_UNBLOCK, &blockedHere, nil)
    }
}
