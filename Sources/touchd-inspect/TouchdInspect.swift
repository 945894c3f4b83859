import ArgumentParser
import Basics
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

    static func main() {
        StandardStreams.open()
        mainWithArguments()
    }

    func validate() throws {
        guard !options.terminal || options.recording.replay == nil else {
            throw ValidationError(
                "--terminal cannot show a recording; remove --terminal, or use 'touchd run --replay'")
        }
        if options.terminal, options.tokenFile != nil || options.listen != InspectOptions.address {
            throw ValidationError("--terminal serves no page; remove --listen and --token-file")
        }
        try options.control.require(options.recording.replay == nil, "--replay asks no touchd; remove one")
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
        if options.layout.given != nil, options.recording.replay == nil {
            throw ValidationError("--layout needs a recording; add --replay FILE")
        }
    }

    func run() throws {
        // The write error shows that a browser or a terminal has gone.
        WriteSignals.ignore()
        if options.terminal {
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
                try serve(address, token)
            }
        }
    }

    @MainActor
    private func serve(_ address: ListenAddress, _ token: AccessToken) throws {
        let session: any Session =
            if let replay = options.recording.replay {
                try RecordedSession(
                    recording: replay, description: options.recording.recorded.description,
                    device: options.recording.recorded.device, layout: options.layout.path)
            } else {
                try live()
            }
        let server = InspectorServer(session, address: address, token: token)
        let running = session as? LiveSession
        running?.onEvent = { server.send($0) }
        try EpollRunLoop.serve {
            // Starts a thread, so not before the signals are blocked.
            running?.start()
            return "\(address.invitation(port: try await server.listen(), token: token))\nCtrl-C ends.\n"
        }
        // Not removed after a failure: the socket then belongs to another process.
        server.removeSocket()
    }

    /// A session with the running touchd. Later it may restart; at the start, that it is missing is an error.
    @MainActor private func live() throws -> LiveSession {
        _ = try ControlConnection(path: options.control.socket)
        return LiveSession(path: options.control.socket)
    }
}
