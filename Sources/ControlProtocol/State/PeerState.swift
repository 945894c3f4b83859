/// A broker or server that messages are sent to.
package struct PeerState: JSONMessage, Equatable {
    /// A phase of a connection.
    package enum Phase: String, CaseIterable, JSONValue, Sendable {
        case connecting, connected
        /// The last attempt failed, and another one follows.
        case waiting
    }

    package var name = "", phase = Phase.connecting, since: String?, waiting = 0, dropped = 0, error: String?
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("name", .label("peer"), "its name", \.name)
        visitor.member("phase", "`connecting`, `connected`, or `waiting` for the next attempt", \.phase)
        visitor.member("since", "when this phase began, in UTC (RFC 3339)", \.since)
        visitor.member(
            "waiting", .gauge("touchd_network_waiting"), "messages that are not confirmed yet, by peer", \.waiting)
        visitor.member(
            "dropped", .counter("touchd_network_dropped"), "messages that were given up, by peer", \.dropped)
        visitor.member("error", "the last error; absent after the peer was reached", \.error)
    }
}
