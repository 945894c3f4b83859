import Foundation

nonisolated extension LayoutReader {
    /// The layout's `forward:`, true, false or a mapping.
    mutating func forward(_ node: Node) {
        if node.isScalar {
            document.forward.isDefault = forwardFlag(node, "'forward'") ?? true
            return
        }
        firstForward = firstForward ?? node
        guard let values = nodes.mapping(node, "'forward'", keys: ["default", "cooldown", "lift-cancelled"]) else {
            return
        }
        document.forward.isDefault = values["default"].flatMap { nodes.bool($0, "'default' of 'forward'") } ?? true
        document.forward.cooldown = cooldown(values["cooldown"])
        document.forward.liftsCancelled =
            values["lift-cancelled"].flatMap { nodes.bool($0, "'lift-cancelled' of 'forward'") } ?? false
    }

    /// True or false for forwarded panels.
    mutating func forwardFlag(_ node: Node, _ what: String) -> Bool? {
        firstForward = firstForward ?? node
        return nodes.bool(node, what)
    }

    /// `cooldown:`; 0 for none.
    mutating func cooldown(_ node: Node?) -> TimeInterval {
        node.flatMap { seconds($0, "'cooldown'", in: .milliseconds(1) ... .seconds(60)) } ?? 0
    }
}
