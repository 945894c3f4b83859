import ControlProtocol
import Foundation
import Synchronization
import WebServer

/// Serves `touchd.js` and connects pages with touchd.
@MainActor
final class BridgeServer {
    private let server: WebServer

    /// Creates a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - control: The path of touchd's control socket.
    ///   - log: Receives a line for each refused page, on any thread.
    init(
        at listener: WebServer.Listener, settings: WebSettings, control: String,
        log: @escaping @Sendable (String) -> Void
    ) {
        let pages = EventStreamPages()
        let site = settings.pages.map(SiteFiles.init)
        let refusals = RefusalLog(write: log)
        server = WebServer(
            at: listener, access: .origins(settings.origins, token: settings.token), limits: Self.limits,
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

    /// Listens and answers until the process ends.
    ///
    /// - Returns: The port.
    func listen() async throws(WebServerError) -> UInt16 { try await server.listen() }

    /// The limits: a control socket has room for 64 clients, which pages must not use up.
    private static var limits: WebLimits {
        var limits = WebLimits()
        limits.authenticatedConnections = 16
        limits.body = 1024 * 1024
        return limits
    }

    private static func file(at path: String) -> WebResponse? {
        switch path {
        case "/touchd.js":
            WebResponse("text/javascript; charset=utf-8", .bytes(PackageResources.touchd_js), for: .anyPage)
        case "/touchd.d.ts":
            WebResponse("text/plain; charset=utf-8", .bytes(PackageResources.touchd_d_ts), for: .anyPage)
        default: nil
        }
    }
}

/// The pages whose stream is server-sent events; their requests arrive separately.
private final class EventStreamPages: Sendable {
    private let bridges = Mutex<[String: PageBridge]>([:])

    /// Tells the page the number under which its requests are sent: random, because it identifies the page.
    func add(_ bridge: PageBridge) {
        let number = AccessToken().text
        bridges.withLock { $0[number] = bridge }
        bridge.whenClosed { [weak self] in self?.bridges.withLock { $0[number] = nil } }
        bridge.send(
            event: JSONWriter.object {
                $0.member("event", "session")
                $0.member("session", number)
            })
    }

    /// Sends a request of a page; its answer follows in the stream.
    func answer(_ request: WebRequest) -> WebResponse {
        guard request.method == "POST",
            var members = (try? JSONTree(request.body, depth: PageRequest.depth))?.members,
            let number = members.removeValue(forKey: "session")?.name, let name = members["request"]?.name
        else {
            return WebResponse(
                status: 400,
                reason: "POST one JSON object with the 'session' from the stream's first event, and a 'request'")
        }
        guard let bridge = bridges.withLock({ $0[number] }) else {
            return WebResponse(status: 404, reason: "no stream has this session; open \(WebAccess.streamPath) again")
        }
        do throws(PageRequest.Refusal) {
            let line = try PageRequest(members, name, origin: bridge.origin), size = request.body.count
            bridge.eventLoop.execute { bridge.send(line, size: size) }
            return WebResponse("application/json", .bytes(Array("{}".utf8)))
        } catch {
            return WebResponse(status: 400, reason: error.message)
        }
    }
}

/// The files of the folder `pages:`, for kiosks whose page needs no other server.
struct SiteFiles: Sendable {
    /// The maximum size of a file in bytes: it is sent from memory.
    static let longest = 16 * 1024 * 1024

    /// The folder.
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
        return WebResponse(type, .bytes(bytes), for: .otherAuthor)
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
