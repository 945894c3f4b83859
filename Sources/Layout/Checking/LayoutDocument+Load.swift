nonisolated extension LayoutDocument {
    /// Reads and checks a layout and the files that it includes.
    ///
    /// - Parameters:
    ///   - path: A regular file of at most 16 MiB, in UTF-8, that nobody but its owner can write to, and no symbolic link;
    ///     so are the files that it includes. Each is opened once.
    ///   - builtins: Names that `on:` may use although `handlers:` does not define them: those a program registered.
    ///   - foreignFiles: How much it matters that one of the files belongs to neither root nor the user of this process,
    ///     or that others could put another in its place; nil for not at all, where who runs it vouches for it.
    /// - Throws: Every mistake in the files at once.
    public init(
        path: String, handlers builtins: some Collection<String>, foreignFiles: LayoutFinding.Severity? = nil
    ) throws(LayoutError) {
        let file: LayoutFile
        do {
            file = try LayoutFile(path: path)
        } catch {
            throw LayoutError(error.kind, [error.finding(file: path)])
        }
        guard case .text(let text) = file.content else { preconditionFailure("a directory was read as a layout") }
        try self.init(text: text, path: path, of: file, handlers: builtins, foreignFiles: foreignFiles)
    }

    /// Reads and checks a layout's text.
    ///
    /// - Parameter file: what its findings name, and what the paths that it includes are relative to.
    public init(text: String, file: String, handlers builtins: some Collection<String>) throws(LayoutError) {
        try self.init(text: text, path: file, of: nil, handlers: builtins, foreignFiles: nil)
    }

    private init(
        text: String, path: String, of file: LayoutFile?, handlers builtins: some Collection<String>,
        foreignFiles: LayoutFinding.Severity?
    ) throws(LayoutError) {
        var reader = LayoutReader()
        reader.foreignFiles = foreignFiles
        if let file {
            reader.sources = LayoutReader.Sources(main: file.identity)
            reader.noteDoubt(of: file, at: path)
        }
        let document = reader.read(text, file: path)
        var diagnostics = reader.nodes.diagnostics
        if let document, !reader.nodes.hidesNames {
            var checker = LayoutChecker(
                document: document, references: reader.references, builtins: Set(builtins), viewCount: reader.viewCount,
                hasMistakes: diagnostics.contains { $0.severity == .error })
            diagnostics += checker.check()
        }
        diagnostics = Self.inOrder(diagnostics, of: reader.sources.paths)
        guard let document, !diagnostics.contains(where: { $0.severity == .error }) else {
            throw LayoutError(.invalid, diagnostics)
        }
        self = document
        warnings = diagnostics
    }

    /// In the order of the files and of their text, each once, and no more than somebody wants to read.
    private static func inOrder(_ findings: [LayoutFinding], of files: [String]) -> [LayoutFinding] {
        let numbers = Dictionary(zip(files, files.indices)) { first, _ in first }
        // What the checker says of the views that a grid or an alias made of one is one finding.
        var seen: Set<LayoutFinding> = []
        var findings = findings.filter { seen.insert($0).inserted }
        findings.sort { first, second in
            let (a, b) = (first.location, second.location)
            return (numbers[a.file] ?? files.count, a.line, a.column)
                < (numbers[b.file] ?? files.count, b.line, b.column)
        }
        guard findings.count > YAMLNodes.findingLimit else { return findings }
        let rest = findings[YAMLNodes.findingLimit...]
        let more: LayoutFinding
        if findings.contains(where: { $0.severity == .error }) {
            more = LayoutFinding(
                .error, at: rest[rest.startIndex].location,
                "there are more mistakes from here on; mend those above first")
        } else {
            more = LayoutFinding(
                .warning, at: rest[rest.startIndex].location, "there are \(rest.count) more warnings from here on")
        }
        return findings.prefix(YAMLNodes.findingLimit) + [more]
    }
}
