import NIOCore

/// Which connections are open, on the one event loop of a server.
///
/// `@unchecked Sendable`: every call is made on that loop, whose connections are the only ones that know it.
final class ConnectionTable: @unchecked Sendable {
    private let limits: WebLimits
    /// Those that have not shown the token, in the order in which they came.
    private var strangers: [WebConnection] = []
    private var members: [WebConnection] = []

    init(_ limits: WebLimits) { self.limits = limits }

    /// Adds a connection, and closes the stranger that came first if there are too many.
    func add(_ connection: WebConnection) {
        strangers.append(connection)
        if strangers.count > limits.strangers { strangers.removeFirst().close() }
    }

    /// Counts a connection among those with the token; false if there are too many.
    func admit(_ connection: WebConnection) -> Bool {
        if members.contains(where: { $0 === connection }) { return true }
        guard members.count < limits.members else { return false }
        strangers.removeAll { $0 === connection }
        members.append(connection)
        return true
    }

    /// Forgets a connection that has closed.
    func remove(_ connection: WebConnection) {
        strangers.removeAll { $0 === connection }
        members.removeAll { $0 === connection }
    }
}
