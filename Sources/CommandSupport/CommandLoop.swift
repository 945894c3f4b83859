import EventLoop
import Foundation

extension EpollRunLoop {
    /// The main thread's loop, which the first SIGINT or SIGTERM stops; the next one ends the process. Call it before other
    /// threads exist.
    @MainActor package static func mainUntilInterrupted() throws -> EpollRunLoop {
        interruptions = try UnixSignalSource(signals: [SIGINT, SIGTERM]) { _ in
            main.stop()
            interruptions?.invalidate()
        }
        if let interruptions { try main.add(interruptions) }
        return main
    }

    /// The loop does not keep it, and without it the signals end the process.
    @MainActor private static var interruptions: UnixSignalSource?

    /// Runs the main thread's loop while a server listens, until SIGINT or SIGTERM.
    ///
    /// - Parameter listen: Begins to listen and returns the text to print.
    /// - Throws: The error of `listen`.
    @MainActor package static func serve(_ listen: @escaping @MainActor () async throws -> String) throws {
        let loop = try mainUntilInterrupted()
        var failure: (any Error)?
        Task {
            do {
                // Not printed, because print buffers: a caller with a pipe waits for this text.
                let text = Data(try await listen().utf8)
                try? FileHandle.standardOutput.write(contentsOf: text)
            } catch {
                failure = error
                loop.stop()
            }
        }
        loop.run()
        if let failure { throw failure }
    }
}

/// The sockets that systemd passes to a service (sd_listen_fds(3)).
package enum PassedSocket {
    /// The first descriptor that systemd passes.
    package static let descriptor: Int32 = 3

    /// The listening socket, which programs that this process starts do not get; nil if systemd passed none.
    package static func take() -> Int32? {
        let sockets = takeAll()
        return sockets.count == 1 ? sockets.first : nil
    }

    /// All sockets, in the order of the unit's settings.
    package static func takeAll() -> [Int32] {
        let environment = ProcessInfo.processInfo.environment
        guard environment["LISTEN_PID"] == "\(getpid())", let count = Int32(environment["LISTEN_FDS"] ?? ""), count > 0
        else { return [] }
        let sockets = Array(descriptor..<descriptor + count)
        for socket in sockets { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
        return sockets
    }
}
