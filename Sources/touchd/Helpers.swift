import ArgumentParser
import Basics
import CLinux
import CommandSupport
import ControlProtocol
import EventLoop
import Foundation
import Handlers
import Logging
import Network
import Service

struct ExecPrograms: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec-programs",
        abstract: "Start the programs of handlers for touchd; only touchd-exec.service runs this.",
        discussion: """
            It receives the listening socket from touchd-exec.socket (sd_listen_fds(3)) and starts the programs that touchd \
            requests there. So programs run as a different user, without access to touchd's devices, socket and secrets. \
            When touchd exits, its programs are stopped.
            """)

    func run() throws {
        guard let socket = PassedSocket.take() else {
            throw ValidationError("systemd passed no socket; run: systemctl start touchd-exec.socket")
        }
        // Programs run as the same user and must not write to the memory of this process, which starts the others.
        _ = set_dumpable(0)
        MallocArenas.limitToOne()
        signal(SIGPIPE, SIG_IGN)
        // The main thread parses and runs the command line, before any other thread exists.
        MainActor.assumeIsolated {
            let loop = EpollRunLoop.main
            let logger = Logger(label: "touchd-exec") { StreamLogHandler.standardError(label: $0) }
            let server = ProgramServer(listener: socket, loop: loop, logger: logger)
            withExtendedLifetime(server) { _ = loop.run() }
        }
    }
}

struct Network: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "Send requests and MQTT messages for touchd; only touchd-network.service and touchd run this.",
        discussion: """
            It receives the listening socket from touchd-network.socket (sd_listen_fds(3)), or from 'touchd run' in a \
            terminal one connection, and sends there what handlers send to servers and brokers. So touchd never waits for a \
            network, and needs no access to it.
            """)

    func run() throws {
        let socket = PassedSocket.descriptor, isListening = PassedSocket.take() != nil
        guard isListening || Self.isConnected(socket) else {
            throw ValidationError("systemd passed no socket; run: systemctl start touchd-network.socket")
        }
        // Its memory has passwords and tokens.
        _ = set_dumpable(0)
        MallocArenas.limitToOne()
        signal(SIGPIPE, SIG_IGN)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        // The main thread parses and runs the command line, before any other thread exists.
        try MainActor.assumeIsolated {
            let loop = EpollRunLoop.main
            let logger = Logger(label: "touchd-network") { _ in JournalLines() }
            let server = NetworkServer(descriptor: socket, isListening: isListening, loop: loop, logger: logger)
            server.didEnd = { loop.stop() }
            let signals = try UnixSignalSource(signals: [SIGTERM, SIGINT]) { _ in server.terminate() }
            loop.add(signals)
            withExtendedLifetime((server, signals)) { _ = loop.run() }
        }
    }

    /// Whether a descriptor is a connected socket that keeps packets apart.
    private static func isConnected(_ descriptor: Int32) -> Bool {
        var type: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0,
            type == Int32(SOCK_SEQPACKET.rawValue)
        else { return false }
        var address = sockaddr_storage()
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
        }
    }
}

/// `touchd inspect`: executes touchd-inspect, which serves the page, so that the daemon does not contain it.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: InspectOptions.abstract, discussion: InspectOptions.discussion)

    @OptionGroup var options: InspectOptions

    func run() throws {
        try CommandFailure.reporting {
            let path = try Self.program()
            // Its arguments are those of touchd after the command's name. It keeps the process, terminal and streams.
            let arguments = CommandLine.arguments.drop { $0 != "inspect" }.dropFirst()
            var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
            execv(path, &words)
            throw SystemError(call: "execv(\(path))", errno: errno)
        }
    }

    /// The path of touchd-inspect: beside touchd in a build folder, or where `make install` puts it.
    private static func program() throws -> String {
        let name = "touchd-inspect"
        // Not argv[0], which may be a link or found in PATH.
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(filePath: program).deletingLastPathComponent()
        let places = [folder, folder.deletingLastPathComponent().appending(path: "libexec")].map {
            $0.appending(path: name).path
        }
        guard let path = places.first(where: { access($0, X_OK) == 0 }) else {
            throw UnavailableError(
                "\(name) is missing at \(places.joined(separator: " and at ")); install the package touchd-inspect, or run "
                    + "'make build' and 'make install'")
        }
        return path
    }
}

/// Writes log entries to standard error, in the journal with their priority (sd-daemon(3)).
private struct JournalLines: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let prefix = StandardError.isJournal ? "<\(event.level.syslogPriority)>" : "touchd network: "
        FileHandle.standardError.write(Data("\(prefix)\(event.message)\n".utf8))
    }
}
