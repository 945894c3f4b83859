import Foundation

/// Turns a layout's text, and the files that it includes, into a `LayoutDocument`, or into every mistake found in them.
nonisolated struct LayoutReader {
    var nodes = YAMLNodes()
    /// What was read so far.
    var document = LayoutDocument(
        screens: [], devices: [], on: [], views: [], pages: [], handlers: [], idle: [], warnings: [])
    /// What the file says of names that have to exist, for the checker.
    var references = References()
    /// `defaults:` of the file at hand.
    var defaults = Defaults()
    /// The files that are being read, and those that were.
    var sources = Sources()
    /// How many views there are.
    var viewCount = 0
    /// How much it matters that a file is another user's, or could be replaced by one; nil for not at all.
    var foreignFiles: LayoutFinding.Severity?

    /// Reads a layout's text; nil where it is not even a mapping.
    mutating func read(_ text: String, file: String) -> LayoutDocument? {
        sources.begin(main: file)
        guard let root = nodes.root(of: text, file: file) else { return nil }
        guard contents(root, isMain: true) else { return nil }
        guard !nodes.isTooLarge else { return nil }
        document.idle.sort { $0.delay < $1.delay }
        return document
    }

    /// Everything that a file says.
    mutating func contents(_ root: Node, isMain: Bool) -> Bool {
        var keys = ["include", "defaults", "devices", "on", "views", "pages", "handlers", "idle"]
        if isMain { keys = ["screen", "screens"] + keys + ["journal", "recording"] }
        guard let values = nodes.mapping(root, isMain ? "the layout" : "an included file", keys: keys) else {
            return false
        }
        if isMain {
            screens(values, of: root)
            if let node = values["journal"] { journal(node) }
            if let node = values["recording"] { recording(node) }
        }
        let formerDefaults = defaults
        defaults = values["defaults"].map { self.defaults($0) } ?? Defaults()
        if let node = values["devices"] { document.devices += devices(node) }
        if let node = values["on"] { document.on += bindings(node, for: .layout) }
        if let node = values["views"] {
            document.views += views(node, in: Surroundings(size: firstScreenSize, level: .everyPage))
        }
        if let node = values["pages"] { pages(node) }
        if let node = values["handlers"] { handlers(node) }
        if let node = values["idle"] { idle(node) }
        defaults = formerDefaults
        if let node = values["include"] { include(node) }
        return true
    }
}
