/// How much a browser, or a program that claims to be one, may send and hold. Each limit is checked before a request is parsed
/// further, so that nobody can fill the memory or keep the processor busy.
public struct WebLimits: Sendable {
    /// Request line and headers, in bytes of names and values; a browser sends about 1 KB. More is answered with 431.
    public var head = 16 * 1024
    /// Header fields; a browser sends about 15. More is answered with 431.
    public var fields = 64
    /// The body, in bytes; changes to a hundred views take 10 KB. More is answered with 413.
    public var body = 64 * 1024
    /// Connections that have not shown the token yet. One more closes the connection that has waited longest, so that
    /// strangers who hold connections open keep nobody out.
    public var strangers = 64
    /// Connections whose last request had the token. One more is answered with 503.
    public var members = 64
    /// How long a connection may take to send a request, and to read an answer, in seconds.
    public var patience: Int64 = 30
    /// How much of a refused request is still read and dropped, in bytes: a connection that is closed with unread data in it is
    /// reset by the kernel, and the client loses the answer.
    public var drained = 1024 * 1024

    /// The defaults above.
    public init() {}
}
