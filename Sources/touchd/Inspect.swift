import ArgumentParser
import EventLoop
import Foundation
import Inspector
import Service

/// `touchd inspect`.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show in a browser what the screen feels.",
        discussion: """
            Serves one page: touches as they move, the view that each is on and why, gestures, handlers, devices. It \
            looks at the running touchd, or with --replay at a recording, whose time can be dragged back and forth. Only \
            this machine can reach it, and only with the link that is printed; from another one 'ssh -L \
            8347:127.0.0.1:8347 KIOSK' does, and the same link.
            """)

    @OptionGroup var control: ControlOptions

    @Option(
        help: ArgumentHelp("Look at a recording instead of the running touchd.", valueName: "file"), completion: .file()
    )
    var replay: String?

    @Option(
        help: ArgumentHelp("The recording's device description, where it is a file of its own.", valueName: "file"),
        completion: .file())
    var description: String?

    @Option(
        name: [.customShort("l"), .long],
        help: ArgumentHelp("The layout that the recording is delivered to.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var layout = Run.installedLayout

    @Option(
        help: ArgumentHelp(
            "Listen here: a port of 127.0.0.1, ADDRESS:PORT, or unix:PATH; 127.0.0.1:8347 without this.",
            valueName: "address"))
    var listen: ListenAddress = .usual

    @Option(
        help: ArgumentHelp(
            "Take the token of the link from here; without it, a new one each time. An address that other machines reach "
                + "needs it.", valueName: "file"), completion: .file())
    var tokenFile: String?

    @Flag(help: "Show the essentials of the running touchd in this terminal, and serve no page.")
    var terminal = false

    func validate() throws {
        guard !terminal || replay == nil else {
            throw ValidationError(
                "--terminal shows the running touchd; a recording has a page, or 'touchd run --replay'")
        }
        guard listen.isLoopback || tokenFile != nil else {
            throw ValidationError(
                "--listen \(listen.authority) lets other machines in, over plain HTTP; say with --token-file which token they "
                    + "need, or listen at 127.0.0.1 and use 'ssh -L'")
        }
        guard replay != nil || description == nil else {
            throw ValidationError("--description says what a recording's device is; add --replay FILE")
        }
    }

    func run() throws {
        // A browser that goes away is noticed by the write.
        signal(SIGPIPE, SIG_IGN)
        if terminal {
            return try control.run {
                connection in
                var inspection = TerminalInspection(of: control.socket)
                try inspection.run(connection)
            }
        }
        do {
            let token = try tokenFile.map { try AccessToken(file: $0) } ?? AccessToken()
            // The command line is parsed and run on the main thread, before any other exists.
            try MainActor.assumeIsolated { try serve(makeServer(token), token) }
        } catch {
            throw Failure.report(error)
        }
    }

    @MainActor
    private func makeServer(_ token: AccessToken) throws -> InspectorServer {
        if let replay {
            let session = try RecordedSession(recording: replay, description: description, layout: layout)
            return try InspectorServer(session, address: listen, token: token)
        }
        let session = LiveSession(path: control.socket)
        session.start()
        return try InspectorServer(session, address: listen, token: token)
    }

    @MainActor
    private func serve(_ server: InspectorServer, _ token: AccessToken) throws {
        let loop = EpollRunLoop.main
        let signals = try UnixSignalSource(signals: [SIGINT, SIGTERM]) { _ in loop.stop() }
        loop.add(signals)
        defer { signals.invalidate() }
        var failure: (any Error)?
        let serving = Task {
            do {
                try await server.run()
            } catch {
                failure = error
                loop.stop()
            }
        }
        Task {
            guard let port = try? await server.port() else { return }
            let text = "\(listen.invitation(port: port, token: token))\nCtrl-C ends.\n"
            // Not printed: whoever started it in a pipe waits for the link.
            try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        }
        loop.run()
        serving.cancel()
        server.removeSocket()
        if let failure { throw ListeningFailure(address: listen, reason: failure) }
    }
}

/// Why the page cannot be served.
private struct ListeningFailure: Error, CustomStringConvertible {
    let address: ListenAddress
    let reason: any Error

    var description: String {
        "cannot listen at \(address.text): \(reason.localizedDescription); choose another address with --listen"
    }
}

extension ListenAddress: ExpressibleByArgument {
    /// Reads an argument of the command line.
    public init?(argument: String) { self.init(argument) }
    /// How the help shows the default.
    public var defaultValueDescription: String { text }
}
