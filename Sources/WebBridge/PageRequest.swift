import ControlProtocol
import Foundation

/// Decides which requests of a page reach touchd's control socket, and restricts them.
///
/// The line for touchd is encoded from the parsed request, so touchd cannot read it differently.
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
        guard case .object(let object)? = JSONValue(text, depth: Self.depth),
            case .string(let name)? = object["request"]
        else {
            throw Refusal(
                id: nil, code: "not-a-request",
                message: "a message must be one JSON object, such as {\"request\": \"layout\"}")
        }
        try self.init(object, name, origin: origin)
    }

    init(_ request: [String: JSONValue], _ name: String, origin: String) throws(Refusal) {
        var object = request
        func refused(_ code: String, _ message: String) -> Refusal {
            Refusal(id: request["id"], code: code, message: message)
        }
        guard Self.names.contains(name) else {
            let names = Self.names.sorted().joined(separator: ", ")
            throw refused("unknown-request", "a page cannot send '\(name.prefix(40))'; it can send \(names)")
        }
        switch name {
        case "subscribe":
            if case .array(let topics)? = object["to"] {
                for topic in topics {
                    guard case .string(let topic) = topic, !Self.topics.contains(topic) else { continue }
                    let names = Self.topics.sorted().joined(separator: ", ")
                    throw refused(
                        "wrong-argument", "a page cannot subscribe to '\(topic.prefix(40))'; there are \(names)")
                }
            }
            // This page must not receive other touches, such as those on another page's buttons.
            object["own"] = .bool(true)
        case "views":
            object["publisher"] = .string(Self.publisher(object["publisher"], origin: origin))
        default: break
        }
        line = JSONValue.object(object).jsonLine + [UInt8(ascii: "\n")]
    }

    /// The page's address without query and fragment, if it has the page's origin; otherwise the origin.
    private static func publisher(_ value: JSONValue?, origin: String) -> String {
        guard case .string(let address)? = value, address.hasPrefix(origin + "/") else {
            return String(origin.prefix(128))
        }
        // The query and the fragment may hold a visitor's data.
        return String(address.prefix { $0 != "?" && $0 != "#" }.prefix(128))
    }

    /// An error for a page, in the form of the control socket.
    struct Refusal: Error, Equatable {
        var id: JSONValue?
        var code: String
        var message: String

        /// The answer's line, without a newline.
        var line: [UInt8] {
            var answer: [String: JSONValue] = [
                "error": .object(["code": .string(code), "message": .string(message)])
            ]
            answer["id"] = id
            return JSONValue.object(answer).jsonLine
        }
    }
}
