/// Why it cannot listen.
public struct WebServerError: Error, CustomStringConvertible {
    /// The kernel's error message.
    public let description: String
}
