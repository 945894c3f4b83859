import Foundation

/// How often each part of a screen was touched.
package struct Heatmap: Sendable {
    /// The side of a cell in points; a fingertip covers about one cell on a screen of usual size.
    package let cellSize: CGFloat
    /// The number of touches that began in each cell; cells without touches are absent.
    package private(set) var counts: [Cell: Int] = [:]
    /// The number of touches added.
    package private(set) var total = 0

    /// A square of the screen, counted from its top left corner.
    package struct Cell: Hashable, Sendable {
        /// The column from the left and the row from the top, counted from 0.
        package var column, row: Int
    }

    /// Creates an empty map with a cell size in points.
    package init(cellSize: CGFloat = 32) { self.cellSize = cellSize }

    /// Adds a touch that began at a point of the screen.
    package mutating func add(_ point: CGPoint) {
        // A journal can contain any number; a place this far away is on no screen.
        guard abs(point.x) < 1_000_000, abs(point.y) < 1_000_000 else { return }
        let cell = Cell(column: Int((point.x / cellSize).rounded(.down)), row: Int((point.y / cellSize).rounded(.down)))
        counts[cell, default: 0] += 1
        total += 1
    }

    /// Draws each cell darker the more often it was touched. The scale is logarithmic, because one touch must be
    /// visible beside a thousand.
    func draw(into svg: inout SVGWriter) {
        let most = counts.values.max() ?? 1
        svg.begin("g", [("class", "heatmap"), ("fill", "#d55e00")])
        for (cell, count) in counts.sorted(by: { ($0.key.row, $0.key.column) < ($1.key.row, $1.key.column) }) {
            let strength = 0.5 + 0.4 * log(Double(count)) / max(log(Double(most)), 1)
            svg.element(
                "rect",
                [
                    ("x", SVGWriter.number(CGFloat(cell.column) * cellSize)),
                    ("y", SVGWriter.number(CGFloat(cell.row) * cellSize)), ("width", SVGWriter.number(cellSize)),
                    ("height", SVGWriter.number(cellSize)), ("fill-opacity", SVGWriter.number(strength)),
                ], tooltip: "\(count) touch\(count == 1 ? "" : "es") began here")
        }
        svg.end()
    }
}
