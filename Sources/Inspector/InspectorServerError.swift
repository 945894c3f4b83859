import WebServer

/// Why it cannot listen.
public struct InspectorServerError: Error, CustomStringConvertible {
    let address: ListenAddress
    let reason: String

    /// The error and how to fix it.
    public var description: String {
        "cannot listen at \(address.text): \(reason); choose another address with --listen"
    }
}
