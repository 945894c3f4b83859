import ArgumentParser
import CommandSupport
import ControlProtocol
import EventLoop
import Foundation
import Inspector
import WebServer

/// The program that `touchd inspect` executes.
@main
struct TouchdInspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        // The command that users type.
        commandName: "touchd inspect", abstract: InspectOptions.abstract, discussion: InspectOptions.discussion,
        version: VersionText.text(components: components))

    @OptionGroup var options: InspectOptions

    func validate() throws {
        guard !options.terminal || options.replay == nil else {
            throw ValidationError(
                "--terminal cannot show a recording; remove --terminal, or use 'touchd run --replay'")
        }
        guard let address = ListenAddress(options.listen) else {
            throw ValidationError(
                "--listen must be a port, ADDRESS:PORT with a numeric address, "
                    + "or unix:/PATH (got '\(options.listen)')")
        }
        guard address.isLoopback || options.tokenFile != nil else {
            throw ValidationError(
                "--listen \(address.authority) is open to other machines over unencrypted HTTP; add --token-file FILE, "
                    + "or listen at 127.0.0.1 and use 'ssh -L'")
        }
        guard options.replay != nil || options.description == nil else {
            throw ValidationError("--description needs a recording; add --replay FILE")
        }
    }

    func run() throws {
        // The write error shows that a browser has gone.
        signal(SIGPIPE, SIG_IGN)
        if options.terminal {
            return try options.control.run { connection in
                var inspection = TerminalInspection(of: options.control.socket)
                try inspection.run(connection)
            }
        }
        do {
            let token = try options.tokenFile.map { try AccessToken(file: $0) } ?? AccessToken()
            // The main thread parses and runs the command line, before any other thread exists.
            try MainActor.assumeIsolated {
                guard let address = ListenAddress(options.listen) else {
                    preconditionFailure("the address was read when the command line was")
                }
                try serve(makeServer(address, token), address, token)
            }
        } catch {
            throw CommandFailure.report(error)
        }
    }

    @MainActor
    private func makeServer(_ address: ListenAddress, _ token: AccessToken) throws -> InspectorServer {
        if let replay = options.replay {
            let session = try RecordedSession(
                recording: replay, description: options.description, layout: options.layout)
            return InspectorServer(session, address: address, token: token)
        }
        let session = LiveSession(path: options.control.socket)
        session.start()
        return InspectorServer(session, address: address, token: token)
    }

    @MainActor
    private func serve(_ server: InspectorServer, _ address: ListenAddress, _ token: AccessToken) throws {
        let loop = EpollRunLoop.main
        let signals = try UnixSignalSource(signals: [SIGINT, SIGTERM]) { _ in loop.stop() }
        loop.add(signals)
        defer { signals.invalidate() }
        var failure: InspectorServerError?
        Task {
            do throws(InspectorServerError) {
                let port = try await server.listen()
                let text = "\(address.invitation(port: port, token: token))\nCtrl-C ends.\n"
                // Not printed, because print buffers: a user with a pipe waits for the link.
                try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
            } catch {
                failure = error
                loop.stop()
            }
        }
        loop.run()
        // Not removed after a failure: the socket then belongs to another process.
        if let failure { throw failure }
        server.removeSocket()
    }
}

/// `touchd inspect --terminal`: draws the current touches over the previous drawing.
struct TerminalInspection {
    private var view: TerminalView

    /// Creates an inspection of the touchd that listens at a path.
    init(of path: String) { view = TerminalView(source: path) }

    /// Draws every event until the connection ends.
    mutating func run(_ connection: ControlConnection) throws {
        try connection.send(.subscribe(to: .inspection, moves: true))
        draw()
        while true {
            if view.update(try connection.nextEvent()) { draw() }
        }
    }

    private func draw() {
        var size = winsize()
        let isTerminal = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let lines = view.lines(
            columns: isTerminal ? Int(size.ws_col) : 200, rows: isTerminal ? Int(size.ws_row) - 1 : 100)
        // ECMA-48: cursor home, then each line with the rest erased, and finally the area below erased.
        let text =
            isTerminal
            ? "\u{1B}[H" + lines.map { "\($0)\u{1B}[K\n" }.joined() + "\u{1B}[J" : lines.joined(separator: "\n") + "\n"
        // Not printed, because print buffers.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
