import CLinux
import Glibc

/// Owns the eventfd with which other threads wake the loop.
///
/// It is watched edge-triggered and never read: each write is a separate edge, which saves a system call per wake-up.
/// The counter would overflow after 2⁶⁴ − 2 writes, which takes five thousand years at 100 writes per microsecond.
struct WakeUpDescriptor: ~Copyable, Sendable {
    /// The eventfd.
    let descriptor: Int32

    init() throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        if descriptor < 0 { throw .last("eventfd") }
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable once more.
    func write() {
        let failed = eventfd_write(descriptor, 1)
        precondition(failed == 0, "eventfd_write failed with error number \(errno)")
    }
}
