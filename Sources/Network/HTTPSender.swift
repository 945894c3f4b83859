import ControlProtocol
import DequeModule
import EventLoop
import Foundation

/// Sends POST requests: in order for each server, and in parallel for different servers.
///
/// libcurl's easy interface waits, so each attempt runs on a thread. After a temporary failure a request is retried with
/// growing delays, and the requests behind it wait.
final class HTTPSender {
    /// The maximum number of servers with waiting requests or kept connections.
    static let serverLimit = 16

    private final class Server {
        var requests: Deque<Delivery> = []
        /// The attempts for the first request.
        var attempts = 0
        var isSending = false
        var handle: CurlHandle?
        var delays: RetryDelays
        var timer: RunLoopTimer?
        var lastUse = Deadline.now

        init(firstPause: Duration) { delays = RetryDelays(first: firstPause) }

        isolated deinit { timer?.invalidate() }
    }

    private let context: NetworkContext
    private var servers: [String: Server] = [:]

    init(_ context: NetworkContext) { self.context = context }

    /// Whether no request waits or is being sent.
    var isEmpty: Bool { servers.values.allSatisfy(\.requests.isEmpty) }
    /// The requests without an outcome.
    var messages: [Delivery] { servers.values.flatMap(\.requests) }

    /// Queues a request for its server.
    func append(_ delivery: Delivery) {
        let name = delivery.message.peer
        if let reason = CurlHandle.load() { return delivery.fail(reason) }
        if servers[name] == nil, servers.count >= Self.serverLimit {
            guard
                let idle = servers.filter({ $0.value.requests.isEmpty }).min(by: { $0.value.lastUse < $1.value.lastUse }
                )
            else { return delivery.fail("dropped, because requests to \(servers.count) other servers are waiting") }
            servers[idle.key] = nil
            context.forget(idle.key)
        }
        let server = servers[name] ?? Server(firstPause: context.settings.firstPause)
        servers[name] = server
        server.requests.append(delivery)
        sendNext(to: name, server)
    }

    private func sendNext(to name: String, _ server: Server) {
        guard !server.isSending, server.timer == nil, let delivery = server.requests.first,
            let http = delivery.message.http
        else { return }
        var request = HTTPRequest()
        do throws(Unsendable) {
            request.headers = try headers(http)
        } catch {
            server.requests.removeFirst()
            delivery.fail(error.reason)
            context.didSettle()
            return sendNext(to: name, server)
        }
        request.url = http.url
        request.body = delivery.message.body
        request.timeout = http.timeout
        request.isOnce = http.retries <= 0
        request.certificates = context.settings.certificates
        let (channel, number) = (delivery.session.channel, delivery.message.number)
        request.begin = { channel.begin(number) }
        server.isSending = true
        server.attempts += 1
        send(request, to: name, server)
    }

    private func send(_ request: HTTPRequest, to name: String, _ server: Server) {
        guard let handle = server.handle ?? CurlHandle() else {
            return endLater(.failed("out of memory", isTemporary: true), name, server)
        }
        server.handle = handle
        let remote = context.loop.remote
        let finish: @Sendable (HTTPOutcome) -> Void = { [weak self, weak server] outcome in
            remote.perform(in: .common) {
                MainActor.assumeIsolated { if let self, let server { self.ended(outcome, name, server) } }
            }
        }
        do {
            try DetachedThread.run { finish(handle.send(request)) }
        } catch {
            endLater(.failed("no thread can be started: \(error.reason)", isTemporary: true), name, server)
        }
    }

    private func endLater(_ outcome: HTTPOutcome, _ name: String, _ server: Server) {
        context.loop.perform(in: .common) { [weak self] in self?.ended(outcome, name, server) }
    }

    private func ended(_ outcome: HTTPOutcome, _ name: String, _ server: Server) {
        server.isSending = false
        server.lastUse = .now
        guard let delivery = server.requests.first else { return }
        let problem = outcome.problem
        if let problem, problem.isTemporary, server.attempts <= delivery.message.http?.retries ?? 0 {
            context.peer(name, .waiting, error: problem.reason)
            let timer = RunLoopTimer(name: "http.retry", after: server.delays.next()) { [weak self, weak server] _ in
                guard let self, let server else { return }
                server.timer = nil
                sendNext(to: name, server)
            }
            server.timer = timer
            return context.loop.add(timer)
        }
        let times = server.attempts == 1 ? "" : ", \(server.attempts) times"
        server.requests.removeFirst()
        server.attempts = 0
        server.delays.restart()
        if case .answered = outcome { context.peer(name, .connected) }
        if case .failed(let reason, _) = outcome { context.peer(name, .connecting, error: reason) }
        if let problem { delivery.fail(problem.reason + times) } else { delivery.session.done(delivery.message) }
        sendNext(to: name, server)
        context.didSettle()
    }

    // MARK: Headers

    private struct Unsendable: Error { let reason: String }

    private func headers(_ http: HTTPMessage) throws(Unsendable) -> [String] {
        // Without this, libcurl waits a second for 100 Continue before it sends a larger body.
        let headers = http.headers + ["Expect:"]
        guard let credential = http.credential else { return headers }
        guard let url = URLComponents(string: http.url), url.scheme == "https" || Self.isThisMachine(url.encodedHost)
        else { throw Unsendable(reason: "credential '\(credential)' is not sent unencrypted; use https") }
        guard let token = context.credentials[credential] else {
            throw Unsendable(reason: "credential '\(credential)' is missing")
        }
        return headers + ["Authorization: Bearer \(token)"]
    }

    /// Whether a URL's host is this machine, so that nothing leaves it unencrypted. `host` would read ICU's data for each
    /// URL (`packaging/icu-data`).
    static func isThisMachine(_ host: String?) -> Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    }
}
