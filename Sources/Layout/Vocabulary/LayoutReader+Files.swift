import Basics
import Foundation

nonisolated extension LayoutReader {
    /// Reads a layout's text; nil if it is not a mapping.
    mutating func read(_ text: String, file: String) -> LayoutDocument? {
        sources.begin(main: file, text)
        guard let root = root(of: text, file: file),
            let file = section(
                FileWords(), at: root, called: "the layout", in: .mainFile),
            !isTooLarge
        else { return nil }
        // The YAML tree is large.
        visits = []
        var document = file.document
        document.screens = screens
        document.idle.sort { $0.delay < $1.delay }
        if let firstForward, document.tuio == nil, !document.devices.contains(where: { $0.forwards == true }) {
            note(
                .warning, at: firstForward,
                "no touch is forwarded: no device rule has forward: true; add it to the rule of the touchscreen")
        }
        return document
    }

    // MARK: Included files

    /// The files of a layout.
    struct Sources {
        /// The files in the order in which they were read, which is also the order of findings.
        private(set) var read = LayoutSnapshot()
        /// The paths that were asked for on the disk.
        private(set) var paths = LayoutPaths()
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

        /// - Parameters:
        ///   - main: The layout's main file.
        ///   - paths: The path of the main file.
        init(main: LayoutFile, paths: LayoutPaths) {
            self.paths = paths
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

        /// Opens what a path of `include:` names, or a file of an included folder.
        fileprivate mutating func opened(
            _ path: String, in folder: LayoutFile.Directory? = nil
        ) throws(LayoutFileError) -> LayoutFile {
            let file =
                if let snapshot {
                    try LayoutFile(path: path, of: snapshot)
                } else {
                    try paths.read(path, folder == nil ? .included : .inFolder, in: folder)
                }
            if case .directory(let directory) = file.content {
                read.folders.append(LayoutSnapshot.Folder(path: path, names: directory.names))
            }
            return file
        }
    }

    /// `include:`, paths of files, and of directories whose `*.yaml` files are read in the order of their names.
    mutating func include(_ node: Node, into document: inout LayoutDocument) {
        for item in oneOrMore(node) {
            guard let path = string(item, "a path to include") else { continue }
            guard !path.isEmpty, !path.utf8.contains(0) else {
                note(at: item, "a path to include must name a file or a directory")
                continue
            }
            include(path, at: item, into: &document)
        }
    }

    private mutating func include(_ path: String, at node: Node, into document: inout LayoutDocument) {
        let base = (sources.open.last?.path as NSString?)?.deletingLastPathComponent ?? ""
        let full = path.hasPrefix("/") || base.isEmpty ? path : (base as NSString).appendingPathComponent(path)
        do throws(LayoutFileError) {
            let file = try sources.opened(full)
            switch file.content {
            case .text: read(file, path: full, at: node, into: &document)
            case .directory(let directory):
                noteDoubt(of: file, at: full)
                for name in directory.names {
                    let path = (full as NSString).appendingPathComponent(name)
                    do throws(LayoutFileError) {
                        read(try sources.opened(path, in: directory), path: path, at: node, into: &document)
                    } catch {
                        findings.add(error.finding(file: path))
                    }
                }
            }
        } catch {
            references.isIncomplete = true
            if case .notUTF8 = error { return findings.add(error.finding(file: full)) }
            note(at: node, "cannot include '\(path)': \(error.messageForInclude)")
        }
    }

    /// Reports that another user could change or replace a file.
    mutating func noteDoubt(of file: LayoutFile, at path: String) {
        guard let foreignFiles, let trustProblem = file.trustProblem else { return }
        note(foreignFiles, at: SourceLocation(file: path), trustProblem.description)
    }

    private mutating func read(
        _ file: LayoutFile, path: String, at node: Node, into document: inout LayoutDocument
    ) {
        guard case .text(let text) = file.content else { return }
        if let cycle = sources.open.firstIndex(where: { $0.identity == file.identity }) {
            let way = sources.open[cycle...].map(\.path) + [path]
            return note(at: node, "files include each other in a circle: \(way.joined(separator: " → "))")
        }
        if let first = sources.places[file.identity] {
            return note(at: node, "'\(path)' is included twice; the first is at \(first)")
        }
        guard sources.open.count <= LayoutLimit.includeDepth else {
            return note(at: node, "files are included more than \(LayoutLimit.includeDepth) deep; flatten them")
        }
        guard sources.read.files.count <= LayoutLimit.includeCount else {
            return note(at: node, "more than \(LayoutLimit.includeCount) files are included; join some")
        }
        guard sources.byteCount + text.utf8.count <= LayoutLimit.includedSize else {
            return note(at: node, "the included files have more than \(LayoutLimit.includedSize) bytes together")
        }
        noteDoubt(of: file, at: path)
        // The layout's author may not have permission to read the included file (/etc/shadow, checked by root).
        if let owner = sources.owner, owner != file.owner { findings.conceal(path) }
        sources.places[file.identity] = node.location
        sources.begin(path, file.identity, text)
        defer { sources.end() }
        guard let root = root(of: text, file: path, ifEmpty: .warning),
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
        case .cannotOpen(let error), .cannotRead(let error): ErrorText.of(error)
        default: description
        }
    }
}
