nonisolated extension LayoutReader {
    static let defaultViewKeys = [
        "shape", "slop", "hidden", "enabled", "alpha", "multiple-touch", "exclusive-touch", "private", "control",
    ]

    mutating func defaults(_ node: Node) -> Defaults {
        guard let values = nodes.mapping(node, "'defaults'", keys: ["view", "gesture"]) else { return Defaults() }
        var defaults = Defaults()
        if let view = values["view"] {
            defaults.view = nodes.mapping(view, "'view' of 'defaults'", keys: Self.defaultViewKeys) ?? .init()
        }
        if let gesture = values["gesture"] {
            defaults.gesture = gestureDefaults(gesture)
        }
        checkValues(of: defaults)
        return defaults
    }

    /// Reads the values once, so that an error in them is reported exactly once, even if no view uses them.
    private mutating func checkValues(of defaults: Defaults) {
        for (name, node) in defaults.view.all {
            switch name {
            case "shape": _ = shape(node, size: .zero)
            case "slop": _ = slop(node)
            case "alpha": _ = nodes.number(node, "'alpha'", in: 0...1)
            case "control": _ = control(node)
            default: _ = nodes.bool(node, "'\(name)'")
            }
        }
    }
}
