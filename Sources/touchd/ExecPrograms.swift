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
        abstract: "Start handlers' programs for touchd; touchd-exec.service runs this.",
        discussion: """
            It takes the listening socket that touchd-exec.socket passes to it (sd_listen_fds(3)), and starts the programs \
            that touchd asks for there. Programs so run as another user than touchd, without its devices, its socket and its \
            secrets. A program ends when touchd does.
            """)

    /// The first descriptor that systemd passes.
    private static let firstPassed: Int32 = 3

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        guard environment["LISTEN_PID"] == "\(getpid())", environment["LISTEN_FDS"] == "1" else {
            throw ValidationError("there is no socket to listen at; start it with: systemctl start touchd-exec.socket")
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
