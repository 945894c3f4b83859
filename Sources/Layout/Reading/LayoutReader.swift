import Foundation

/// Reads a layout's text and its included files into a `LayoutDocument`, and reports every error in them.
nonisolated struct LayoutReader {
    var nodes = YAMLNodes()
    /// The mapping that is read.
    var at = Visit()
    /// The position of the word that is read, and of the next given one; here, because every word compares them.
    var position = -1
    var next = Int.max
    /// Whether words are described, and none is read.
    var isDescribing = false
    /// The visits of the mappings around it, to use again.
    var visits: [Visit] = []
    /// The number of mappings around it.
    var depth = 0
    /// The screens of the layout.
    var screens: [ScreenSpec] = []
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
        guard let root = nodes.root(of: text, file: file),
            let file = section(
                FileWords(), at: root, called: "the layout", in: .mainFile),
            !nodes.isTooLarge
        else { return nil }
        // The YAML tree is large.
        visits = []
        var document = file.document
        document.screens = screens
        document.idle.sort { $0.delay < $1.delay }
        if let firstForward, document.tuio == nil, !document.devices.contains(where: { $0.forwards == true }) {
            nodes.note(
                .warning, at: firstForward,
                "no touch is forwarded: no device rule has forward: true; add it to the rule of the touchscreen")
        }
        return document
    }

    /// The size of the first screen; a default if the file has an error there, so that reading can continue.
    var firstScreenSize: CGSize { screens.first?.size ?? CGSize(width: 1920, height: 1080) }

    func screenSize(named name: String?) -> CGSize {
        guard let name else { return firstScreenSize }
        return screens.first { $0.name == name }?.size ?? firstScreenSize
    }
}
