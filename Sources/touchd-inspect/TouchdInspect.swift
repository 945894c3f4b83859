import ArgumentParser
import CommandSupport
import ControlProtocol
import EventLoop
import Foundation
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
        if options.terminal {
            signal(SIGPIPE, SIG_IGN)
            return try options.control.run { connection in
                var inspection = TerminalInspection(of: options.control.socket)
                try inspection.run(connection)
            }
        }
        try CommandFailure.reporting {
            let token = try options.tokenFile.map { try AccessToken(file: $0) } ?? AccessToken()
            // The main thread parses and runs the command line, before any other thread exists.
            try MainActor.assumeIsolated {
                guard let address = ListenAddress(options.listen) else {
                    preconditionFailure("the address was read when the command line was")
                }
                try serve(makeServer(address, token), address, token)
            }
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
        let server = InspectorServer(session, address: address, token: token)
        session.onEvent = { server.send($0) }
        session.start()
        return server
    }

    @MainActor
    private func serve(_ server: InspectorServer, _ address: ListenAddress, _ token: AccessToken) throws {
        try EpollRunLoop.serve {
            "\(address.invitation(port: try await server.listen(), token: token))\nCtrl-C ends.\n"
        }
        // Not removed after a failure: the socket then belongs to another process.
        server.removeSocket()
    }
}
