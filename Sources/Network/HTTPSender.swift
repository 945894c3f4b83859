import Basics
import ControlProtocol
import EventLoop
import Foundation

/// Sends POST requests: in order for each server, and in parallel for different servers.
final class HTTPSender {
    /// The maximum number of servers with waiting requests or kept connections.
    static let serverLimit = 16

    private let context: SenderContext
    private var servers: [String: HTTPServer] = [:]

    init(_ context: SenderContext) { self.context = context }

    func append(_ delivery: Delivery) {
        let name = delivery.message.peer
        if let reason = CurlHandle.load() { return delivery.fail(reason) }
        if servers[name] == nil, servers.count >= Self.serverLimit {
            let idle = servers.values.filter(\.queue.isEmpty).min { $0.lastUse < $1.lastUse }
            guard let idle else {
                return delivery.fail("dropped, because requests to \(servers.count) other servers are waiting")
            }
            servers[idle.name] = nil
            context.forget(idle.name)
        }
        let server = servers[name] ?? HTTPServer(name, context)
        servers[name] = server
        server.append(delivery)
    }

    /// Whether a URL's host is this machine, so that nothing leaves it unencrypted. `host` would read ICU's data for each
    /// URL (`packaging/icu-data`).
    static func isThisMachine(_ host: String?) -> Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    }
}

/// A server and the requests to it.
///
/// libcurl's easy interface waits, so each attempt runs on a thread. After a temporary failure a request is retried with
/// growing delays, and the requests behind it wait.
private final class HTTPServer {
    let name: String
    private(set) var lastUse = Deadline.now

    private let context: SenderContext
    private var isSending = false
    private var handle: CurlHandle?
    private var delays: RetryDelays
    private var retryTimer: RunLoopTimer?

    init(_ name: String, _ context: SenderContext) {
        self.name = name
        self.context = context
        delays = RetryDelays(first: context.settings.firstPause)
    }

    isolated deinit { retryTimer?.invalidate() }

    private(set) var queue: MessageQueue<Delivery> {
        get { context.deliveries[name] }
        _modify { yield &context.deliveries[name] }
    }

    func append(_ delivery: Delivery) {
        queue.append(delivery, isOnce: delivery.isOnce)
        sendNext()
    }

    private func sendNext() {
        guard !isSending, retryTimer?.isArmed != true, let delivery = queue.next,
            let http = delivery.message.http
        else { return }
        do throws(Unsendable) {
            let request = HTTPRequest(
                url: http.url, headers: try headers(http), body: delivery.message.body, timeout: http.timeout,
                isOnce: delivery.isOnce, certificates: context.settings.certificates,
                begin: { delivery.beginOnThread() })
            isSending = true
            queue.sent(as: 0)
            send(request)
        } catch {
            queue.dropNext()
            delivery.fail(error.reason)
            context.didSettle()
            sendNext()
        }
    }

    private func send(_ request: HTTPRequest) {
        guard let handle = handle ?? CurlHandle() else { return endLater("out of memory") }
        self.handle = handle
        let remote = context.loop.remote
        do {
            try DetachedThread.run { [weak self] in
                let outcome = handle.send(request)
                remote.performOnMain { self?.ended(outcome) }
            }
        } catch {
            endLater("no thread can be started: \(error.reason)")
        }
    }

    private func endLater(_ reason: String) {
        context.loop.perform(in: .common) { [weak self] in self?.ended(.failed(reason, isTemporary: true)) }
    }

    private func ended(_ outcome: HTTPOutcome) {
        isSending = false
        lastUse = .now
        guard let (delivery, attempts) = queue.first else { return }
        let problem = outcome.problem
        if let problem, problem.isTemporary, attempts <= delivery.message.http?.retries ?? 0 {
            queue.retry()
            context.peer(name, .waiting, error: problem.reason)
            retryTimer = context.loop.add(
                RunLoopTimer(name: "http.retry", after: delays.next()) { [weak self] _ in self?.sendNext() })
            return
        }
        let times = attempts == 1 ? "" : ", \(attempts) times"
        queue.confirm(0)
        delays.restart()
        switch outcome {
        case .answered: context.peer(name, .connected)
        case .failed(let reason, _): context.peer(name, .connecting, error: reason)
        }
        if let problem { delivery.fail(problem.reason + times) } else { delivery.done() }
        sendNext()
        context.didSettle()
    }

    // MARK: Headers

    private struct Unsendable: Error { let reason: String }

    private func headers(_ http: HTTPMessage) throws(Unsendable) -> [String] {
        // Without this, libcurl waits a second for 100 Continue before it sends a larger body.
        let headers = http.headers + ["Expect:"]
        guard let credential = http.credential else { return headers }
        guard let url = URLComponents(string: http.url),
            url.scheme == "https" || HTTPSender.isThisMachine(url.encodedHost)
        else { throw Unsendable(reason: "credential '\(credential)' is not sent unencrypted; use https") }
        guard let token = context.credentials[credential] else {
            throw Unsendable(reason: "credential '\(credential)' is missing")
        }
        return headers + ["Authorization: Bearer \(token)"]
    }
}
