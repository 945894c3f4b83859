import Foundation

nonisolated extension LayoutReader {
    /// `tuio:`, where touches are sent as TUIO 1.1.
    mutating func tuio(_ node: Node) {
        guard let values = nodes.mapping(node, "'tuio'", keys: ["host", "port"]) else { return }
        let host = values["host"].map { nodes.name($0, "'host'") } ?? "127.0.0.1"
        let port = values["port"].map { nodes.count($0, "'port'", in: 1...65_535) } ?? 3333
        guard let host, let port else { return }
        var address = in6_addr()
        guard inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1 else {
            return nodes.note(
                at: values["host"] ?? node,
                "'host' must be an IP address (got '\(host)'); touchd looks up no names for touches")
        }
        document.tuio = TUIOSpec(host: host, port: port)
    }
}
