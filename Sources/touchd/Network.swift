import ArgumentParser
import Basics
import CLinux
import CommandSupport
import EventLoop
import Foundation
import Logging
import Network
import Service

struct Network: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network",
        abstract: "Send requests and MQTT messages for touchd; only touchd-network.service and touchd run this.",
        discussion: """
            It receives the listening socket from touchd-network.socket (sd_listen_fds(3)), or from 'touchd run' in a \
            terminal one connection, and sends there what handlers send to servers and brokers. So touchd never waits for a \
            network, and needs no access to it.
            """, shouldDisplay: false)

    func run() throws {
        let socket = PassedSocket.descriptor, isListening = PassedSocket.take() != nil
        guard isListening || Self.isConnected(socket) else {
            throw ValidationError("systemd passed no socket; run: systemctl start touchd-network.socket")
        }
        // Its memory has passwords and tokens.
        _ = set_dumpable(0)
        MallocArenas.limitToOne()
        // A broker can announce a packet of 256 MiB, for which libmosquitto allocates at once. The queue, 16 servers and
        // their threads need less than half of this (MemoryMax= of the unit is for what is used).
        _ = limit_memory(64 << 20, 512 << 10)
        WriteSignals.ignore()
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        // The main thread parses and runs the command line, before any other thread exists.
        try MainActor.assumeIsolated {
            let loop = EpollRunLoop.main
            let logger = Logger(label: "touchd-network") { _ in JournalLines() }
            let server = NetworkServer(descriptor: socket, isListening: isListening, loop: loop, logger: logger)
            server.didEnd = { loop.stop() }
            let signals = try UnixSignalSource(signals: [SIGTERM, SIGINT]) { _ in server.terminate() }
            try loop.add(signals)
            ServiceManager.feedWatchdog(from: loop)
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
        StandardError.write(text: "\(prefix)\(event.message)\n")
    }
}
