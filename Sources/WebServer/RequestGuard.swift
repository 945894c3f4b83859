/// Decides which requests of a browser are answered.
///
/// A page of another origin can make a browser send requests here, and the owner of a name can make it resolve to this
/// address (DNS rebinding). Therefore three things are checked:
/// - The host must be a name or address that no other party controls.
/// - Every request for data or for an action needs the token in a header, or an allowed origin, or both. A form or a
///   link can send neither. A script of another origin may send a header only after a preflight, which is refused
///   (Fetch, "CORS-preflight").
/// - If the browser reports the origin of the request, it must be this page or an allowed one.
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
        var status: Int
        /// The reason, for the author of the client program.
        var reason: String
    }

    let access: WebAccess
    let address: ListenAddress
    /// The maximum size of the body in bytes.
    let longestBody: Int

    /// Whether the request is for data or an action; the other files contain nothing secret.
    func isProtected(_ request: Request) -> Bool {
        switch access {
        case .ownPage: request.path.hasPrefix("/api/") || request.method == "POST"
        case .origins: request.path == access.streamPath || request.method != "GET" && request.method != "HEAD"
        }
    }

    /// The origin that may read the response; nil for the server's own page.
    func foreignOrigin(of request: Request) -> String? {
        guard case .origins = access, let origin = request.header("origin"), isAllowed(origin, request) else {
            return nil
        }
        return origin
    }

    /// Returns why a request is refused; nil if it is not.
    func refusal(of request: Request) -> Refusal? {
        guard let host = request.header("host"), let name = Self.name(host) else {
            return Refusal(status: 400, reason: "the request must have one Host header, such as 127.0.0.1:8348")
        }
        guard isOwn(name) else {
            return Refusal(status: 421, reason: "unknown host name in the Host header; \(advice)")
        }
        let isHeadOfFile = request.method == "HEAD" && !isProtected(request)
        guard request.method == "GET" || request.method == "POST" || isHeadOfFile else {
            return Refusal(status: 405, reason: "the method must be GET or POST, or HEAD for a file")
        }
        if let refusal = originRefusal(of: request) { return refusal }
        guard isProtected(request) else { return nil }
        if let token = access.token, !credentials(of: request).contains(where: token.matches) {
            return Refusal(status: 401, reason: "the token is missing or wrong; \(advice)")
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

    /// The advice for the author of a refused page.
    private var advice: String {
        switch access {
        case .ownPage: "open the link that was printed"
        case .origins: "the page must use http://127.0.0.1 and the port of this server, and the token if there is one"
        }
    }

    private func originRefusal(of request: Request) -> Refusal? {
        let site = request.header("sec-fetch-site")
        if let origin = request.header("origin") {
            if !isAllowed(origin, request) {
                return Refusal(status: 403, reason: "the request comes from a page of another origin")
            }
            if case .origins = access { return nil }
        }
        switch access {
        case .ownPage:
            guard let site, site != "same-origin", site != "none" else { return nil }
        case .origins:
            // Browsers send no origin with a script or a page, nor with a GET to the page's own origin.
            guard isProtected(request), site != "same-origin" else { return nil }
        }
        return Refusal(status: 403, reason: "the request comes from a page of another site")
    }

    private func isAllowed(_ origin: String, _ request: Request) -> Bool {
        if origin == "http://\(request.header("host") ?? "")" { return true }
        if case .origins(let others, _) = access { return others.contains(origin) }
        return false
    }

    /// The possible tokens of a request. A script cannot set headers of a WebSocket's request, except the names of
    /// subprotocols.
    private func credentials(of request: Request) -> [String] {
        let bearer = request.header("authorization") ?? ""
        let protocols = (request.header("sec-websocket-protocol") ?? "").split(separator: ",").map {
            $0.trimmingPrefix(while: \.isWhitespace)
        }
        return (bearer.hasPrefix("Bearer ") ? [String(bearer.dropFirst("Bearer ".count))] : [])
            + protocols.filter { $0.hasPrefix(Self.tokenProtocol) }.map {
                String($0.dropFirst(Self.tokenProtocol.count))
            }
    }

    private static let tokenProtocol = "touchd.token."

    /// Whether no other party controls the address of a name. The port is ignored, because a tunnel uses a different
    /// one.
    private func isOwn(_ name: String) -> Bool {
        if name == "localhost" || ListenAddress.isLoopback(name) { return true }
        guard case .internet(let own, _) = address else { return false }
        if name == own { return true }
        // A numeric address needs no name server.
        return address.isWildcard && (ListenAddress.isIPv4(name) || ListenAddress.isIPv6(name))
    }

    /// The host in `name`, `name:port`, `[address]` or `[address]:port`; nil for another text, such as two hosts.
    private static func name(_ host: String) -> String? {
        let isBracketed = host.hasPrefix("["), brackets = isBracketed ? 1 : 0
        guard let end = isBracketed ? host.firstIndex(of: "]") : host.firstIndex(of: ":") ?? host.endIndex else {
            return nil
        }
        let port = host[end...].dropFirst(brackets)
        let isPort = port.isEmpty || port.first == ":" && port.dropFirst().allSatisfy { "0"..."9" ~= $0 }
        return isPort && !host.contains(",") ? host[..<end].dropFirst(brackets).lowercased() : nil
    }
}
