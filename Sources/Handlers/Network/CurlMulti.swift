import CLibcurl
import EventLoop

/// A POST request for libcurl.
struct HTTPRequest {
    var url: String
    var headers: [String]
    var body: [UInt8]
    /// The timeout in seconds, including the connection and the response.
    var timeout: Double
    /// A file of certificates to trust instead of the system's; for tests only.
    var certificates: String?
}

/// The outcome of a POST request.
enum HTTPOutcome {
    /// The server responded with a status code.
    case answered(Int)
    /// The request failed; the text is libcurl's.
    case failed(String)
}

/// libcurl's multi interface on a run loop: any number of transfers, woken only by their sockets and timers.
///
/// libcurl resolves names in its own thread, which `load()` verifies, so no call blocks.
final class CurlMulti {
    /// The requests that libcurl made during a call, to be handled after the call returns.
    private nonisolated final class PendingCalls {
        /// The last one for each socket: an earlier one may be for a socket that the call has closed since.
        var sockets: [Int32: Int32] = [:]
        var milliseconds: Int?
    }

    private struct Transfer {
        let headers: UnsafeMutablePointer<curl_slist>?
        let completion: (HTTPOutcome) -> Void
    }

    private let loop: EpollRunLoop
    private let multi: UnsafeMutableRawPointer
    private var isClosed = false
    private let pendingCalls = PendingCalls()
    private var sources: [Int32: DescriptorSource] = [:]
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var timer: RunLoopTimer?

