import Foundation
import Yams

/// Turns a layout's text into a `LayoutDocument`, or into every mistake found in it.
nonisolated struct LayoutReader {
    /// UIKit's hit-test walks down the tree; no screen needs a tree deeper than this.
    static let depthLimit = 200

    var nodes: YAMLNodes
    /// Every name under `handlers:`, those with a mistake too, so that one mistake is not reported as two.
    var declaredHandlers: Set<String> = []

    init(file: String) { nodes = YAMLNodes(file: file) }

    mutating func read(_ text: String) -> LayoutDocument? {
        guard let root = nodes.root(of: text) else { return nil }
        let keys = ["screen", "devices", "on", "views", "handlers"]
        guard let values = nodes.mapping(root, "the layout", keys: keys) else { return nil }

        guard let screenNode = values["screen"] else {
            nodes.note(at: root, "the layout has no 'screen'; add screen: {size: [WIDTH, HEIGHT]}, in points")
            return nil
        }
        let screen = self.screen(screenNode)
        let width = screen.map { Double($0.size.width) } ?? 1
        let devices = values["devices"].map { self.devices($0, width: width) } ?? []
        let on = values["on"].map { bindings($0) } ?? []
        let views = values["views"].map { self.views($0, depth: 1) } ?? []
        let handlers = values["handlers"].map { self.handlers($0) } ?? []
        if nodes.isTooLarge {
            nodes.note(at: root, "aliases make this layout larger than \(YAMLNodes.nodeLimit) nodes; write less of it")
            return nil
        }
        guard let screen else { return nil }
        return LayoutDocument(
            screens: [screen], devices: devices, on: on, views: views, pages: [], handlers: handlers, idle: [],
            warnings: []
        )
    }

    private mutating func screen(_ node: Node) -> ScreenSpec? {
        guard let values = nodes.mapping(node, "'screen'", keys: ["size"]) else { return nil }
        guard let size = values["size"] else {
            nodes.note(at: node, "'screen' has no 'size'; add size: [WIDTH, HEIGHT], in points")
            return nil
        }
        guard let numbers = nodes.numbers(size, "the screen's size", named: ["width", "height"]) else { return nil }
        guard numbers.allSatisfy({ (1...100_000).contains($0) }) else {
            nodes.note(at: size, "the screen's width and height have to lie between 1 and 100000 points")
            return nil
        }
        return ScreenSpec(name: nil, size: CGSize(width: numbers[0], height: numbers[1]))
    }
}
