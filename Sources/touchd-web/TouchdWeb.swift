import Basics
import CPages
import ControlProtocol
import EventLoop
import Glibc
import WebServer

/// The program of touchd-web.service.
@main
struct TouchdWeb {
    static func main() {
        StandardStreams.open()
        // The write error shows that a browser has gone.
        WriteSignals.ignore()
        do {
            // Swift finds the arguments by /proc/self/maps.
            guard !CommandLine.arguments.isEmpty else {
                throw WebFailure(
                    "cannot read the command line: /proc is not mounted; run: mount -t proc proc /proc",
                    status: EX_OSERR)
            }
            let arguments = CommandLine.arguments.dropFirst()
            if arguments.contains("--help") || arguments.contains("-h") { return print(WebOptions.help) }
            let options = try WebOptions(arguments)
            if options.showsVersion {
                return print(StatusReport.currentVersion + (arguments.contains("--verbose") ? "\n\(components)" : ""))
            }
            let settings = try WebSettings(path: options.settings)
            // The main thread runs the command line, before any other thread exists.
            try MainActor.assumeIsolated { try serve(settings, options) }
        } catch {
            StandardError.write(line: "\(error)")
            exit((error as? any CommandError)?.status ?? EX_OSERR)
        }
    }

    @MainActor
    private static func serve(_ settings: WebSettings, _ options: WebOptions) throws {
        var passed = PassedSocket.takeAll()
        let count = passed.partition { isNetlink($0) }, listening = passed.prefix(count).first
        var users: PeerUsers?
        if let names = settings.users {
            // With a socket of systemd the process may be in another network than the browsers.
            guard let kernel = passed.dropFirst(count).first ?? (listening == nil ? PeerUsers.openSocket() : nil) else {
                throw WebFailure(
                    "'users' needs a socket of the kernel's that systemd passes; add 'ListenNetlink=inet-diag 0' to the unit "
                        + "touchd-web.socket, and after an empty ListenStream= again")
            }
            users = PeerUsers(names, asking: kernel)
        }
        let listener = listening.map { WebServer.Listener.descriptor($0) } ?? .address(options.address)
        let server = WebServer(bridgeAt: listener, settings: settings, users: users, control: options.socket) { line in
            StandardError.write(line: line, identity: .pageRefused, program: "touchd-web")
        }
        try EpollRunLoop.serve {
            do throws(WebServerError) {
                return "serving http://127.0.0.1:\(try await server.listen())/touchd.js\n"
            } catch {
                throw WebFailure("cannot listen at \(options.listen): \(error); choose another address with --listen")
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
