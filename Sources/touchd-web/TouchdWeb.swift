import ArgumentParser
import Basics
import CommandSupport
import ControlProtocol
import EventLoop
import Foundation
import Synchronization
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
        let listener = PassedSocket.take().map { WebServer.Listener.descriptor($0) } ?? .address(address)
        let server = WebServer(bridgeAt: listener, settings: settings, control: control.socket) { line in
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
}

extension WebServer {
    /// Creates a server of `touchd.js` that connects pages with touchd. It does not listen yet.
    ///
    /// - Parameters:
    ///   - control: The path of touchd's control socket.
    ///   - log: Receives a line for each refused page, on any thread.
    convenience init(
        bridgeAt listener: WebServer.Listener, settings: WebSettings, control: String,
        log: @escaping @Sendable (String) -> Void
    ) {
        let pages = EventStreamPages()
        let site = settings.pages.map(SiteFiles.init)
        let refusals = RefusalLog(write: log)
        self.init(
            at: listener, access: .origins(settings.origins, token: settings.token), limits: PageBridge.limits,
            open: { stream in
                PageBridge.open(stream, path: control) { bridge in
                    // A WebSocket needs no number: it carries the requests too.
                    if !stream.receivesTexts { pages.add(bridge) }
                }
            },
            report: { refusals.add(origin: $0, path: $1, reason: $2) },
            answer: { request in
                if request.path == WebAccess.requestPath { return pages.answer(request) }
                if request.method == "GET", let file = Self.file(at: request.path) { return file }
                if request.method == "GET", let file = site?.response(at: request.path) { return file }
                return WebResponse(status: 404, reason: "no file at \(request.path)")
            })
    }

    private static func file(at path: String) -> WebResponse? {
        switch path {
        case "/touchd.js":
            WebResponse("text/javascript; charset=utf-8", PackageResources.touchd_js, for: .anyPage)
        case "/touchd.d.ts":
            WebResponse("text/plain; charset=utf-8", PackageResources.touchd_d_ts, for: .anyPage)
        default: nil
        }
    }
}

/// The files of the folder `pages:`, for kiosks whose page needs no other server.
struct SiteFiles: Sendable {
    /// The maximum size of a file in bytes: it is sent from memory.
    static let longest = 16 * 1024 * 1024

    let folder: String

    /// The file at a request's path; nil if it does not exist. A path that ends with `/` means its `index.html`.
    ///
    /// Names that begin with a dot do not exist, so a path cannot leave the folder.
    func response(at path: String) -> WebResponse? {
        guard let decoded = path.removingPercentEncoding, decoded.hasPrefix("/"), !decoded.utf8.contains(0) else {
            return nil
        }
        let names = decoded.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.hasPrefix(".") }) else { return nil }
        let isFolder = names.last?.isEmpty == true
        let file = folder + decoded + (isFolder ? "index.html" : "")
        guard let bytes = Self.bytes(of: file) else { return nil }
        let type = Self.types[(file as NSString).pathExtension.lowercased()] ?? "application/octet-stream"
        return WebResponse(type, bytes, for: .otherAuthor)
    }

    /// The content of a regular file within the limit.
    private static func bytes(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= longest,
            let data = try? file.read(upToCount: longest) ?? Data()
        else { return nil }
        return Array(data)
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "json": "application/json", "svg": "image/svg+xml",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif",
        "ico": "image/x-icon", "avif": "image/avif", "woff2": "font/woff2", "woff": "font/woff", "ttf": "font/ttf",
        "mp4": "video/mp4", "webm": "video/webm", "mp3": "audio/mpeg", "wasm": "application/wasm",
        "txt": "text/plain; charset=utf-8",
    ]
}

/// Writes refused requests to the journal, from any thread.
final class RefusalLog: Sendable {
    private let limit = Mutex(RefusalLimit())
    private let write: @Sendable (String) -> Void

    /// - Parameter write: Receives a line for each entry.
    init(write: @escaping @Sendable (String) -> Void) { self.write = write }

    /// Logs a refusal, or counts it.
    func add(origin: String, path: String, reason: String) {
        guard let others = limit.withLock({ $0.ending() }) else { return }
        write(
            "refused a page of the origin '\(Self.shown(origin))' at \(Self.shown(path)): \(reason)\(others)")
    }

    /// A text of a stranger: short, and without characters that a terminal would execute.
    private static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.prefix(100).map { (33...126).contains($0.value) ? $0 : "?" }))
    }
}