    /// Loads libcurl and returns why it cannot be used; nil on success.
    static func load() -> String? {
        if let reason = lazy_curl_load() { return "\(String(cString: reason)); install libcurl4" }
        guard lazy_curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
            return "libcurl cannot be initialized"
        }
        guard lazy_curl_resolves_aside() else {
            return "this libcurl blocks while it resolves host names, which would delay touches"
        }
        return nil
    }

    /// Creates an interface without transfers, after `load()`; nil if memory is exhausted.
    init?(loop: EpollRunLoop) {
        guard let multi = lazy_curl_multi_init() else { return nil }
        self.loop = loop
        self.multi = multi
        lazy_curl_multi_set_callbacks(
            multi,
            { _, socket, what, user, _ in
                guard let user else { return 0 }
                Unmanaged<PendingCalls>.fromOpaque(user).takeUnretainedValue().sockets[socket] = what
                return 0
            },
            { _, milliseconds, user in
                guard let user else { return 0 }
                Unmanaged<PendingCalls>.fromOpaque(user).takeUnretainedValue().milliseconds = milliseconds
                return 0
            },
            // This object frees the handle before it releases `pendingCalls`.
            Unmanaged.passUnretained(pendingCalls).toOpaque())
    }

    isolated deinit { close() }

    /// Starts a POST request; `completion` is called once, after this call.
    func post(_ request: HTTPRequest, completion: @escaping (HTTPOutcome) -> Void) {
        guard let easy = lazy_curl_easy_init() else {
            return loop.perform(in: .common) { completion(.failed("out of memory")) }
        }
        var headers: UnsafeMutablePointer<curl_slist>?
        for header in request.headers { headers = lazy_curl_slist_append(headers, header) }
        configure(easy, request, headers)
        transfers[easy] = Transfer(headers: headers, completion: completion)
        lazy_curl_multi_add_handle(multi, easy)
        performPendingCalls()
    }

    /// Ends all transfers without calling their completions, and frees everything.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        for (easy, transfer) in transfers {
            lazy_curl_multi_remove_handle(multi, easy)
            lazy_curl_easy_cleanup(easy)
            lazy_curl_slist_free_all(transfer.headers)
        }
        transfers = [:]
        timer?.invalidate()
        lazy_curl_multi_cleanup(multi)
        for source in sources.values { source.invalidate() }
        sources = [:]
    }

    private func configure(
        _ easy: UnsafeMutableRawPointer, _ request: HTTPRequest, _ headers: UnsafeMutablePointer<curl_slist>?
    ) {
        lazy_curl_easy_setopt_string(easy, CURLOPT_URL, request.url)
        lazy_curl_easy_setopt_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        lazy_curl_easy_setopt_string(easy, CURLOPT_USERAGENT, "touchd")
        if let certificates = request.certificates {
            lazy_curl_easy_setopt_string(easy, CURLOPT_CAINFO, certificates)
        }
        lazy_curl_easy_setopt_list(easy, CURLOPT_HTTPHEADER, headers)
        lazy_curl_easy_setopt_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
        request.body.withUnsafeBytes { bytes in
            // libcurl copies the number of bytes set just before.
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
                lazy_curl_easy_setopt_string(easy, CURLOPT_COPYPOSTFIELDS, "")
                return
            }
            lazy_curl_easy_setopt_string(easy, CURLOPT_COPYPOSTFIELDS, start)
        }
        lazy_curl_easy_setopt_long(easy, CURLOPT_TIMEOUT_MS, Int((request.timeout * 1000).rounded(.up)))
        // Timeouts by signals are for programs with one thread.
        lazy_curl_easy_setopt_long(easy, CURLOPT_NOSIGNAL, 1)
        lazy_curl_easy_discard_answer(easy)
    }

    private func act(on socket: Int32, _ events: Int32) {
        var running: Int32 = 0
        lazy_curl_multi_socket_action(multi, socket, events, &running)
        performPendingCalls()
        var result = CURLE_OK
        while let easy = lazy_curl_multi_next_done(multi, &result) { finish(easy, result) }
    }

    private func finish(_ easy: UnsafeMutableRawPointer, _ result: CURLcode) {
        guard let transfer = transfers.removeValue(forKey: easy) else { return }
        // The status is known even if the body was too long to read.
        let outcome =
            result == CURLE_OK || result == CURLE_WRITE_ERROR
            ? HTTPOutcome.answered(lazy_curl_easy_response_code(easy))
            : .failed(String(cString: lazy_curl_easy_strerror(result)))
        lazy_curl_multi_remove_handle(multi, easy)
        lazy_curl_easy_cleanup(easy)
        lazy_curl_slist_free_all(transfer.headers)
        performPendingCalls()
        transfer.completion(outcome)
    }

    private func performPendingCalls() {
        let sockets = pendingCalls.sockets
        pendingCalls.sockets = [:]
        for (socket, what) in sockets { watch(socket, what) }
        guard let milliseconds = pendingCalls.milliseconds else { return }
        pendingCalls.milliseconds = nil
        wake(after: milliseconds)
    }

    private func watch(_ socket: Int32, _ what: Int32) {
        sources.removeValue(forKey: socket)?.invalidate()
        var events: DescriptorSource.Events = []
        if what & CURL_POLL_IN != 0 { events.insert(.read) }
        if what & CURL_POLL_OUT != 0 { events.insert(.write) }
        guard what != CURL_POLL_REMOVE, !events.isEmpty else { return }
        let source = DescriptorSource(name: "http", descriptor: socket, events: events) { [weak self] ready in
            var action: Int32 = 0
            if ready.contains(.read) { action |= CURL_CSELECT_IN }
            if ready.contains(.write) { action |= CURL_CSELECT_OUT }
            if !ready.isDisjoint(with: [.error, .hangUp]) { action |= CURL_CSELECT_ERR }
            self?.act(on: socket, action)
        }
        sources[socket] = source
        loop.add(source)
    }

    private func wake(after milliseconds: Int) {
        guard milliseconds >= 0 else {
            timer?.cancel()
            return
        }
        if timer == nil {
            let new = RunLoopTimer(name: "http") { [weak self] _ in self?.act(on: CURL_SOCKET_TIMEOUT, 0) }
            loop.add(new)
            timer = new
        }
        timer?.reschedule(after: .milliseconds(milliseconds))
    }
}
