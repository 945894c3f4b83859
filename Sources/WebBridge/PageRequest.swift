import ControlProtocol
import Foundation

/// Decides which requests of a page reach touchd's control socket, and restricts them.
///
/// The line for touchd has the values as the page wrote them, which both read with the same reader.
nonisolated struct PageRequest {
    /// The requests that a page may send: its own views, and what a layout's `on:` can do too. The others belong to
    /// the administrator.
    static let names: Set = [
        "subscribe", "views", "move", "go", "show", "hide", "enable", "disable", "toggle", "switch-on", "switch-off",
        "reset", "hit", "layout",
    ]
    /// The topics that a page may subscribe to.
    static let topics: Set = ["touches", "gestures", "controls", "pages", "idle", "published"]
    /// The maximum nesting depth, as on the control socket.
    static let depth = 64

    /// The line for touchd, with a newline.
    let line: [UInt8]

    /// Restricts a page's request.
    ///
    /// - Parameter origin: The page's origin, which touchd's log and `touchd hit` name.
    /// - Throws: A `Refusal`.
    init(_ text: some Collection<UInt8>, origin: String) throws(Refusal) {
        guard let members = (try? JSONTree(text, depth: Self.depth))?.members, let name = members["request"]?.name
        else {
            throw Refusal(
                id: nil, code: "not-a-request",
                message: "a message must be one JSON object, such as {\"request\": \"layout\"}")
        }
        try self.init(members, name, origin: origin)
    }

    init(_ members: [String: JSONTree], _ name: String, origin: String) throws(Refusal) {
        var values = members.mapValues(\.json)
        func refused(_ code: String, _ message: String) -> Refusal {
            Refusal(id: members["id"], code: code, message: message)
        }
        guard Self.names.contains(name) else {
            let names = Self.names.sorted().joined(separator: ", ")
            throw refused("unknown-request", "a page cannot send '\(name.prefix(40))'; it can send \(names)")
        }
        switch name {
        case "subscribe":
            for topic in (members["to"]?.items ?? []).compactMap(\.name) where !Self.topics.contains(topic) {
                let names = Self.topics.sorted().joined(separator: ", ")
                throw refused(
                    "wrong-argument", "a page cannot subscribe to '\(topic.prefix(40))'; there are \(names)")
            }
            // This page must not receive other touches, such as those on another page's buttons.
            values["own"] = true.jsonLine[...]
        case "views": values["publisher"] = Self.publisher(members["publisher"]?.name, origin: origin).jsonLine[...]
        default: break
        }
        line =
            JSONWriter.object { line in
                for (name, json) in values.sorted(by: { $0.key < $1.key }) {
                    line.name(name)
                    line.write(json: json)
                }
            } + [UInt8(ascii: "\n")]
    }

    /// The page's address without query and fragment, if it has the page's origin; otherwise the origin.
    private static func publisher(_ address: String?, origin: String) -> String {
        guard let address, address.hasPrefix(origin + "/") else {
            return String(origin.prefix(128))
        }
        // The query and the fragment may hold a visitor's data.
        return String(address.prefix { $0 != "?" && $0 != "#" }.prefix(128))
    }

    /// An error for a page, in the form of the control socket.
    struct Refusal: Error, Equatable {
        var id: JSONTree?
        var code: String
        var message: String

        /// The answer's line, without a newline.
        var line: [UInt8] {
            JSONWriter.object {
                $0.member("id", id)
                $0.member("error", ["code": code, "message": message])
            }
        }
    }
}
