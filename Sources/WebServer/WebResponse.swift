import NIOCore

/// A response.
package struct WebResponse: Sendable {
    /// Which other pages may load the content.
    package enum Readers: Sendable {
        /// Only this server's own page.
        case ownPage
        /// Any page, as a script.
        case anyPage
        /// The content is itself a page of another author, or a part of one.
        case otherAuthor
    }

    /// The bytes after the headers.
    package enum Body: Sendable {
        case bytes([UInt8])
        case file(OpenFile)

        /// The number of bytes.
        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(let file): file.size
            }
        }

        /// A range of the bytes; nil if the file has become shorter.
        func piece(_ range: Range<Int>) -> ByteBuffer? {
            switch self {
            case .bytes(let bytes): ByteBuffer(bytes: bytes[range])
            case .file(let file): file.bytes(range)
            }
        }
    }

    package var status: Int
    package var type: String
    package var body: Body
    private var readers = Readers.ownPage

    /// Creates a successful response with a media type.
    package init(_ type: String, _ body: [UInt8], for readers: Readers = .ownPage) {
        status = 200
        self.readers = readers
        self.type = type
        self.body = .bytes(body)
    }

    /// Creates a successful response with a file of another author's page.
    package init(_ type: String, _ file: OpenFile) {
        self.init(type, [], for: .otherAuthor)
        body = .file(file)
    }

    /// A refusal with its reason, as plain text.
    package init(status: Int, reason: String) {
        self.status = status
        type = "text/plain; charset=utf-8"
        body = .bytes(Array("\(reason)\n".utf8))
    }

    /// The headers without those of the content: no frame of another origin may show it, no referrer is sent, and no
    /// copy is kept. The server's own page loads nothing from other origins.
    var headers: [(String, String)] {
        let policy =
            switch readers {
            case .ownPage, .anyPage: "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            case .otherAuthor: "frame-ancestors 'self'"
            }
        // RFC 9110, 15.5.22, and RFC 6455, 4.2.2.
        let upgrade = status == 426 ? [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")] : []
        return upgrade + [
            ("Content-Security-Policy", policy),
            ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
            ("Cross-Origin-Resource-Policy", readers == .anyPage ? "cross-origin" : "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ]
    }
}
