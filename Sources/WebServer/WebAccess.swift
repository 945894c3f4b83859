/// Which pages may read data from a server and send requests to it.
package enum WebAccess: Sendable {
    /// The server's own page, which sends the token with every request.
    case ownPage(AccessToken)
    /// Pages of these origins, such as `https://kiosk.example`, and pages that this server serves itself. If there is a
    /// token, they must send it too.
    case origins(Set<String>, token: AccessToken?)

    /// The path of the pages' WebSockets.
    var streamPath: String {
        switch self {
        case .ownPage: "/api/events"
        case .origins: "/events"
        }
    }

    /// The token that a request must have, if any.
    var token: AccessToken? {
        switch self {
        case .ownPage(let token): token
        case .origins(_, let token): token
        }
    }

    /// Whether a text is an origin as browsers send it: a scheme, a host and a port if it is not the scheme's default
    /// (RFC 6454, section 6.2).
    package static func isOrigin(_ text: String) -> Bool {
        text.wholeMatch(of: /(http|https):\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:[1-9][0-9]{0,4})?/) != nil
            && text.wholeMatch(of: /(http:.*:80|https:.*:443)/) == nil
    }
}
