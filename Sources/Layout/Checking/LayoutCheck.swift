import Foundation

/// The result of checking a layout.
package nonisolated struct LayoutCheck: Sendable {
    /// The layout; nil if it has an error.
    package let document: LayoutDocument?
    /// All errors and warnings, in the order of the files: up to 100 of each, and one more that reports an overflow.
    package let findings: [LayoutFinding]
    /// The kind of failure; nil if the layout has no error.
    package let failure: LayoutError.Kind?
    /// The cost of the check.
    package let cost: LayoutCost
    /// The files that were read, with or without errors.
    package var files = LayoutSnapshot()
    /// The paths that were asked for, whether they could be read or not; none for a text or a snapshot.
    package var paths = LayoutPaths()
}

nonisolated extension LayoutDocument {
    /// Reads and checks a layout and its included files. `touchd check`, `run`, reload and selftest all use it.
    ///
    /// It depends only on files (the layout's, and the programs that it names), so it may be called on any thread. Its
    /// cost is limited; docs/layout.md lists the limits.
    ///
    /// - Parameters:
    ///   - path: A regular file, not a symbolic link, of at most 16 MiB in UTF-8 that only its owner can write to. The
    ///     same holds for included files. Each file is opened once.
    ///   - builtins: Names that `on:` may use although `handlers:` does not define them: those that a program
    ///     registered.
    ///   - foreignFiles: The severity of a file or `exec` program that belongs to another user or that another user can
    ///     replace; nil to skip this check, if the caller trusts the files.
    package static func check(
        path: String, handlers builtins: some Collection<String>, foreignFiles: LayoutFinding.Severity? = nil
    ) -> LayoutCheck {
        let file: LayoutFile
        var paths = LayoutPaths()
        do throws(LayoutFileError) {
            file = try paths.read(path, .main)
        } catch {
            return LayoutCheck(
                document: nil, findings: [error.finding(file: path)], failure: error.kind, cost: LayoutCost(),
                paths: paths)
        }
        guard case .text(let text) = file.content else { preconditionFailure("a directory was read as a layout") }
        return check(text: text, path: path, of: (file, paths), handlers: builtins, foreignFiles: foreignFiles)
    }

    /// Reads and checks the text of a layout.
    ///
    /// - Parameter file: The file name in findings; included paths are relative to it.
    package static func check(
        text: String, file: String, handlers builtins: some Collection<String>,
        foreignFiles: LayoutFinding.Severity? = nil
    ) -> LayoutCheck {
        check(text: text, path: file, of: nil, handlers: builtins, foreignFiles: foreignFiles)
    }

    /// Reads and checks a layout from the texts of its files instead of the disk.
    package static func check(
        _ snapshot: LayoutSnapshot, handlers builtins: some Collection<String>,
        foreignFiles: LayoutFinding.Severity? = nil
    ) -> LayoutCheck {
        let main = snapshot.files.first ?? LayoutSnapshot.File(path: "", text: "")
        return check(
            text: main.text, path: main.path, of: nil, in: snapshot, handlers: builtins, foreignFiles: foreignFiles)
    }

    private static func check(
        text: String, path: String, of main: (file: LayoutFile, paths: LayoutPaths)?,
        in snapshot: LayoutSnapshot? = nil,
        handlers builtins: some Collection<String>, foreignFiles: LayoutFinding.Severity?
    ) -> LayoutCheck {
        var reader = LayoutReader()
        reader.sources.snapshot = snapshot
        reader.foreignFiles = foreignFiles
        if let main {
            reader.sources = LayoutReader.Sources(main: main.file, paths: main.paths)
            reader.noteDoubt(of: main.file, at: path)
        }
        var document = reader.read(text, file: path)
        var findings = reader.findings
        var cost = reader.cost
        // If names are missing because they were not read, checking them would report false errors.
        if let document, !reader.hidesNames, !reader.isExhausted {
            var checker = LayoutChecker(document, by: reader, builtins: Set(builtins))
            checker.check()
            findings = checker.findings
            cost = checker.cost
        }
        let ordered = findings.inOrder(of: reader.sources.read.files.map(\.path))
        if findings.hasErrors { document = nil }
        document?.warnings = ordered
        document?.fileHash = reader.sources.read.hash
        return LayoutCheck(
            document: document, findings: ordered, failure: document == nil ? .invalid : nil, cost: cost,
            files: reader.sources.read, paths: reader.sources.paths)
    }
}

nonisolated extension LayoutDocument {
    /// Reads and checks a layout and its included files; see `check(path:handlers:foreignFiles:)`.
    ///
    /// - Throws: All errors and warnings in the files, if there is an error.
    package init(
        path: String, handlers builtins: some Collection<String>, foreignFiles: LayoutFinding.Severity? = nil
    ) throws(LayoutError) {
        self = try Self.check(path: path, handlers: builtins, foreignFiles: foreignFiles).get()
    }

    /// Reads and checks the text of a layout.
    ///
    /// - Parameter file: The file name in findings; included paths are relative to it.
    package init(text: String, file: String, handlers builtins: some Collection<String>) throws(LayoutError) {
        self = try Self.check(text: text, file: file, handlers: builtins).get()
    }
}

nonisolated extension LayoutCheck {
    /// The layout.
    ///
    /// - Throws: All errors and warnings, if there is an error.
    package func get() throws(LayoutError) -> LayoutDocument {
        guard let document else { throw LayoutError(failure ?? .invalid, findings) }
        return document
    }
}
