/// A place in a layout file, as an editor counts it: line and column start at 1.
public nonisolated struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file as it was named by whoever asked for it.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The column in Unicode scalars, from 1.
    public var column: Int

    /// Makes a location.
    public init(file: String, line: Int = 1, column: Int = 1) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `FILE:LINE:COLUMN`, the form editors and terminals make a link of.
    public var description: String { "\(file):\(line):\(column)" }
}
