import NIOCore

/// The open connections on a server's event loop.
///
// `@unchecked Sendable` is safe: every call is made on that loop, because only its connections use the table.
final class ConnectionTable: @unchecked Sendable {
    private let limits: WebLimits
    /// The connections that have sent no accepted request for data, oldest first.
    private var unauthenticated: [WebConnection] = []
    private var authenticated: [WebConnection] = []

    init(_ limits: WebLimits) { self.limits = limits }

    /// Adds a connection, and closes the oldest one without an accepted request for data if there are too many.
    func add(_ connection: WebConnection) {
        unauthenticated.append(connection)
        if unauthenticated.count > limits.unauthenticatedConnections { unauthenticated.removeFirst().close() }
    }

    /// Counts a connection as a member; returns false if there are too many.
    func admit(_ connection: WebConnection) -> Bool {
        if authenticated.contains(where: { $0 === connection }) { return true }
        guard authenticated.count < limits.authenticatedConnections else { return false }
        unauthenticated.removeAll { $0 === connection }
        authenticated.append(connection)
        return true
    }

    /// Removes a closed connection.
    func remove(_ connection: WebConnection) {
        unauthenticated.removeAll { $0 === connection }
        authenticated.removeAll { $0 === connection }
    }
}
