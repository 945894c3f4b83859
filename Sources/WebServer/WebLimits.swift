/// The limits for browsers, and for programs that claim to be one. Each limit is checked before a request is parsed
/// further, so that a client cannot exhaust memory or processor time.
package struct WebLimits: Sendable {
    /// Request line and headers, in bytes of names and values; a browser sends about 1 KB. Larger ones get status 431.
    package var head = 16 * 1024
    /// Header fields; a browser sends about 15. More get status 431.
    package var fields = 64
    /// The body, in bytes; changes to a hundred views take 10 KB. Larger ones get status 413.
    package var body = 64 * 1024
    /// Connections that have not sent the token yet. One more closes the connection that has waited longest, so that
    /// clients without the token cannot block others.
    package var unauthenticatedConnections = 64
    /// Connections whose last request had the token. One more gets status 503.
    package var authenticatedConnections = 64
    /// How much of a response is in memory while the client reads it, in bytes.
    package var piece = 64 * 1024
    /// The timeout for sending a request and for reading a piece of a response, in seconds.
    package var timeout: Int64 = 30
    /// How much of a refused request is still read and dropped, in bytes. The kernel resets a connection that is closed
    /// with unread data, and the client would lose the response.
    package var drained = 1024 * 1024

    /// Creates the default limits.
    package init() {}
}
