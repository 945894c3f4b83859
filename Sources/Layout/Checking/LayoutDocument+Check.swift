import Foundation

/// What checking a layout found.
public nonisolated struct LayoutCheck: Sendable {
    /// The layout; nil if it has an error.
    public let document: LayoutDocument?
    /// Every error and warning, in the order of the files; up to 100 of each, and a last one if there are more.
    public let findings: [LayoutFinding]
    /// Whether the file could be read at all.
    public let failure: LayoutError.Kind?
    /// What the check took.
    package let cost: LayoutCost
}

nonisolated extension LayoutDocument {
    /// Reads and checks a layout and the files that it includes: the same for `touchd check`, `run`, reload and selftest.
    ///
    /// It depends on files alone (the layout's, and those of the programs that it names), so it may be called on any
    /// thread. What it costs is limited; docs/layout.md has the limits.
    ///
    /// - Parameters:
    ///   - path: A regular file of at most 16 MiB, in UTF-8, that only its owner can write to, and no symbolic link; so are
    ///     the files that it includes. Each is opened once.
    ///   - builtins: Names that `on:` may use although `handlers:` does not define them: those a program registered.
    ///   - foreignFiles: How severe it is that a file or a program of `exec` belongs to another user, or can be replaced by
    ///     one; nil to ignore that, where whoever runs this vouches for the files.
    public static func check(
        path: String, handlers builtins: some Collection<String>, foreignFiles: LayoutFinding.Severity? = nil
    ) -> LayoutCheck {
        let file: LayoutFile
        do {
            file = try LayoutFile(path: path)
        } catch {
            return LayoutCheck(
                document: nil, findings: [error.finding(file: path)], failure: error.kind, cost: LayoutCost())
        }
        guard case .text(let text) = file.content else { preconditionFailure("a directory was read as a layout") }
        return check(text: text, path: path, of: file, handlers: builtins, foreignFiles: foreignFiles)
    }

    /// Reads and checks a layout's text.
    ///
    /// - Parameter file: What its findings name, and what the paths that it includes are relative to.
    public static func check(
        text: String, file: String, handlers builtins: some Collection<String>,
        foreignFiles: LayoutFinding.Severity? = nil
    ) -> LayoutCheck {
        check(text: text, path: file, of: nil, handlers: builtins, foreignFiles: foreignFiles)
    }

    private static func check(
        text: String, path: String, of file: LayoutFile?, handlers builtins: some Collection<String>,
        foreignFiles: LayoutFinding.Severity?
    ) -> LayoutCheck {
        var reader = LayoutReader()
        reader.foreignFiles = foreignFiles
        if let file {
            reader.sources = LayoutReader.Sources(main: file)
            reader.noteDoubt(of: file, at: path)
        }
        var document = reader.read(text, file: path)
        var findings = reader.nodes.findings
        var cost = reader.nodes.cost
        // Where names are missing because they were not read, looking them up would report what is not wrong.
        if let document, !reader.nodes.hidesNames, !reader.nodes.isExhausted {
            var checker = LayoutChecker(document, by: reader, builtins: Set(builtins))
            checker.check(viewCount: reader.viewCount)
            findings = checker.findings
            cost = checker.cost
        }
        let ordered = findings.inOrder(of: reader.sources.paths)
        if findings.hasErrors { document = nil }
        document?.warnings = ordered
        return LayoutCheck(
            document: document, findings: ordered, failure: document == nil ? .invalid : nil, cost: cost)
    }
}

nonisolated extension LayoutDocument {
    /// Reads and checks a layout and the files that it includes; see `check(path:handlers:foreignFiles:)`.
    ///
    /// - Throws: All errors in the files at once, with the warnings.
    public init(
        path: String, handlers builtins: some Collection<String>, foreignFiles: LayoutFinding.Severity? = nil
    ) throws(LayoutError) {
        self = try Self.check(path: path, handlers: builtins, foreignFiles: foreignFiles).get()
    }

    /// Reads and checks a layout's text.
    ///
    /// - Parameter file: What its findings name, and what the paths that it includes are relative to.
    public init(text: String, file: String, handlers builtins: some Collection<String>) throws(LayoutError) {
        self = try Self.check(text: text, file: file, handlers: builtins).get()
    }
}

nonisolated extension LayoutCheck {
    /// The layout.
    ///
    /// - Throws: All errors and warnings, if there is an error.
    public func get() throws(LayoutError) -> LayoutDocument {
        guard let document else { throw LayoutError(failure ?? .invalid, findings) }
        return document
    }
}
