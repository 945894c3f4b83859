import ArgumentParser
import CommandSupport
import ControlProtocol
import EventLoop
import Foundation
import WebServer

/// The program of touchd-web.service.
@main
struct TouchdWeb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "touchd-web", abstract: "Connect web pages with touchd.",
        discussion: """
            Serves touchd.js to browsers on this machine. A page with it publishes its buttons as views of a slot of the \
            layout, and receives their touches, gestures and presses as DOM events. touchd-web.socket starts it for the \
            first page. Pages of other servers need their origin in /etc/touchd/web.yaml.
            """,
        version: VersionText.text(components: components))

    @OptionGroup var control: ControlOptions

    @Option(
        help: ArgumentHelp("The settings: allowed origins, a folder of pages, a token.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var settings = "/etc/touchd/web.yaml"

    @Option(
        help: ArgumentHelp(
            "Listen here if systemd passes no socket: a port of 127.0.0.1, or ADDRESS:PORT of a loopback address.",
            valueName: "address"))
    // A port that IANA has not assigned.
    var listen = "127.0.0.1:8348"

    /// The first descriptor that systemd passes.
    private static let firstPassed: Int32 = 3

    func validate() throws {
        guard case .internet? = ListenAddress(listen), ListenAddress(listen)?.isLoopback == true else {
            throw ValidationError(
                "--listen must be a port or ADDRESS:PORT of a loopback address (got '\(listen)'); other machines have no "
                    + "pages on this screen")
        }
    }

    func run() throws {
        // The write error shows that a browser has gone.
        signal(SIGPIPE, SIG_IGN)
        do {
            let settings = try WebSettings(path: settings)
            // The main thread parses and runs the command line, before any other thread exists.
            try MainActor.assumeIsolated { try serve(settings) }
        } catch {
            throw CommandFailure.report(error)
        }
    }

    /// The socket that systemd passed, or the address of the command line.
    private var listener: WebServer.Listener {
        let environment = ProcessInfo.processInfo.environment
        if environment["LISTEN_PID"] == "\(getpid())", environment["LISTEN_FDS"] == "1" {
            _ = fcntl(Self.firstPassed, F_SETFD, FD_CLOEXEC)
            return .descriptor(Self.firstPassed)
        }
        guard let address = ListenAddress(listen) else {
            preconditionFailure("the address was read when the command line was")
        }
        return .address(address)
    }

    @MainActor
    private func serve(_ settings: WebSettings) throws {
        let loop = EpollRunLoop.main
        let signals = try UnixSignalSource(signals: [SIGINT, SIGTERM]) { _ in loop.stop() }
        loop.add(signals)
        defer { signals.invalidate() }
        let server = BridgeServer(at: listener, settings: settings, control: control.socket) { line in
            StandardError.write(line: line, identity: .pageRefused, program: "touchd-web")
        }
        var failure: UnavailableError?
        Task {
            do throws(WebServerError) {
                let port = try await server.listen()
                // Not printed, because print buffers: a caller with a pipe waits for this line.
                try? FileHandle.standardOutput.write(
                    contentsOf: Data("serving http://127.0.0.1:\(port)/touchd.js\n".utf8))
            } catch {
                failure = UnavailableError("cannot listen at \(listen): \(error); choose another address with --listen")
                loop.stop()
            }
        }
        loop.run()
        if let failure { throw failure }
    }
}
