import ControlProtocol
import Foundation

nonisolated extension TUIOSpec: Section {
    static let table = Table("tuio", TUIOSpec(), "Sends touches as TUIO 1.1 over UDP.")

    mutating func words(_ r: inout LayoutReader) {
        r.word("host", &host, "An IP address.") { $0.label() }
        r.word("port", &port, "A UDP port.") { $0.count(1...65_535) }
        var address = in6_addr()
        guard r.canCheckRules, inet_pton(AF_INET, host, &address) != 1, inet_pton(AF_INET6, host, &address) != 1
        else { return }
        r.refuse(at: "host", "'host' must be an IP address (got '\(host)'); touchd looks up no names for touches")
    }
}

nonisolated extension MQTTSpec: Section {
    static let table = Table("mqtt", MQTTSpec(), "An MQTT broker that receives touchd's state and may send commands.")

    mutating func words(_ r: inout LayoutReader) {
        if let node = r.at.node { location = node.location }
        r.broker(&host, &port)
        r.word(
            "topic", &topic, "The first levels of all topics.",
            unset: "touchd/HOSTNAME for touchd.yaml, touchd/HOSTNAME/NAME for another NAME.yaml"
        ) { $0.topicStart() }
        r.word(
            "client-id", &clientID, "The client identifier for the broker.",
            unset: "made from the host's name, 'topic' and the layout's file"
        ) { $0.label() }
        let commands = r.word("commands", "The commands that messages may give; none by default.") {
            $0.oneOrMore(called: "a command of 'commands'") { $0.keyword() as LayoutCommand.Kind? }
        }
        for kind in commands ?? [] where !self.commands.contains(kind) { self.commands.append(kind) }
        let start = r.word(
            "discovery",
            "Whether Home Assistant finds the kiosk; or the first level of the topics in which it looks for devices.",
            unset: "false"
        ) { r in
            r.either({ $0.bool != nil }, { $0.flag().map { $0 ? "homeassistant" : "" } }, or: { $0.topicStart() })
        }
        if let start, !start.isEmpty { discovery = start }
    }
}

// MARK: Types of values

nonisolated extension LayoutReader {
    /// The words of a broker, which are the first of their section.
    mutating func broker(_ host: inout String, _ port: inout Int) {
        word("host", &host, "The broker's host.") { $0.label() }
        require("add the broker's host: NAME")
        word("port", &port, "The broker's port; 8883 uses TLS.") { $0.count(1...65_535) }
        // An IPv6 address consists of hexadecimal digits, colons and dots.
        let isAddress = host.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        if canCheckRules, host.contains(where: { $0.isWhitespace || $0 == "/" || $0 == ":" && !isAddress }) {
            refuse(
                at: "host",
                "'host' must be a name or an address alone (got '\(host)'); write the port as port: NUMBER")
        }
    }

    /// The first levels of a topic.
    fileprivate mutating func topicStart() -> String? {
        let form = Form.other("the first levels of a topic", .reference("topic-start"), example: "TOPIC")
        guard let (node, at) = reads(form), let topic = label(node, at.what) else { return nil }
        guard !topic.contains(where: { "+#$".contains($0) }), !topic.hasPrefix("/"), !topic.hasSuffix("/") else {
            return invalid(
                node, "\(at.what) must not contain '+', '#' or '$', nor begin or end with '/' (got '\(topic)')")
        }
        return topic
    }
}
