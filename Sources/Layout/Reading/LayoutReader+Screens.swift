import Foundation

nonisolated extension LayoutReader {
    /// The size of the first screen; a default if the file has an error there, so that reading can continue.
    var firstScreenSize: CGSize { screens.first?.size ?? CGSize(width: 1920, height: 1080) }

    func screenSize(named name: String?) -> CGSize {
        guard let name else { return firstScreenSize }
        return screens.first { $0.name == name }?.size ?? firstScreenSize
    }

    /// The `screen:` of a page or a view.
    mutating func screenName(_ node: Node) -> String? {
        guard let name = nodes.string(node, "'screen'") else { return nil }
        references.mention(name, as: .screen, at: node)
        return name
    }
}
