import Glibc

/// The address at which the inspector listens for browsers.
package enum ListenAddress: Equatable, Sendable {
    /// An IPv4 or IPv6 address and a port.
    case internet(host: String, port: UInt16)
    /// A local socket's path, for a proxy or `ssh -L`.
    case unix(path: String)

    /// Parses `127.0.0.1:8347`, `[::1]:8347`, a port alone (on 127.0.0.1), or `unix:/path`; nil for anything else.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            guard path.hasPrefix("/"), path.utf8.count < MemoryLayout<sockaddr_un>.size - 2 else { return nil }
            self = .unix(path: path)
            return
        }
        if let port = UInt16(text) {
            self = .internet(host: "127.0.0.1", port: port)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard Self.isIPv6(host) else { return nil }
        } else if !Self.isIPv4(host) {
            return nil
        }
        self = .internet(host: host, port: port)
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        switch self {
        case .internet(let host, _): Self.isLoopback(host)
        case .unix: true
        }
    }

    /// Whether it means every address of the machine.
    var isWildcard: Bool {
        if case .internet(let host, _) = self { host == "0.0.0.0" || host == "::" } else { false }
    }

    /// The address in the form of a link, `127.0.0.1:8347`.
    package var authority: String {
        switch self {
        case .internet(let host, let port): Self.isIPv6(host) ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix: "localhost"
        }
    }

    /// The address in the form of the command line.
    package var text: String {
        if case .unix(let path) = self { "unix:\(path)" } else { authority }
    }

    /// The message for the user who started the inspector, with the link to open. The token follows the `#`, which
    /// browsers do not send.
    ///
    /// - Parameter port: The actual port, if the kernel chose it.
    package func invitation(port: UInt16, token: AccessToken) -> String {
        switch self {
        case .unix(let path):
            "On your computer run 'ssh -L 8347:\(path) KIOSK', then open http://localhost:8347/#token=\(token.text)"
        case .internet(let host, _):
            "Open http://\(Self.internet(host: host, port: port).authority)/#token=\(token.text)"
        }
    }

    /// Whether a text is a loopback address.
    static func isLoopback(_ host: String) -> Bool { host == "::1" || isIPv4(host) && host.hasPrefix("127.") }

    static func isIPv4(_ text: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1
    }

    static func isIPv6(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }
}
