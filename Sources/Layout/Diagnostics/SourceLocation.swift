/// A location in a layout file, as editors count it: line and column start at 1.
package nonisolated struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file, as the caller named it.
    package var file: String
    // Half as large as two `Int`s: every view and every step has a location.
    private var lineNumber: Int32
    private var columnNumber: Int32

    /// Makes a location.
    package init(file: String = "", line: Int = 1, column: Int = 1) {
        self.file = file
        lineNumber = Int32(clamping: line)
        columnNumber = Int32(clamping: column)
    }

    /// The line, from 1.
    package var line: Int {
        get { Int(lineNumber) }
        set { lineNumber = Int32(clamping: newValue) }
    }

    /// The column in Unicode scalars, from 1.
    package var column: Int {
        get { Int(columnNumber) }
        set { columnNumber = Int32(clamping: newValue) }
    }

    /// `FILE:LINE:COLUMN`, which editors and terminals turn into a link.
    package var description: String { "\(file):\(line):\(column)" }
}
