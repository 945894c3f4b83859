import Foundation

nonisolated extension LayoutReader {
    /// Whether an entry of `views:` is a grid.
    func isGrid(_ node: Node) -> Bool {
        node.kind == .mapping && (0..<node.count).contains { node.key($0).isText("repeat") }
    }

    /// `repeat:`, a view repeated in rows and columns: a keypad, a seat map.
    ///
    /// In the view, `{row}`, `{column}` and `{index}` count from 1, row by row, and `{cell}` is the cell's name. In
    /// nested grids they belong to the inner grid; the facts of the outer grid are `{outer-row}` and so on.
    mutating func grid(_ node: Node, in context: Context) -> [ViewSpec] {
        guard let views = cells(of: node, in: context) else {
            references.isIncomplete = true
            return []
        }
        return views
    }

    private mutating func cells(of node: Node, in context: Context) -> [ViewSpec]? {
        guard let outer = nodes.mapping(node, "a grid", keys: ["repeat"]), let body = outer["repeat"] else {
            return nil
        }
        let keys = ["columns", "rows", "frame", "place", "step", "gap", "cells", "view"]
        guard let values = nodes.mapping(body, "'repeat'", keys: keys) else { return nil }
        let cells = values["cells"].map { self.cells($0) }
        guard let (columns, rows) = extent(values, cells: cells, at: body) else { return nil }
        guard let view = values["view"] else {
            nodes.note(at: body, "the grid has no 'view'; add view: {…}, the view of each cell")
            return nil
        }
        guard let places = places(values, columns: columns, rows: rows, in: context, at: body) else { return nil }

        let depth = nodes.cells.count
        defer { nodes.cells.removeSubrange(depth...) }
        var views: [ViewSpec] = []
        views.reserveCapacity(min(columns * rows, LayoutLimit.views - min(viewCount, LayoutLimit.views)))
        for index in 0..<(columns * rows) where canGoOn(at: view) {
            let (row, column) = (index / columns, index % columns)
            var name = String(index + 1)
            if let cells {
                guard index < cells.count, !cells[index].isEmpty else { continue }
                name = cells[index]
            }
            nodes.cells.removeSubrange(depth...)
            nodes.cells.append(GridCell(row: row + 1, column: column + 1, index: index + 1, name: name))
            var inside = context
            places.move(&inside, row: row, column: column)
            let errorCount = nodes.findings.errorCount
            if let view = self.view(view, in: inside) { views.append(view) }
            // An error in one cell occurs in all cells.
            if nodes.findings.errorCount > errorCount {
                references.isIncomplete = true
                break
            }
        }
        return views
    }

    private mutating func cells(_ node: Node) -> [String] {
        (nodes.sequence(node, "'cells'") ?? []).map { cell in
            // A gap is an empty text; a list item without a value is a gap too.
            cell.isNull ? "" : nodes.string(cell, "a cell's name") ?? ""
        }
    }

    private mutating func extent(
        _ values: YAMLNodes.Values, cells: [String]?, at node: Node
    ) -> (columns: Int, rows: Int)? {
        let columns = values["columns"].map { nodes.count($0, "'columns'", in: 1...1000) }
        let rows = values["rows"].map { nodes.count($0, "'rows'", in: 1...1000) }
        if case .some(nil) = columns { return nil }
        if case .some(nil) = rows { return nil }
        guard let width = columns ?? cells?.count, width > 0 else {
            nodes.note(at: node, "the grid has no 'columns'; add columns: COUNT")
            return nil
        }
        let height = rows.flatMap { $0 } ?? cells.map { ($0.count + width - 1) / width } ?? 1
        if let cells, cells.count > width * height {
            nodes.note(
                at: values["cells"] ?? node,
                "the grid has \(cells.count) cells, and \(width) columns in \(height) rows have room for \(width * height)"
            )
            return nil
        }
        return (width, height)
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

    private mutating func places(
        _ values: YAMLNodes.Values, columns: Int, rows: Int, in context: Context, at node: Node
    ) -> Places? {
        if let step = values["step"] {
            for key in ["frame", "place", "gap"] {
                guard let other = values[key] else { continue }
                nodes.note(
                    at: other, "a grid with a 'step' has no '\(key)'; the view's own place is that of the first cell")
            }
            let x = context.size.width, y = context.size.height
            guard let items = nodes.items(step, "'step'", named: ["dx", "dy"]),
                let dx = nodes.length(items[0], "'dx' of 'step'", of: Double(x)),
                let dy = nodes.length(items[1], "'dy' of 'step'", of: Double(y))
            else { return nil }
            return .stepped(CGPoint(x: dx, y: dy))
        }
        var place = context
        place.cell = nil
        guard let frame = frame(values["frame"], values["place"], of: "the grid", at: node, in: place) else { return nil }
        let gap = values["gap"].map { self.gap($0) } ?? .zero
        guard let gap else { return nil }
        let width = (frame.width - gap.x * CGFloat(columns - 1)) / CGFloat(columns)
        let height = (frame.height - gap.y * CGFloat(rows - 1)) / CGFloat(rows)
        guard width >= 0, height >= 0 else {
            nodes.note(at: values["gap"] ?? node, "the gaps of the grid leave no room for its cells")
            return nil
        }
        let first = CGRect(x: frame.minX, y: frame.minY, width: width, height: height)
        return .shared(first: first, step: CGPoint(x: width + gap.x, y: height + gap.y))
    }

    private mutating func gap(_ node: Node) -> CGPoint? {
        let bounds = 0...100_000.0
        guard node.kind == .sequence else {
            return nodes.number(node, "'gap'", in: bounds).map { CGPoint(x: $0, y: $0) }
        }
        guard let items = nodes.items(node, "'gap'", named: ["dx", "dy"]),
            let dx = nodes.number(items[0], "'dx' of 'gap'", in: bounds),
            let dy = nodes.number(items[1], "'dy' of 'gap'", in: bounds)
        else { return nil }
        return CGPoint(x: dx, y: dy)
    }
}
