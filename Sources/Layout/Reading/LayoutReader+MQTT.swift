nonisolated extension LayoutReader {
    /// The layout's own `mqtt:`, the broker that receives touchd's state.
    mutating func mqttState(_ node: Node) {
        let keys = ["host", "port", "topic", "commands", "discovery"]
        guard let values = nodes.mapping(node, "'mqtt'", keys: keys), let broker = broker(values, of: node) else {
            return
        }
        var spec = MQTTSpec(host: broker.host, port: broker.port, location: node.location)
        spec.topic = values["topic"].flatMap { topicStart($0, "'topic'") }
        for item in values["commands"].map({ nodes.oneOrMore($0) }) ?? [] {
            let name = nodes.keyword(item, "a command of 'commands'", of: LayoutCommand.Kind.allCases.map(\.rawValue))
            if let kind = name.flatMap(LayoutCommand.Kind.init), !spec.commands.contains(kind) {
                spec.commands.append(kind)
            }
        }
        if let node = values["discovery"] {
            switch node.bool {
            case true?: spec.discovery = "homeassistant"
            case false?: break
            case nil: spec.discovery = topicStart(node, "'discovery'")
            }
        }
        document.mqtt = spec
    }

    /// The destination of a `publish:`.
    mutating func mqtt(_ node: Node) -> PublishSpec.Destination? {
        guard let values = nodes.mapping(node, "'mqtt'", keys: ["host", "port", "qos", "retain"]) else { return nil }
        let broker = broker(values, of: node)
        guard values["host"] != nil else { return nil }
        let qos = values["qos"].map { nodes.count($0, "'qos'", in: 0...2) } ?? 0
        let retain = flag(values["retain"], "'retain'", default: false)
        guard let broker, let qos else { return nil }
        return .mqtt(host: broker.host, port: broker.port, qos: qos, retain: retain)
    }

    private mutating func broker(_ values: YAMLNodes.Values, of node: Node) -> (host: String, port: Int)? {
        guard let host = values["host"] else {
            nodes.note(at: node, "'mqtt' has no 'host'; add the broker's host: NAME")
            return nil
        }
        let port = values["port"].map { nodes.count($0, "'port'", in: 1...65_535) } ?? 1883
        guard let name = nodes.name(host, "'host'"), let port else { return nil }
        // An IPv6 address consists of hexadecimal digits, colons and dots.
        let isAddress = name.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        guard !name.contains(where: { $0.isWhitespace || $0 == "/" || $0 == ":" && !isAddress }) else {
            nodes.note(
                at: host, "'host' must be a name or an address alone (got '\(name)'); write the port as port: NUMBER"
            )
            return nil
        }
        return (name, port)
    }

    /// The first levels of a topic.
    private mutating func topicStart(_ node: Node, _ what: String) -> String? {
        guard let topic = nodes.name(node, what) else { return nil }
        guard !topic.contains(where: { "+#$".contains($0) }), !topic.hasPrefix("/"), !topic.hasSuffix("/") else {
            nodes.note(
                at: node, "\(what) must not contain '+', '#' or '$', nor begin or end with '/' (got '\(topic)')")
            return nil
        }
        return topic
    }
}
