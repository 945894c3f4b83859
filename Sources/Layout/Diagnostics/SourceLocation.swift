/// A place in a layout file, as an editor counts it: line and column start at 1.
public nonisolated struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file as it was named by whoever asked for it.
    public var file: String
    // Half as large as two integers: every view and every step has a location.
    private var lineNumber: Int32
    private var columnNumber: Int32

    /// Makes a location.
    public init(file: String, line: Int = 1, column: Int = 1) {
        self.file = file
        lineNumber = Int32(clamping: line)
        columnNumber = Int32(clamping: column)
    }

    /// The line, from 1.
    public var line: Int {
        get { Int(lineNumber) }
        set { lineNumber = Int32(clamping: newValue) }
    }

    /// The column in Unicode scalars, from 1.
    public var column: Int {
        get { Int(columnNumber) }
        set { columnNumber = Int32(clamping: newValue) }
    }

    /// `FILE:LINE:COLUMN`, the form editors and terminals make a link of.
    public var description: String { "\(file):\(line):\(column)" }
}
