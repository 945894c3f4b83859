import CLinux
import Foundation

/// touchd as process 1, in a container: the kernel makes it the parent of every process whose parent has ended, and only
/// a parent can remove what is left of an ended process.
enum FirstProcess {
    /// As process 1, continues in a child process, and returns there; in any other process, does nothing.
    ///
    /// Process 1 then only passes signals to the child, reaps processes, and ends with the child's status. Waiting for
    /// every process in touchd itself would take the statuses of handlers' programs from their sources. Call it before
    /// any thread exists.
    static func continueInChild() {
        guard getpid() == 1 else { return }
        var all = sigset_t(), before = sigset_t()
        sigfillset(&all)
        sigprocmask(SIG_SETMASK, &all, &before)
        let child = fork_process()
        if child > 0 { serve(child, all) }
        // Also without a child, if the kernel refuses one: touches matter more than zombies.
        sigprocmask(SIG_SETMASK, &before, nil)
        // They name the process that the variables are for (sd_listen_fds(3), sd_watchdog_enabled(3)).
        for name in ["LISTEN_PID", "WATCHDOG_PID"] where getenv(name).map({ String(cString: $0) }) == "1" {
            setenv(name, "\(getpid())", 1)
        }
    }

    private static func serve(_ child: pid_t, _ signals: sigset_t) -> Never {
        var signals = signals
        while true {
            var information = siginfo_t()
            let signal = sigwaitinfo(&signals, &information)
            // A positive code is the kernel's own, such as that of Ctrl-C, which the terminal also sends to the child.
            if signal > 0, signal != SIGCHLD, information.si_code <= 0 { kill(child, signal) }
            var status: Int32 = 0
            while case let process = waitpid(-1, &status, WNOHANG), process > 0 {
                guard process == child else { continue }
                let end = status & 0x7f
                _exit(end == 0 ? status >> 8 & 0xff : 128 + end)
            }
        }
    }
}
