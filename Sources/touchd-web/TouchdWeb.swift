import ArgumentParser
import Basics
import CPages
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

    @Option(help: .file("The settings: allowed origins, a folder of pages, a token."), completion: .layout)
    var settings = "/etc/touchd/web.yaml"

    @Option(
        help: ArgumentHelp(
            "Listen here if systemd passes no socket: a port of 127.0.0.1, or ADDRESS:PORT of a loopback address.",
            valueName: "address"))
    // A port that IANA has not assigned.
    var listen = "127.0.0.1:8348"

    static func main() {
        StandardStreams.open()
        mainWithArguments()
    }

    func validate() throws {
        guard case .internet? = ListenAddress(listen), ListenAddress(listen)?.isLoopback == true else {
            throw ValidationError(
                "--listen must be a port or ADDRESS:PORT of a loopback address (got '\(listen)'); other machines have no "
                    + "pages on this screen")
        }
    }

    func run() throws {
        // The write error shows that a browser has gone.
        WriteSignals.ignore()
        try CommandFailure.reporting {
            let settings = try WebSettings(path: settings)
            // The main thread parses and runs the command line, before any other thread exists.
            try MainActor.assumeIsolated { try serve(settings) }
        }
    }

    @MainActor
    private func serve(_ settings: WebSettings) throws {
        guard let address = ListenAddress(listen) else {
            preconditionFailure("the address was read when the command line was")
        }
        var passed = PassedSocket.takeAll()
        let count = passed.partition { Self.isNetlink($0) }, listening = passed.prefix(count).first
        var users: PeerUsers?
        if let names = settings.users {
            // With a socket of systemd the process may be in another network than the browsers.
            guard let kernel = passed.dropFirst(count).first ?? (listening == nil ? PeerUsers.openSocket() : nil) else {
                throw UnavailableError(
                    "'users' needs a socket of the kernel's that systemd passes; add 'ListenNetlink=inet-diag 0' to the unit "
                        + "touchd-web.socket, and after an empty ListenStream= again")
            }
            users = PeerUsers(names, asking: kernel)
        }
        let listener = listening.map { WebServer.Listener.descriptor($0) } ?? .address(address)
        let server = WebServer(bridgeAt: listener, settings: settings, users: users, control: control.socket) { line in
            StandardError.write(line: line, identity: .pageRefused, program: "touchd-web")
        }
        try EpollRunLoop.serve {
            do throws(WebServerError) {
                return "serving http://127.0.0.1:\(try await server.listen())/touchd.js\n"
            } catch {
                throw UnavailableError("cannot listen at \(listen): \(error); choose another address with --listen")
            }
        }
    }

    private static func isNetlink(_ descriptor: Int32) -> Bool {
        var family: Int32 = 0, size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0 && family == AF_NETLINK
    }
}

extension WebServer {
    /// Creates a server of `touchd.js` that connects pages with touchd. It does not listen yet.
    ///
    /// - Parameters:
    ///   - users: The users who may connect; nil for all.
    ///   - control: The path of touchd's control socket.
    ///   - log: Receives a line for each refused page, on any thread.
    convenience init(
        bridgeAt listener: WebServer.Listener, settings: WebSettings, users: PeerUsers?, control: String,
        log: @escaping @Sendable (String) -> Void
    ) {
        let site = settings.pages.map(SiteFiles.init)
        let refusals = RefusalLog(write: log)
        self.init(
            at: listener, access: .origins(settings.origins, token: settings.token), users: users,
            limits: PageBridge.limits,
            open: { PageBridge.open($0, path: control) },
            report: { refusals.add(origin: $0, path: $1, reason: $2) },
            answer: { request in
                if request.method == "GET", let file = Self.file(at: request.path) { return file }
                if request.method == "GET", let file = site?.response(at: request.path) { return file }
                return WebResponse(status: 404, reason: "no file at \(request.path)")
            })
    }

    private static func file(at path: String) -> WebResponse? {
        var size = 0
        guard let start = touchd_script_file(path, &size) else { return nil }
        let type = path.hasSuffix(".js") ? "text/javascript" : "text/plain"
        let bytes = Array(UnsafeBufferPointer(start: start, count: size))
        return WebResponse("\(type); charset=utf-8", bytes, for: .anyPage)
    }
}
