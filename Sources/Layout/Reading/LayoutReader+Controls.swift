nonisolated extension LayoutReader {
    /// `control:`; the value `none` overrides `defaults`.
    mutating func control(_ node: Node) -> ControlSpec? {
        let kinds = ["button", "toggle", "repeat", "none"]
        if node.isScalar {
            switch nodes.keyword(node, "'control'", of: kinds) {
            case "button": return .button
            case "toggle": return .toggle(isOn: false)
            case "repeat": return .repeating(delay: 0.5, interval: 0.1)
            default: return nil
            }
        }
        guard let values = nodes.mapping(node, "'control'", keys: ["toggle", "repeat"]) else { return nil }
        guard values.count == 1 else {
            nodes.note(at: node, "'control' must be one thing: \(YAMLNodes.alternatives(kinds))")
            return nil
        }
        if let toggle = values["toggle"] {
            guard let values = nodes.mapping(toggle, "'toggle'", keys: ["on"]) else { return nil }
            return .toggle(isOn: flag(values["on"], "'on' of 'toggle'", default: false))
        }
        guard let node = values["repeat"], let values = nodes.mapping(node, "'repeat'", keys: ["after", "every"])
        else { return nil }
        // Repeats faster than the display's refresh have no use, and without a pause they would never end.
        let delay = values["after"].map { seconds($0, "'after'", in: .milliseconds(50) ... .seconds(60)) } ?? 0.5
        let interval = values["every"].map { seconds($0, "'every'", in: .milliseconds(10) ... .seconds(60)) } ?? 0.1
        guard let delay, let interval else { return nil }
        return .repeating(delay: delay, interval: interval)
    }
}
