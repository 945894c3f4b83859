import EventLoop
import Foundation
import Layout

/// Sends POST requests: in order for each host, and in parallel for different hosts.
///
/// After a temporary failure a request is retried with growing delays, and the requests behind it wait. A request for
/// which its host's queue has no room is reported as not sent.
final class HTTPSender {
    /// The maximum number of hosts with waiting requests; a URL can contain facts.
    static let hostLimit = 16
    /// The maximum size of a body in bytes.
    static let bodyLimit = 64 * 1024

    private struct Entry {
        let handler: HandlerOrigin
        let request: HTTPRequest
        let retries: Int
        var tries = 0
    }

    private final class Host {
        let queue: RetryQueue<Entry>
        var isSending = false

        init(_ queue: RetryQueue<Entry>) { self.queue = queue }
    }

    private let network: NetworkContext
    private var curl: CurlMulti?
    private var hosts: [String: Host] = [:]

    init(_ network: NetworkContext) { self.network = network }

    /// The number of requests that wait or are being sent.
    var count: Int { hosts.values.reduce(0) { $0 + $1.queue.entries.count } }

    /// Prepares to send and returns why that is not possible; nil on success.
    func prepare() -> String? {
        if curl != nil { return nil }
        if let reason = CurlMulti.load() { return reason }
        curl = CurlMulti(loop: network.loop)
        return curl == nil ? "out of memory" : nil
    }

    /// Queues a request for its host.
    func send(_ spec: HTTPSpec, _ facts: OccasionFacts) throws(HandlerFailure) {
        let url = facts.url(spec.url)
        // `host` would read ICU's data for each URL (`packaging/icu-data`).
        guard let parts = URLComponents(string: url), let name = parts.encodedHost, let scheme = parts.scheme else {
            // Neither the user information before the host nor the path after it is reported: both may contain secrets.
            throw .requestNotSent(to: "a URL of handler '\(facts.handler)'", reason: "it has no valid host")
        }
        let key = "\(scheme)://\(name):\(parts.port ?? (scheme == "https" ? 443 : 80))"
        if let reason = prepare() { throw .requestNotSent(to: key, reason: reason) }
        let body = Array((spec.body.map(facts.fill) ?? facts.json).utf8)
        guard body.count <= Self.bodyLimit else {
            throw .requestNotSent(
                to: key, reason: "the body must be at most \(Self.bodyLimit) bytes long (got \(body.count))")
        }
        let headers = try headers(spec, facts, isSafe: scheme == "https" || Self.isThisMachine(name), key)
        guard hosts[key] != nil || hosts.count < Self.hostLimit else {
            throw .requestNotSent(
                to: key, reason: "dropped, because requests to \(hosts.count) other hosts are waiting")
        }
        let host = hosts[key] ?? Host(RetryQueue(name: "http.retry", network))
        guard !host.queue.isFull else {
            throw .requestNotSent(to: key, reason: "\(host.queue.entries.count) requests are waiting already")
        }
        hosts[key] = host
        let request = HTTPRequest(
            url: url, headers: headers, body: body, timeout: spec.timeout, certificates: network.certificates)
        host.queue.entries.append(Entry(handler: facts.origin, request: request, retries: spec.retries))
        sendNext(to: key)
    }

    /// Drops all waiting requests and returns their number.
    func close() -> Int {
        let count = count
        hosts = [:]
        curl?.close()
        curl = nil
        return count
    }

    private func headers(
        _ spec: HTTPSpec, _ facts: OccasionFacts, isSafe: Bool, _ key: String
    ) throws(HandlerFailure) -> [String] {
        // A body with a template from the layout is plain text; facts are JSON.
        var headers = ["Content-Type: \(spec.body == nil ? "application/json" : "text/plain; charset=utf-8")"]
        for (name, value) in spec.headers.sorted(by: { $0.key < $1.key }) {
            if name.lowercased() == "content-type" { headers.removeFirst() }
            headers.append("\(name): \(facts.line(value))")
        }
        // Without this, libcurl waits a second for 100 Continue before it sends a larger body.
        headers.append("Expect:")
        guard let credential = spec.credential else { return headers }
        guard isSafe else {
            throw .requestNotSent(to: key, reason: "credential '\(credential)' is not sent unencrypted; use https")
        }
        guard let token = network.credentials[credential] else {
            throw .requestNotSent(to: key, reason: "credential '\(credential)' is missing")
        }
        return headers + ["Authorization: Bearer \(token)"]
    }

    private func sendNext(to key: String) {
        guard let host = hosts[key], !host.isSending, !host.queue.isWaiting, let curl else { return }
        guard let entry = host.queue.entries.first else {
            hosts[key] = nil
            return
        }
        host.isSending = true
        curl.post(entry.request) { [weak self] outcome in self?.ended(outcome, key) }
    }

    private func ended(_ outcome: HTTPOutcome, _ key: String) {
        guard let host = hosts[key], var entry = host.queue.entries.first else { return }
        host.isSending = false
        entry.tries += 1
        guard let (reason, mayPass) = Self.problem(outcome) else {
            host.queue.entries.removeFirst()
            host.queue.restartDelays()
            return sendNext(to: key)
        }
        if mayPass, entry.tries <= entry.retries {
            host.queue.entries[0] = entry
            return host.queue.wait { [weak self] in self?.sendNext(to: key) }
        }
        host.queue.entries.removeFirst()
        host.queue.restartDelays()
        let times = entry.tries == 1 ? "" : ", \(entry.tries) times"
        network.failures.report(.requestNotSent(to: key, reason: reason + times), of: entry.handler)
        sendNext(to: key)
    }

    /// The error in a response, and whether a retry may succeed (RFC 9110, 15.5 and 15.6); nil on success.
    private static func problem(_ outcome: HTTPOutcome) -> (String, mayPass: Bool)? {
        switch outcome {
        case .answered(200..<300): nil
        case .answered(let status) where [408, 425, 429].contains(status) || status >= 500:
            ("the server answered \(status)", true)
        case .answered(let status): ("the server answered \(status)", false)
        case .failed(let reason): (reason, true)
        }
    }

    /// Whether a URL's host is this machine, so that nothing leaves it unencrypted.
    static func isThisMachine(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    }
}
