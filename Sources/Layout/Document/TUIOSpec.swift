/// `tuio:`, where touches are sent as TUIO 1.1 over UDP.
package nonisolated struct TUIOSpec: Sendable, Equatable {
    /// An IPv4 or IPv6 address.
    package var host = "127.0.0.1"
    /// The UDP port.
    package var port = 3333

    /// Makes the defaults.
    package init() {}
}
