/// A request that is within the limits and that the guard let in.
public struct WebRequest: Sendable {
    /// `GET` or `POST`.
    public var method: String
    /// The path without the query, as it was sent.
    public var path: String
    /// Empty for `GET`.
    public var body: [UInt8]
}

/// An answer.
public struct WebResponse: Sendable {
    /// What follows the headers.
    public enum Body: Sendable {
        /// All of it, of any size.
        case bytes([UInt8])
        /// Server-sent events, until the client closes the connection.
        case events(EventFeed)
    }

    /// The status of HTTP.
    public var status: Int
    /// The media type.
    public var type: String
    /// The content.
    public var body: Body

    /// An answer of a kind.
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

    /// What every answer tells browsers: load nothing from elsewhere, show it in no frame, keep no copy, send no referrer.
    static let headers = [
        ("Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
}
