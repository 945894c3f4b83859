nonisolated extension LayoutReader {
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
}
