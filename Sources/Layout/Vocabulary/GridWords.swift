import Foundation

/// An entry of `views:` that is a grid, `repeat:`: a view repeated in rows and columns, as in a keypad or a seat map.
///
/// In the view, `{row}`, `{column}` and `{index}` count from 1, row by row, and `{cell}` is the cell's name. In nested
/// grids they belong to the inner grid; the facts of the outer grid are `{outer-row}` and so on.
nonisolated struct GridWords: Section {
    static let table = Table("grid", GridWords(), "A view repeated in rows and columns: a keypad, a seat map.")
    var cells: CellsWords?

    mutating func words(_ r: inout LayoutReader) {
        cells = r.word("repeat", "The cells and their view.") {
            $0.section(CellsWords(), called: "'repeat'", strictly: true)
        }
    }
}

nonisolated struct CellsWords: Section {
    static let table = Table(
        "cells", CellsWords(), "The cells of a grid and their view.",
        // Either the grid or its view has a frame.
        rules: [
            "anyOf": [["required": ["columns"]], ["required": ["cells"]]], "if": ["required": ["step"]],
            "then": [
                "properties": ["frame": false, "place": false, "gap": false, "view": ["oneOf": PlaceWords.frames]]
            ],
            "else": ["oneOf": PlaceWords.frames, "properties": ["view": ["not": ["anyOf": PlaceWords.frames]]]],
        ])
    var names: [String]?
    var columns: Int?
    var rows: Int?
    var frame: Node?
    var place: Node?
    var step: Node?
    var gap: Node?
    var view: Node?
    var node: Node?

    mutating func words(_ r: inout LayoutReader) {
        node = r.at.node
        let cells = r.word("cells", "The cells' names, row by row; an empty one leaves a hole.") {
            $0.node(.listOf("names", .reference("cell-names")))
        }
        if let cells {
            names = (r.sequence(cells, "'cells'") ?? []).map { cell in
                cell.isNull ? "" : r.string(cell, "a cell's name") ?? ""
            }
        }
        r.word("columns", &columns, "Number of columns.", unset: "the number of cells") { $0.count(1...1000) }
        r.word("rows", &rows, "Number of rows.", unset: "as many as the cells need") { $0.count(1...1000) }
        if r.canCheckRules { checkExtent(&r) }
        frame = r.word("frame", "The rectangle that the cells share.") { $0.node(.frame) }
        place = r.word("place", "The same by distances, as in a view.") {
            $0.node(.place)
        }
        step = r.word("step", "The distance of the cells; then the view has the frame or place of the first cell.") {
            $0.node(.other("[dx, dy]", .reference("distance")))
        }
        gap = r.word("gap", "The gap between cells, one number or [dx, dy].", unset: "0") {
            $0.node(.other("a number, or [dx, dy]", .reference("gap"), simply: .number(nil)))
        }
        view = r.word("view", "The view of each cell.") {
            $0.node(.other("a view", .reference("view"), example: "VIEW"))
        }
        if !r.at.hasFailed { r.require("add view: {…}, the view of each cell", of: "the grid") }
    }

    private mutating func checkExtent(_ r: inout LayoutReader) {
        guard let columns = columns ?? names?.count, columns > 0 else {
            return r.refuse("the grid has no 'columns'; add columns: COUNT")
        }
        let rows = rows ?? names.map { ($0.count + columns - 1) / columns } ?? 1
        (self.columns, self.rows) = (columns, rows)
        guard let names, names.count > columns * rows else { return }
        r.refuse(
            at: "cells",
            "the grid has \(names.count) cells, and \(columns) columns in \(rows) rows have room for \(columns * rows)")
    }
}

