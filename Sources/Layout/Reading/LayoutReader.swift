import Foundation

/// Reads a layout's text and its included files into a `LayoutDocument`, and reports every error in them.
nonisolated struct LayoutReader {
    var nodes = YAMLNodes()
    /// The part of the document that was read.
    var document = LayoutDocument(
        screens: [], devices: [], on: [], views: [], pages: [], handlers: [], idle: [], warnings: [])
    /// The names that must exist, for the checker.
    var references = References()
    /// The `defaults:` of the current file.
    var defaults = Defaults()
    /// The files that were read or are being read.
    var sources = Sources()
    /// The first key that is only for forwarded panels.
    var firstForward: Node?
    /// The number of views.
    var viewCount = 0
    /// The severity of a file that belongs to another user or that another user can replace; nil to skip this check.
    var foreignFiles: LayoutFinding.Severity?
    /// The handlers that published views may run; nil while a layout file is read.
    var slotHandlers: Set<String>?

    /// Reads a layout's text; nil if it is not a mapping.
    mutating func read(_ text: String, file: String) -> LayoutDocument? {
        sources.begin(main: file, text)
        guard let root = nodes.root(of: text, file: file) else { return nil }
        guard contents(root, isMain: true) else { return nil }
        guard !nodes.isTooLarge else { return nil }
        document.idle.sort { $0.delay < $1.delay }
        if let firstForward, document.tuio == nil, !document.devices.contains(where: { $0.forwards == true }) {
            nodes.note(
                .warning, at: firstForward,
                "no touch is forwarded: no device rule has forward: true; add it to the rule of the touchscreen")
        }
        return document
    }

    /// Reads all keys of a file.
    mutating func contents(_ root: Node, isMain: Bool) -> Bool {
        var keys = ["include", "defaults", "devices", "on", "views", "pages", "handlers", "idle"]
        if isMain {
            keys = ["screen", "screens"] + keys
            keys += ["journal", "recording", "reload", "strict", "forward", "tuio", "mqtt", "watchdog", "version"]
        }
        guard let values = nodes.mapping(root, isMain ? "the layout" : "an included file", keys: keys) else {
            return false
        }
        if isMain {
            screens(values, of: root)
            if let node = values["journal"] { journal(node) }
            if let node = values["recording"] { recording(node) }
            if let node = values["tuio"] { tuio(node) }
            if let node = values["mqtt"] { mqttState(node) }
            if let node = values["reload"] { reload(node) }
            if let node = values["strict"] { document.isStrict = nodes.bool(node, "'strict'") ?? false }
            if let node = values["forward"] { forward(node) }
            if let node = values["watchdog"] { watchdog(node) }
            if let node = values["version"] { document.version = nodes.name(node, "'version'") }
        }
        let formerDefaults = defaults
        defaults = values["defaults"].map { self.defaults($0) } ?? Defaults()
        if let node = values["devices"] { document.devices += devices(node) }
        if let node = values["on"] { document.on += bindings(node, for: .layout) }
        if let node = values["views"] {
            document.views += views(node, in: Context(size: firstScreenSize, level: .everyPage))
        }
        if let node = values["pages"] { pages(node) }
        if let node = values["handlers"] { handlers(node) }
        if let node = values["idle"] { idle(node) }
        defaults = formerDefaults
        if let node = values["include"] { include(node) }
        return true
    }
}

/// `defaults:`, the values of a file for views and gestures that do not set them.
nonisolated struct Defaults {
    var view = YAMLNodes.Values()
    var gesture = YAMLNodes.Values()
}
