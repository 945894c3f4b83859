import CLibcurl

/// A handle of libcurl's easy interface, which keeps its connection for the next request. Two threads never use it at once.
nonisolated final class CurlHandle: Sendable {
    // One thread after another uses it.
    private nonisolated(unsafe) let easy: UnsafeMutableRawPointer

    /// Loads libcurl and returns why it cannot be used; nil on success.
    static func load() -> String? {
        if let reason = lazy_curl_load() { return "\(String(cString: reason)); install libcurl4" }
        return lazy_curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK ? nil : "libcurl cannot be initialized"
    }

    /// Creates a handle, after `load()`; nil if memory is exhausted.
    init?() {
        guard let easy = lazy_curl_easy_init() else { return nil }
        self.easy = easy
    }

    deinit { lazy_curl_easy_cleanup(easy) }

    /// Sends a request and waits for the response.
    func send(_ request: HTTPRequest) -> HTTPOutcome {
        lazy_curl_easy_reset(easy)
        var headers: UnsafeMutablePointer<curl_slist>?
        for header in request.headers { headers = lazy_curl_slist_append(headers, header) }
        defer { lazy_curl_slist_free_all(headers) }
        lazy_curl_easy_setopt_list(easy, CURLOPT_HTTPHEADER, headers)
        configure(request)
        var request = request
        // libcurl uses this pointer only during the call.
        let code = withUnsafeMutablePointer(to: &request) { request in
            lazy_curl_easy_set_before_request(
                easy,
                { user, _, _, _, _ in
                    let begins = user?.assumingMemoryBound(to: HTTPRequest.self).pointee.begin() ?? false
                    return begins ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
                }, request)
            return lazy_curl_easy_perform(easy)
        }
        let status = lazy_curl_easy_response_code(easy)
        // 1xx only announces a status (RFC 9110, 15.2).
        if status >= 200 { return .answered(status) }
        let isPermanent = Self.permanent.contains { $0 == code }
        return .failed(String(cString: lazy_curl_easy_strerror(code)), isTemporary: !isPermanent)
    }

    /// The failures that another attempt does not change: the URL, and certificates that are not trusted.
    private static let permanent = [
        CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_NOT_BUILT_IN, CURLE_PEER_FAILED_VERIFICATION,
        CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE,
        CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
    ]

    private func configure(_ request: HTTPRequest) {
        lazy_curl_easy_setopt_string(easy, CURLOPT_URL, request.url)
        lazy_curl_easy_setopt_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        // A proxy of the environment would see requests for this machine.
        lazy_curl_easy_setopt_string(easy, CURLOPT_PROXY, "")
        // A device can be named `..`.
        lazy_curl_easy_setopt_long(easy, CURLOPT_PATH_AS_IS, 1)
        lazy_curl_easy_setopt_string(easy, CURLOPT_USERAGENT, "touchd")
        if let certificates = request.certificates {
            lazy_curl_easy_setopt_string(easy, CURLOPT_CAINFO, certificates)
        }
        // libcurl sends a request again if the kept connection turns out to be closed.
        lazy_curl_easy_setopt_long(easy, CURLOPT_FRESH_CONNECT, request.isOnce ? 1 : 0)
        lazy_curl_easy_setopt_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
        // libcurl copies the number of bytes set just before. An empty array has no address.
        let body = (request.body + [0]).map { CChar(bitPattern: $0) }
        lazy_curl_easy_setopt_string(easy, CURLOPT_COPYPOSTFIELDS, body)
        let timeout = min(max(request.timeout, 0.001), 86_400)
        lazy_curl_easy_setopt_long(easy, CURLOPT_TIMEOUT_MS, Int((timeout * 1000).rounded(.up)))
        // Timeouts by signals are for programs with one thread.
        lazy_curl_easy_setopt_long(easy, CURLOPT_NOSIGNAL, 1)
        lazy_curl_easy_discard_answer(easy)
    }
}

nonisolated struct HTTPRequest: Sendable {
    var url = "", headers: [String] = [], body: [UInt8] = []
    /// The time limit in seconds, including the connection and the response.
    var timeout = 0.0
    /// Whether it must not be sent twice.
    var isOnce = false
    /// A file of certificates to trust instead of the system's; for tests only.
    var certificates: String?
    /// Called before the first byte is sent; returns whether to send it.
    var begin: @Sendable () -> Bool = { true }
}

/// The outcome of a POST request.
nonisolated enum HTTPOutcome: Sendable, Equatable {
    /// The server responded with a status. The rest of its response does not matter.
    case answered(Int)
    /// The request failed; the text is libcurl's.
    case failed(String, isTemporary: Bool)

    /// The error, and whether a retry may succeed (RFC 9110, 15.5 and 15.6); nil on success.
    var problem: (reason: String, isTemporary: Bool)? {
        switch self {
        case .answered(200..<300): nil
        case .answered(let status):
            ("the server answered \(status)", [408, 425, 429].contains(status) || status >= 500)
        case .failed(let reason, let isTemporary): (reason, isTemporary)
        }
    }
}
