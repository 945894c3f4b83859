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

    // MARK: Included files

    /// The files of a layout.
    struct Sources {
        /// The files in the order in which they were read, which is also the order of findings.
        private(set) var read = LayoutSnapshot()
        /// The files to read from instead of the disk; nil for the disk.
        var snapshot: LayoutSnapshot?
        /// The files being read; each is included by the one before it.
        fileprivate var open: [(path: String, identity: LayoutFile.Identity?)] = []
        fileprivate var places: [LayoutFile.Identity: SourceLocation] = [:]
        fileprivate var byteCount = 0
        fileprivate var mainIdentity: LayoutFile.Identity?
        /// The owner of the layout's main file; nil if the layout is not a file.
        fileprivate var owner: uid_t?

        init() {}

        /// - Parameter main: The layout's main file.
        init(main: LayoutFile) {
            mainIdentity = main.identity
            owner = main.owner
        }

        mutating func begin(main path: String, _ text: String) {
            read.files = [LayoutSnapshot.File(path: path, text: text)]
            open = [(path, mainIdentity)]
        }

        fileprivate mutating func begin(_ path: String, _ identity: LayoutFile.Identity, _ text: String) {
            read.files.append(LayoutSnapshot.File(path: path, text: text))
            open.append((path, identity))
            byteCount += text.utf8.count
        }

        fileprivate mutating func end() { open.removeLast() }
    }

    /// `include:`, paths of files, and of directories whose `*.yaml` files are read in the order of their names.
    mutating func include(_ node: Node, into document: inout LayoutDocument) {
        for item in nodes.oneOrMore(node) {
            guard let path = nodes.string(item, "a path to include") else { continue }
            guard !path.isEmpty, !path.utf8.contains(0) else {
                nodes.note(at: item, "a path to include must name a file or a directory")
                continue
            }
            include(path, at: item, into: &document)
        }
    }

    private mutating func include(_ path: String, at node: Node, into document: inout LayoutDocument) {
        let base = (sources.open.last?.path as NSString?)?.deletingLastPathComponent ?? ""
        let full = path.hasPrefix("/") || base.isEmpty ? path : (base as NSString).appendingPathComponent(path)
        if let snapshot = sources.snapshot {
            for (number, file) in snapshot.files(at: full) {
                read(LayoutFile(text: file.text, number: number), path: file.path, at: node, into: &document)
            }
            return
        }
        do throws(LayoutFileError) {
            let file = try LayoutFile(path: full, allowsDirectory: true)
            switch file.content {
            case .text: read(file, path: full, at: node, into: &document)
            case .directory(let directory):
                noteDoubt(of: file, at: full)
                for name in directory.names {
                    let path = (full as NSString).appendingPathComponent(name)
                    do throws(LayoutFileError) {
                        read(try directory.file(name), path: path, at: node, into: &document)
                    } catch {
                        nodes.findings.add(error.finding(file: path))
                    }
                }
            }
        } catch {
            references.isIncomplete = true
            if case .notUTF8 = error { return nodes.findings.add(error.finding(file: full)) }
            nodes.note(at: node, "cannot include '\(path)': \(error.messageForInclude)")
        }
    }

    /// Reports that another user could change or replace a file.
    mutating func noteDoubt(of file: LayoutFile, at path: String) {
        guard let foreignFiles, let trustProblem = file.trustProblem else { return }
        nodes.note(foreignFiles, at: SourceLocation(file: path), trustProblem.description)
    }

    private mutating func read(
        _ file: LayoutFile, path: String, at node: Node, into document: inout LayoutDocument
    ) {
        guard case .text(let text) = file.content else { return }
        if let cycle = sources.open.firstIndex(where: { $0.identity == file.identity }) {
            let way = sources.open[cycle...].map(\.path) + [path]
            return nodes.note(at: node, "files include each other in a circle: \(way.joined(separator: " → "))")
        }
        if let first = sources.places[file.identity] {
            return nodes.note(at: node, "'\(path)' is included twice; the first is at \(first)")
        }
        guard sources.open.count <= LayoutLimit.includeDepth else {
            return nodes.note(at: node, "files are included more than \(LayoutLimit.includeDepth) deep; flatten them")
        }
        guard sources.read.files.count <= LayoutLimit.includeCount else {
            return nodes.note(at: node, "more than \(LayoutLimit.includeCount) files are included; join some")
        }
        guard sources.byteCount + text.utf8.count <= LayoutLimit.includedSize else {
            return nodes.note(at: node, "the included files have more than \(LayoutLimit.includedSize) bytes together")
        }
        noteDoubt(of: file, at: path)
        // The layout's author may not have permission to read the included file (/etc/shadow, checked by root).
        if let owner = sources.owner, owner != file.owner { nodes.findings.conceal(path) }
        sources.places[file.identity] = node.location
        sources.begin(path, file.identity, text)
        defer { sources.end() }
        guard let root = nodes.root(of: text, file: path, ifEmpty: .warning),
            let words = section(FileWords(document: document), at: root, called: "an included file")
        else {
            references.isIncomplete = true
            return
        }
        document = words.document
    }
}

nonisolated extension LayoutFileError {
    fileprivate var messageForInclude: String {
        switch self {
        case .cannotOpen(let error), .cannotRead(let error): String(cString: strerror(error))
        default: description
        }
    }
}

/// The names that a layout's parts mention, with their locations; the checker resolves them after all files are read.
nonisolated struct References {
    /// The kind of part that a name refers to.
    enum Kind {
        case page, view, toggle, gesture, screen
    }

    /// A mention of a name.
    struct Mention {
        var kind: Kind
        var name: String
        var location: SourceLocation
    }

    /// Mentions of pages, views, gestures and screens; the bindings contain those of handlers.
    var mentions: [Mention] = []
    /// Every name under `handlers:`, including invalid entries, so that one error is not reported twice.
    var handlers: [String: SourceLocation] = [:]
    /// Every name under `pages:`, likewise.
    var pages: [String: SourceLocation] = [:]
    /// Facts in templates that no event provides, so they must be arguments, each with its handler.
    var otherFacts: [(name: String, handler: String?, location: SourceLocation)] = []
    /// The names of the arguments that each handler receives anywhere.
    var arguments: [String: Set<String>] = [:]
    /// The names of all slots.
    var slots: [String: SourceLocation] = [:]
    /// The handlers that published views may run, with arguments that only they know.
    var slotHandlers: Set<String> = []
    /// Whether views or gestures could not be read, so a missing name may be one of them.
    var isIncomplete = false
    /// The handler that is being read.
    var currentHandler: String?

    mutating func mention(_ name: String, as kind: Kind, at node: Node) {
        mentions.append(Mention(kind: kind, name: name, location: node.location))
    }
}