nonisolated extension LayoutReader {
    /// Whether an entry of `views:` is a grid.
    func isGrid(_ node: Node) -> Bool {
        node.kind == .mapping && (0..<node.count).contains { node.key($0).isText("repeat") }
    }

    /// The views of a grid's cells.
    mutating func grid(_ node: Node, in context: Context) -> [ViewSpec] {
        guard let grid = section(GridWords(), at: node, called: "a grid")?.cells, let view = grid.view,
            let places = places(grid, in: context)
        else {
            references.isIncomplete = true
            return []
        }
        let (columns, rows) = (grid.columns ?? 1, grid.rows ?? 1)
        let depth = cells.count
        defer { cells.removeSubrange(depth...) }
        var views: [ViewSpec] = []
        for index in 0..<(columns * rows) where canGoOn(at: view) {
            let (row, column) = (index / columns, index % columns)
            var name = String(index + 1)
            if let names = grid.names {
                guard index < names.count, !names[index].isEmpty else { continue }
                name = names[index]
            }
            cells.removeSubrange(depth...)
            cells.append(GridCell(row: row + 1, column: column + 1, index: index + 1, name: name))
            var inside = context
            places.move(&inside, row: row, column: column)
            let errorCount = findings.errorCount
            if let view = self.view(view, in: inside) { views.append(view) }
            // An error in one cell occurs in all cells.
            if findings.errorCount > errorCount {
                references.isIncomplete = true
                break
            }
        }
        return views
    }

    // MARK: Places

    /// The frames of the cells.
    private enum Places {
        /// The cells divide a rectangle, with gaps between them.
        case shared(first: CGRect, step: CGPoint)
        /// The cells have a fixed distance from each other.
        case stepped(CGPoint)

        func move(_ context: inout Context, row: Int, column: Int) {
            switch self {
            case .shared(let first, let step):
                context.cell = first.offsetBy(dx: CGFloat(column) * step.x, dy: CGFloat(row) * step.y)
            case .stepped(let step):
                context.offset = CGPoint(x: CGFloat(column) * step.x, y: CGFloat(row) * step.y)
            }
            if context.level != .everyPage { context.level = .grid }
        }
    }

    private mutating func places(_ grid: CellsWords, in context: Context) -> Places? {
        if let step = grid.step {
            for (key, other) in [("frame", grid.frame), ("place", grid.place), ("gap", grid.gap)] {
                guard let other else { continue }
                note(at: other, "a grid with a 'step' has no '\(key)'; the view's own place is that of the first cell")
            }
            let x = context.size.width, y = context.size.height
            guard let items = items(step, "'step'", named: ["dx", "dy"]),
                let dx = length(items[0], "'dx' of 'step'", of: Double(x)),
                let dy = length(items[1], "'dy' of 'step'", of: Double(y))
            else { return nil }
            // Beyond any screen; a number times the count of cells must stay one.
            guard max(abs(dx), abs(dy)) <= Self.reach else {
                return invalid(step, "'step' must be at most a million points")
            }
            return .stepped(CGPoint(x: dx, y: dy))
        }
        var place = context
        place.cell = nil
        guard let frame = frame(grid.frame, grid.place, of: "the grid", at: grid.node, in: place) else { return nil }
        let gap = grid.gap.map { numbers($0, "'gap'", named: ["dx", "dy"], in: 0...100_000) } ?? [0, 0]
        guard let gap = gap.map({ CGPoint(x: $0[0], y: $0[1]) }) else { return nil }
        let (columns, rows) = (grid.columns ?? 1, grid.rows ?? 1)
        let width = (frame.width - gap.x * CGFloat(columns - 1)) / CGFloat(columns)
        let height = (frame.height - gap.y * CGFloat(rows - 1)) / CGFloat(rows)
        guard width >= 0, height >= 0 else {
            return (grid.gap ?? grid.node).flatMap { invalid($0, "the gaps of the grid leave no room for its cells") }
        }
        let first = CGRect(x: frame.minX, y: frame.minY, width: width, height: height)
        return .shared(first: first, step: CGPoint(x: width + gap.x, y: height + gap.y))
    }
}
