/// A device that was added, removed, ignored or failed, or whose forwarding changed.
package struct DeviceRecord: EventRecord {
    package static let event: StaticString = "device"

    package enum Change: String, CaseIterable, JSONValue, Sendable {
        case added, removed, ignored, failed, forwarded
        case notForwarded = "not-forwarded"
    }

    package let change: Change, name: String, path: String, reason: String?

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member(
            "change",
            """
            `added`, `removed`, `ignored` or `failed`; for a touchscreen whose rule has `forward: true` also `forwarded` \
            or `not-forwarded`
            """
        ) { $0.change }
        visitor.member(.name) { $0.name }
        visitor.member(.path) { $0.path }
        visitor.member("reason", "why it failed or is not forwarded") { $0.reason }
    }

    package init(change: Change, name: String, path: String, reason: String?) {
        (self.change, self.name, self.path, self.reason) = (change, name, path, reason)
    }
}
