import Glibc

extension EpollRunLoop {
    /// The main thread's loop, which the first SIGINT or SIGTERM stops; the next one ends the process. Call it before other
    /// threads exist.
    @MainActor package static func mainUntilInterrupted() throws -> EpollRunLoop {
        interruptions = try UnixSignalSource(signals: [SIGINT, SIGTERM]) { _ in
            main.stop()
            interruptions?.invalidate()
            isInterrupted = true
        }
        if let interruptions { try main.add(interruptions) }
        return main
    }

    /// Whether a signal has stopped the loop.
    @MainActor package private(set) static var isInterrupted = false

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
                var text = try await listen()
                _ = text.withUTF8 { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            } catch {
                failure = error
                loop.stop()
            }
        }
        loop.run()
        if let failure { throw failure }
    }
}
