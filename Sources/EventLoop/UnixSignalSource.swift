import CLinux
import Glibc

/// Calls a handler on the loop's thread for signals sent to the process, by signalfd(2).
///
/// The signals are blocked in the calling thread, which a signalfd needs. A signal sent to the process goes to any
/// thread that does not block it, so make this source before other threads start: they inherit what is blocked.
/// libdispatch's own worker threads block all these signals whenever they start. A program started with
/// `posix_spawn` inherits the blocked set too, unless `POSIX_SPAWN_SETSIGMASK` gives it another.
public final class UnixSignalSource: DescriptorBacked {
    /// The source that watches the signalfd.
    public let descriptorSource: DescriptorSource

    private let descriptor: Int32
    /// The signals of this source that were not blocked before, and will not be after.
    private var blockedHere = sigset_t()

    /// Blocks signals in the calling thread and makes a source for them.
    ///
    /// - Parameters:
    ///   - signals: The numbers, such as `SIGTERM`.
    ///   - handler: Called with a number for each signal; several of one kind may arrive as one (signal(7)).
    /// - Throws: If a number is no signal, or there is no descriptor left.
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
        self.descriptor = descriptor
        descriptorSource = DescriptorSource(name: "signals", descriptor: descriptor) { _ in
            var information = signalfd_siginfo()
            let size = MemoryLayout<signalfd_siginfo>.size
            while read(descriptor, &information, size) == size { handler(Int32(information.ssi_signo)) }
        }
    }

    deinit { invalidate() }

    /// Ends the source: what was blocked by it is not any longer, in the calling thread, which must be the loop's.
    ///
    /// A signal that came and was not handled then has its usual effect.
    public func invalidate() {
        guard descriptorSource.isValid else { return }
        descriptorSource.invalidate()
        close(descriptor)
        pthread_sigmask(SIG_UNBLOCK, &blockedHere, nil)
    }
}
