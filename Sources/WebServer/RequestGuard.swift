/// Decides which requests of a browser are answered.
///
/// A page of another origin can make a browser send requests here, and the owner of a name can make it resolve to this
/// address (DNS rebinding). Therefore three things are checked:
/// - The host must be a name or address that no other party controls.
/// - Every request for data or for an action needs the token in a header. A form or a link cannot send that header. A
///   script of another origin may send it only after a preflight, which is never answered (Fetch, "CORS-preflight").
/// - If the browser reports the origin of the request, it must be this page.
struct RequestGuard: Sendable {
    /// The parts of a request that are checked.
    struct Request {
        var method: String
        var path: String
        /// The value of a header by its lowercase name; repeated headers are joined by commas; nil if it is missing.
        var header: (String) -> String?
    }

    /// Why a request is refused.
    struct Refusal: Error, Equatable {
        /// The HTTP status.
        var status: Int
        /// The reason, for the author of the client program.
        var reason: String
    }

    let token: AccessToken
    let address: ListenAddress
    /// The maximum size of the body in bytes.
    let longestBody: Int

    /// Whether the request needs the token; the page's own files contain nothing that is not in touchd's source.
    func needsToken(_ request: Request) -> Bool { request.path.hasPrefix("/api/") || request.method == "POST" }

    /// Returns why a request is refused; nil if it is not.
    func refusal(of request: Request) -> Refusal? {
        guard let host = request.header("host"), isOwn(host) else {
            return Refusal(status: 421, reason: "unknown host name in the Host header; open the link that was printed")
        }
        guard request.method == "GET" || request.method == "POST" else {
            return Refusal(status: 405, reason: "the method must be GET or POST")
        }
        if let origin = request.header("origin"), origin != "http://\(host)" {
            return Refusal(status: 403, reason: "the request comes from a page of another origin")
        }
        if let site = request.header("sec-fetch-site"), site != "same-origin", site != "none" {
            return Refusal(status: 403, reason: "the request comes from a page of another site")
        }
        guard needsToken(request) else { return nil }
        let credentials = request.header("authorization") ?? ""
        guard credentials.hasPrefix("Bearer "), token.matches(String(credentials.dropFirst("Bearer ".count))) else {
            return Refusal(status: 401, reason: "the token is missing or wrong; open the link that was printed")
        }
        guard request.method == "POST" else { return nil }
        let type = request.header("content-type")?.split(separator: ";").first.map(String.init)
        guard type?.lowercased() == "application/json" else {
            return Refusal(status: 415, reason: "the Content-Type must be application/json")
        }
        guard let length = request.header("content-length").flatMap(Int.init), (0...longestBody).contains(length)
        else {
            return Refusal(status: 413, reason: "the Content-Length must be present and at most \(longestBody) bytes")
        }
        return nil
    }

    /// Whether no other party controls the address of a name. The port is ignored, because a tunnel uses a different
    /// one.
    private func isOwn(_ host: String) -> Bool {
        let name = Self.name(host)
        if name == "localhost" || ListenAddress.isLoopback(name) { return true }
        guard case .internet(let own, _) = address else { return false }
        if name == own { return true }
        // A numeric address needs no name server.
        return address.isWildcard && (ListenAddress.isIPv4(name) || ListenAddress.isIPv6(name))
    }

    /// The host in `name`, `name:port`, `[address]` or `[address]:port`.
    private static func name(_ host: String) -> String {
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        return String(host.prefix { $0 != ":" }).lowercased()
    }
}
