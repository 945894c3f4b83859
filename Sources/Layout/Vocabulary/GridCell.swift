/// A cell of a grid, for the facts `{row}`, `{column}`, `{index}` and `{cell}`.
nonisolated struct GridCell {
    var row: Int
    var column: Int
    var index: Int
    var name: String

    /// The fact with a name: of the innermost grid, or with each `outer-` prefix, of the next grid around it; nil if
    /// there is no such grid.
    static func fact(_ name: String, of cells: [GridCell]) -> String? {
        var name = name[...]
        var level = cells.count - 1
        while name.hasPrefix("outer-") {
            name = name.dropFirst("outer-".count)
            level -= 1
        }
        guard level >= 0 else { return nil }
        switch name {
        case "row": return String(cells[level].row)
        case "column": return String(cells[level].column)
        case "index": return String(cells[level].index)
        case "cell": return cells[level].name
        default: return nil
        }
    }

    /// The names of all facts, for at most two grids.
    static func factNames(depth: Int) -> [String] {
        let names = ["cell", "column", "index", "row"]
        return depth > 1 ? names + names.map { "outer-" + $0 } : names
    }
}
