import Foundation

nonisolated extension LayoutReader {
    /// The size of the first screen; a default if the file has an error there, so that reading can continue.
    var firstScreenSize: CGSize { document.screens.first?.size ?? CGSize(width: 1920, height: 1080) }

    func screenSize(named name: String?) -> CGSize {
        guard let name else { return firstScreenSize }
        return document.screens.first { $0.name == name }?.size ?? firstScreenSize
    }

    /// `screen:`, the only screen, or `screens:`, several screens by name.
    mutating func screens(_ values: YAMLNodes.Values, of root: Node) {
        switch (values["screen"], values["screens"]) {
        case (let screen?, nil):
            if let size = size(screen, of: "'screen'") { document.screens = [ScreenSpec(name: nil, size: size)] }
        case (nil, let screens?):
            guard let entries = nodes.entries(screens, "'screens'") else { return }
            if entries.isEmpty { nodes.note(at: screens, "'screens' is empty; add a screen") }
            guard entries.count <= LayoutLimit.screens else {
                return nodes.note(
                    at: screens,
                    "a layout may have at most \(LayoutLimit.screens) screens (got \(entries.count)); remove some")
            }
            for (key, name, value) in entries where nodes.checkName(name, "a screen's name", at: key) {
                let size = size(value, of: "screen '\(name)'")
                document.screens.append(ScreenSpec(name: name, size: size ?? firstScreenSize))
            }
        case (_?, let screens?):
            nodes.note(at: screens, "a layout has either 'screen' or 'screens'; keep one")
        case (nil, nil):
            nodes.note(at: root, "the layout has no 'screen'; add screen: {size: [WIDTH, HEIGHT]}, in points")
        }
    }

    private mutating func size(_ node: Node, of what: String) -> CGSize? {
        guard let values = nodes.mapping(node, what, keys: ["size"]) else { return nil }
        guard let size = values["size"] else {
            nodes.note(at: node, "\(what) has no 'size'; add size: [WIDTH, HEIGHT], in points")
            return nil
        }
        guard let numbers = nodes.numbers(size, "the screen's size", named: ["width", "height"]) else { return nil }
        guard numbers.allSatisfy({ (1...100_000).contains($0) }) else {
            nodes.note(at: size, "the screen's width and height must be between 1 and 100000 points")
            return nil
        }
        return CGSize(width: numbers[0], height: numbers[1])
    }

    /// The `screen:` of a page or a view.
    mutating func screenName(_ node: Node) -> String? {
        guard let name = nodes.string(node, "'screen'") else { return nil }
        references.mention(name, as: .screen, at: node)
        return name
    }
}
