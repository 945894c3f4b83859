import ArgumentParser
import Basics
import CLinux
import CommandSupport
import EventLoop
import Foundation
import Handlers
import Logging
import Service

struct ExecPrograms: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec-programs",
        abstract: "Start the programs of handlers for touchd; only touchd-exec.service runs this.",
        discussion: """
            It receives the listening socket from touchd-exec.socket (sd_listen_fds(3)) and starts the programs that touchd \
            requests there. So programs run as a different user, without access to touchd's devices, socket and secrets. \
            When touchd exits, its programs are stopped.
            """, shouldDisplay: false)

    func run() throws {
        guard let socket = PassedSocket.take() else {
            throw ValidationError("systemd passed no socket; run: systemctl start touchd-exec.socket")
        }
        // Programs run as the same user and must not write to the memory of this process, which starts the others.
        _ = set_dumpable(0)
        MallocArenas.limitToOne()
        WriteSignals.ignore()
        // The main thread parses and runs the command line, before any other thread exists.
        MainActor.assumeIsolated {
            let loop = EpollRunLoop.main
            let logger = Logger(label: "touchd-exec") { StreamLogHandler.standardError(label: $0) }
            let server = ProgramServer(listener: socket, loop: loop, logger: logger)
            ServiceManager.feedWatchdog(from: loop)
            withExtendedLifetime(server) { _ = loop.run() }
        }
    }
}
