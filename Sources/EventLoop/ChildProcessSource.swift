import CLinux
import Glibc

/// Calls a handler once when a child process has terminated, and reaps it; uses a pidfd (pidfd_open(2)), not SIGCHLD.
///
/// ```swift
/// try loop.add(ChildProcessSource(process: child) { status in print("ended:", status) })
/// ```
public final class ChildProcessSource: DescriptorBacked {
    /// The source that watches the pidfd.
    public let descriptorSource: DescriptorSource
    /// The child.
    public let process: pid_t

    /// Creates a source for a child of this process; nothing else may wait for that child.
    ///
    /// - Parameters:
    ///   - process: The child's process ID. The child may already have terminated.
    ///   - handler: Called on the loop's thread with the exit status; the source is then invalid.
    /// - Throws: If there is no such process (`ESRCH`), or no descriptor is left.
    public init(process: pid_t, handler: @escaping (ExitStatus) -> Void) throws(SystemError) {
        let number = pidfd_open(process, 0)
        if number < 0 { throw .last("pidfd_open(\(process))") }
        self.process = process
        weak var source: DescriptorSource?
        descriptorSource = DescriptorSource(name: "process \(process)", owning: number) { _ in
            var status: Int32 = 0
            // The process ID cannot be reused: it stays reserved until the child is reaped here.
            let reaped = waitpid(process, &status, WNOHANG)
            guard reaped != 0 else { return }
            source?.invalidate()
            // ECHILD: the kernel reaped it.
            handler(reaped == process ? ExitStatus(waitStatus: status) : .unknown)
        }
        source = descriptorSource
    }

    /// Stops waiting.
    ///
    /// The child is not reaped; another source can be created for it.
    public func invalidate() { descriptorSource.invalidate() }
}
