import ArgumentParser
import CLinux
import EventLoop
import Foundation
import Handlers
import Logging
import Service

/// `touchd exec-programs`.
struct ExecPrograms: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec-programs",
        abstract: "Start the programs of handlers for touchd; only touchd-exec.service runs this.",
        discussion: """
            It receives the listening socket from touchd-exec.socket (sd_listen_fds(3)) and starts the programs that touchd \
            requests there. So programs run as a different user, without access to touchd's devices, socket and secrets. \
            When touchd exits, its programs are stopped.
            """)

    /// The first descriptor that systemd passes.
    private static let firstPassed: Int32 = 3

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        guard environment["LISTEN_PID"] == "\(getpid())", environment["LISTEN_FDS"] == "1" else {
            throw ValidationError("systemd passed no socket; run: systemctl start touchd-exec.socket")
        }
        // Programs run as the same user and must not write to the memory of this process, which starts the others.
        _ = set_dumpable(0)
        MallocArenas.limitToOne()
        signal(SIGPIPE, SIG_IGN)
        _ = fcntl(Self.firstPassed, F_SETFD, FD_CLOEXEC)
        // The main thread parses and runs the command line, before any other thread exists.
        MainActor.assumeIsolated {
            let loop = EpollRunLoop.main
            let logger = Logger(label: "touchd-exec") { StreamLogHandler.standardError(label: $0) }
            let server = ProgramServer(listener: Self.firstPassed, loop: loop, logger: logger)
            withExtendedLifetime(server) { _ = loop.run() }
        }
    }
}
