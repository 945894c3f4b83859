import NIOCore

/// The open connections on a server's event loop.
///
// `@unchecked Sendable` is safe: every call is made on that loop, because only its connections use the table.
final class ConnectionTable: @unchecked Sendable {
    private let limits: WebLimits
    /// The connections that have sent no accepted request for data, oldest first.
    private var strangers: [WebConnection] = []
    private var members: [WebConnection] = []

    init(_ limits: WebLimits) { self.limits = limits }

    /// Adds a connection, and closes the oldest one of the strangers if there are too many.
    func add(_ connection: WebConnection) {
        strangers.append(connection)
        if strangers.count > limits.strangers { strangers.removeFirst().close() }
    }

    /// Counts a connection as a member; returns false if there are too many.
    func admit(_ connection: WebConnection) -> Bool {
        if members.contains(where: { $0 === connection }) { return true }
        guard members.count < limits.members else { return false }
        strangers.removeAll { $0 === connection }
        members.append(connection)
        return true
    }

    /// Removes a closed connection.
    func remove(_ connection: WebConnection) {
        strangers.removeAll { $0 === connection }
        members.removeAll { $0 === connection }
    }
}
