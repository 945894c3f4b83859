import Foundation

/// The names of views in a picture, placed so that no name covers another.
struct DrawingLabels {
    /// A name that wants a place.
    private struct Label {
        var text: String
        /// The possible centers, the best first.
        var centers: [CGPoint]
        var size: CGFloat
        var ink: String
        var importance: Int
    }

    /// The smallest font size that is written.
    private let minimumSize: CGFloat
    private var labels: [Label] = []

    /// Creates labels for a screen of a size.
    init(screen: CGSize) { minimumSize = screen.height / 200 }

    /// Adds a name for a view with bounds in the picture: in its middle, or at its top or bottom if it has subviews. A name
    /// for which the view is too small is omitted.
    mutating func add(
        _ text: String, in bounds: CGRect, _ screen: CGSize, isContainer: Bool, isActive: Bool, ink: String
    ) {
        let size = min(
            bounds.height * (isContainer ? 0.12 : 0.4), screen.height / 40, bounds.width / Self.width(of: text, size: 1)
        )
        guard size >= minimumSize else { return }
        let rows =
            isContainer
            ? [bounds.minY + size * 0.8, bounds.maxY - size * 0.8]
            : [0, -1.2, 1.2, -2.4, 2.4].map { bounds.midY + $0 * size }.filter {
                $0 > bounds.minY + size / 2 && $0 < bounds.maxY - size / 2
            }
        let centers = (rows.isEmpty ? [bounds.midY] : rows).map { CGPoint(x: bounds.midX, y: $0) }
        labels.append(
            Label(
                text: text, centers: centers, size: size, ink: ink,
                importance: (isActive ? 2 : 0) + (isContainer ? 0 : 1)))
    }

    /// Writes the names that have room, those of active views and in front first.
    ///
    /// - Returns: The number of names without room.
    func draw(into svg: inout SVGWriter) -> Int {
        var placed = PlacedLabels(cell: minimumSize * 20)
        var omitted = 0
        for label in labels.reversed().sorted(by: { $0.importance > $1.importance }) {
            let sizes = [1, 0.8, 0.64].map { $0 * label.size }.filter { $0 >= minimumSize }
            let choices = sizes.flatMap { size in label.centers.map { (size: size, center: $0) } }
            let choice = choices.first { size, center in
                placed.insert(Self.box(of: label.text, at: center, size: size))
            }
            guard let choice else {
                omitted += 1
                continue
            }
            svg.element(
                "text",
                [
                    ("class", "name"), ("x", SVGWriter.number(choice.center.x)),
                    ("y", SVGWriter.number(choice.center.y + choice.size / 3)),
                    ("font-size", SVGWriter.number(choice.size)), ("fill", label.ink), ("stroke", "#ffffff"),
                    ("stroke-width", SVGWriter.number(choice.size / 6)), ("paint-order", "stroke"),
                    ("pointer-events", "none"),
                ], text: label.text)
        }
        return omitted
    }

    private static func box(of text: String, at center: CGPoint, size: CGFloat) -> CGRect {
        let width = width(of: text, size: size)
        return CGRect(x: center.x - width / 2, y: center.y - size * 0.6, width: width, height: size * 1.2)
    }

    /// The approximate width of a text in a sans-serif font; ideographs are twice as wide as Latin letters.
    static func width(of text: String, size: CGFloat) -> CGFloat {
        text.unicodeScalars.reduce(0) { $0 + ($1.value < 0x2E80 ? 0.6 : 1) } * size
    }
}

/// Rectangles that do not intersect, found through the cells of a grid that they cover.
private struct PlacedLabels {
    private struct Cell: Hashable {
        var column, row: Int
    }

    private let side: CGFloat
    private var rects: [Cell: [CGRect]] = [:]

    init(cell side: CGFloat) { self.side = side }

    /// Adds a rectangle unless it intersects another.
    mutating func insert(_ rect: CGRect) -> Bool {
        let columns = Int((rect.minX / side).rounded(.down))...Int((rect.maxX / side).rounded(.down))
        let rows = Int((rect.minY / side).rounded(.down))...Int((rect.maxY / side).rounded(.down))
        let cells = rows.flatMap { row in columns.map { Cell(column: $0, row: row) } }
        guard cells.allSatisfy({ rects[$0]?.contains { $0.intersects(rect) } != true }) else { return false }
        for cell in cells { rects[cell, default: []].append(rect) }
        return true
    }
}
