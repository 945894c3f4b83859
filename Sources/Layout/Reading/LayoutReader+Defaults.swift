nonisolated extension LayoutReader {
    mutating func defaults(_ node: Node) -> Defaults {
        guard let values = nodes.mapping(node, "'defaults'", keys: ["view", "gesture"]) else { return Defaults() }
        var defaults = Defaults()
        if let view = values["view"] {
            defaults.view = viewDefaults(view)
        }
        if let gesture = values["gesture"] {
            let keys = ["cancels-touches"] + GestureName.allCases.filter { $0 != .sequence }.map(\.rawValue)
            defaults.gesture = nodes.mapping(gesture, "'gesture' of 'defaults'", keys: keys) ?? .init()
        }
        checkValues(of: defaults)
        return defaults
    }

    /// Reads the values once, so that an error in them is reported exactly once, even if no view uses them.
    private mutating func checkValues(of defaults: Defaults) {
        for (name, node) in defaults.gesture.all {
            if name == "cancels-touches" {
                _ = nodes.bool(node, "'cancels-touches'")
            } else if let gesture = GestureName(rawValue: name) {
                _ = kind(gesture, node, defaults: .init())
            }
        }
    }
}
