import Foundation

/// Decides which requests of a browser are answered at all.
///
/// A page of another origin can have a browser send requests here, and a name that it controls can be made to lead here
/// (DNS rebinding). So: the host has to be one that nobody else can name; what says or does anything needs the token in a
/// header, which no form and no link can send and which a script of another origin may send only after asking, and nobody
/// here answers such a question (Fetch, "CORS-preflight"); and where a browser says where a request is from, that has to be
/// this page.
nonisolated struct RequestGuard: Sendable {
    /// A request as far as it is looked at.
    struct Request {
        var method: String
        var path: String
        /// A header's value by its name in small letters; nil where there is none.
        var header: (String) -> String?
    }

    /// Why a request is turned away.
    struct Refusal: Error, Equatable {
        /// The status of HTTP.
        var status: Int
        /// The reason, for whoever wrote the program that sent it.
        var reason: String
    }

    /// How long the body of a request may be, in bytes; a trial of a hundred views has 10 KB.
    static let longestBody = 64 * 1024

    let token: AccessToken
    let address: ListenAddress

    /// Answers why a request is turned away; nil where it is not.
    func refusal(of request: Request) -> Refusal? {
        guard let host = request.header("host"), isOwn(host) else {
            return Refusal(status: 421, reason: "this host is not named so here; open the link that was printed")
        }
        guard request.method == "GET" || request.method == "POST" else {
            return Refusal(status: 405, reason: "there is GET and POST")
        }
        if let origin = request.header("origin"), origin != "http://\(host)" {
            return Refusal(status: 403, reason: "a page of another origin may not ask")
        }
        if let site = request.header("sec-fetch-site"), site != "same-origin", site != "none" {
            return Refusal(status: 403, reason: "a page of another site may not ask")
        }
        // The page itself says nothing that is not in touchd's source.
        guard request.path.hasPrefix("/api/") || request.method == "POST" else { return nil }
        let credentials = request.header("authorization") ?? ""
        guard credentials.hasPrefix("Bearer "), token.matches(String(credentials.dropFirst("Bearer ".count))) else {
            return Refusal(status: 401, reason: "the token is missing or wrong; open the link that was printed")
        }
        guard request.method == "POST" else { return nil }
        let type = request.header("content-type")?.split(separator: ";").first.map(String.init)
        guard type?.lowercased() == "application/json" else {
            return Refusal(status: 415, reason: "a request has to be JSON")
        }
        guard let length = request.header("content-length").flatMap(Int.init), (0...Self.longestBody).contains(length)
        else { return Refusal(status: 413, reason: "a request may have \(Self.longestBody) bytes, and says how many") }
        return nil
    }

    /// Whether a name leads here without anybody else having a say. Its port is not looked at: a tunnel has another one.
    private func isOwn(_ host: String) -> Bool {
        let name = Self.name(host)
        if name == "localhost" || ListenAddress.isLoopback(name) { return true }
        guard case .internet(let own, _) = address else { return false }
        if name == own { return true }
        // No name server has a say in an address that is written out.
        return address.isWildcard && (ListenAddress.isIPv4(name) || ListenAddress.isIPv6(name))
    }

    /// The name or address of `name`, `name:port`, `[address]` or `[address]:port`.
    private static func name(_ host: String) -> String {
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        return String(host.prefix { $0 != ":" }).lowercased()
    }
}
