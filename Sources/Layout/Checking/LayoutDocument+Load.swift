nonisolated extension LayoutDocument {
    /// Reads and checks a layout.
    ///
    /// - Parameters:
    ///   - path: A regular file of at most 16 MiB, in UTF-8. It is opened once.
    ///   - builtins: Names that `on:` may use although `handlers:` does not define them: those a program registered.
    /// - Throws: Every mistake in the file at once.
    public init(path: String, handlers builtins: some Collection<String>) throws(LayoutError) {
        try self.init(text: LayoutFile(path: path).text, file: path, handlers: builtins)
    }

    /// Reads and checks a layout's text; `file` is what its findings name.
    public init(text: String, file: String, handlers builtins: some Collection<String>) throws(LayoutError) {
        var reader = LayoutReader(file: file)
        let document = reader.read(text)
        var diagnostics = reader.nodes.diagnostics
        if let document {
            let checker = LayoutChecker(builtins: Set(builtins), declared: reader.declaredHandlers)
            diagnostics += checker.findings(in: document)
        }
        diagnostics.sort { ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column) }
        guard let document, !diagnostics.contains(where: { $0.severity == .error }) else {
            throw LayoutError(.invalid, diagnostics)
        }
        self = document
        warnings = diagnostics
    }
}
