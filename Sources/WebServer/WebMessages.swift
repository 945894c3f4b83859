/// A request within the limits that the guard accepted.
public struct WebRequest: Sendable {
    /// `GET` or `POST`.
    public var method: String
    /// The path without the query, not decoded.
    public var path: String
    /// Empty for `GET`.
    public var body: [UInt8]
}

/// A response.
public struct WebResponse: Sendable {
    /// The content after the headers.
    public enum Body: Sendable {
        /// Complete content of any size.
        case bytes([UInt8])
        /// Server-sent events, until the client closes the connection.
        case events(EventFeed)
    }

    /// The HTTP status.
    public var status: Int
    /// The media type.
    public var type: String
    /// The content.
    public var body: Body

    /// Creates a successful response with a media type.
    public init(_ type: String, _ body: Body) {
        status = 200
        self.type = type
        self.body = body
    }

    /// A refusal with its reason, as plain text.
    public init(status: Int, reason: String) {
        self.status = status
        type = "text/plain; charset=utf-8"
        body = .bytes(Array("\(reason)\n".utf8))
    }

    /// Headers of every response: load nothing from other origins, do not show the page in a frame, keep no copy, send
    /// no referrer.
    static let headers = [
        ("Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
}
