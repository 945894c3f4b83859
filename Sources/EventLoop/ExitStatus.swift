/// How a process ended.
public enum ExitStatus: Hashable, Sendable {
    /// It returned from `main` or called `exit`, with this status (0 to 255).
    case exited(Int32)
    /// A signal terminated it.
    case signalled(Int32)
    /// The kernel discarded the status, because this process ignores SIGCHLD (waitpid(2)).
    case unknown

    /// Decodes the status that `waitpid` returns for a terminated process.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .exited(waitStatus >> 8 & 0xff) : .signalled(signal)
    }
}
