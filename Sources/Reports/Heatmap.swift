import ControlProtocol
import Foundation

/// How often each part of a screen was touched.
package struct Heatmap: Sendable {
    /// The side of a cell in points; a fingertip covers about one cell on a screen of usual size.
    package let cellSize: CGFloat
    /// The number of touches that began in each cell; cells without touches are absent.
    private var counts: [Cell: Int] = [:]

    private struct Cell: Hashable {
        var column, row: Int
    }

    /// A cell with touches, counted from the screen's top left corner.
    package struct Square: JSONRecord, Equatable {
        package let column, row, count: Int

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("column", "counted from the left") { $0.column }
            visitor.member("row", "counted from the top") { $0.row }
            visitor.member("count", "the number of touches that began in it") { $0.count }
        }
    }

    /// The cells with touches, in rows from the top, each from the left.
    package var squares: [Square] {
        counts.map { Square(column: $0.column, row: $0.row, count: $1) }
            .sorted { ($0.row, $0.column) < ($1.row, $1.column) }
    }

    /// The number of touches in the cell with the most.
    var most: Int { counts.values.max() ?? 0 }

    /// Creates an empty map with a cell size in points.
    package init(cellSize: CGFloat = 32) { self.cellSize = cellSize }

    /// Adds a touch that began at a point of the screen.
    package mutating func add(_ point: CGPoint) {
        // A journal can contain any number; a place this far away is on no screen.
        guard abs(point.x) < 1_000_000, abs(point.y) < 1_000_000 else { return }
        let cell = Cell(column: Int((point.x / cellSize).rounded(.down)), row: Int((point.y / cellSize).rounded(.down)))
        counts[cell, default: 0] += 1
    }

    /// Draws each cell darker the more often it was touched. The scale is logarithmic, because one touch must be
    /// visible beside a thousand.
    func draw(into svg: inout SVGWriter) {
        let most = most
        svg.begin("g", [("class", "heatmap"), ("fill", "#d55e00")])
        for square in squares {
            let strength = 0.5 + 0.4 * log(Double(square.count)) / max(log(Double(most)), 1)
            let cell = CGRect(
                x: CGFloat(square.column) * cellSize, y: CGFloat(square.row) * cellSize, width: cellSize,
                height: cellSize)
            svg.element(
                "rect", SVGWriter.attributes(of: cell) + [("fill-opacity", SVGWriter.number(strength))],
                tooltip: "\(square.count) touch\(square.count == 1 ? "" : "es") began here")
        }
        svg.end()
    }
}
