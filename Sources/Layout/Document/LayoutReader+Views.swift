import Foundation
import Yams

nonisolated extension LayoutReader {
    private static let viewKeys = [
        "id", "frame", "hidden", "enabled", "alpha", "multiple-touch", "exclusive-touch", "on", "views",
    ]

    mutating func views(_ node: Node, depth: Int) -> [ViewSpec] {
        guard depth <= Self.depthLimit else {
            nodes.note(at: node, "views are nested more than \(Self.depthLimit) deep; flatten them")
            return []
        }
        guard let items = nodes.sequence(node, "'views'") else { return [] }
        var views: [ViewSpec] = []
        for item in items where !nodes.isExhausted {
            if let view = view(item, depth: depth) { views.append(view) }
        }
        return views
    }

    private mutating func view(_ node: Node, depth: Int) -> ViewSpec? {
        guard let values = nodes.mapping(node, "a view", keys: Self.viewKeys) else { return nil }
        let id = values["id"].flatMap { self.identifier($0) }
        let name = id.map { "view '\($0)'" } ?? "a view"
        let frame = values["frame"].flatMap { self.frame($0, of: name) }
        if values["frame"] == nil {
            nodes.note(at: node, "\(name) has no 'frame'; add frame: [x, y, width, height], in points of its superview")
        }
        let view = ViewSpec(
            location: nodes.location(of: node),
            id: id,
            frame: frame ?? .zero,
            isHidden: flag(values["hidden"], "'hidden'", default: false),
            isEnabled: flag(values["enabled"], "'enabled'", default: true),
            alpha: values["alpha"].flatMap { self.alpha($0) } ?? 1,
            isMultipleTouchEnabled: flag(values["multiple-touch"], "'multiple-touch'", default: false),
            isExclusiveTouch: flag(values["exclusive-touch"], "'exclusive-touch'", default: false),
            on: values["on"].map { bindings($0) } ?? [],
            views: values["views"].map { self.views($0, depth: depth + 1) } ?? [])
        return frame == nil ? nil : view
    }

    private mutating func identifier(_ node: Node) -> String? {
        nodes.string(node, "'id'").flatMap { nodes.checkName($0, "'id'", at: node) ? $0 : nil }
    }

    private mutating func frame(_ node: Node, of name: String) -> CGRect? {
        let names = ["x", "y", "width", "height"]
        guard let numbers = nodes.numbers(node, "the frame of \(name)", named: names) else { return nil }
        guard numbers.allSatisfy({ abs($0) <= 1_000_000 }) else {
            nodes.note(at: node, "the frame of \(name) reaches further than a million points")
            return nil
        }
        guard numbers[2] >= 0, numbers[3] >= 0 else {
            nodes.note(at: node, "the frame of \(name) has a width or height below 0")
            return nil
        }
        return CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    private mutating func alpha(_ node: Node) -> CGFloat? {
        guard let value = nodes.number(node, "'alpha'") else { return nil }
        guard (0...1).contains(value) else {
            nodes.note(at: node, "'alpha' has to lie between 0 and 1, and is \(value)")
            return nil
        }
        return CGFloat(value)
    }

    private mutating func flag(_ node: Node?, _ what: String, default fallback: Bool) -> Bool {
        node.flatMap { nodes.bool($0, what) } ?? fallback
    }
}
