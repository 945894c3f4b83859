import Foundation

/// The explanation of a picture's colors and lines, below the screen; only of those that it has.
struct DrawingLegend {
    /// The marks that the picture has.
    var entries: Set<DrawingMark> = []
    /// The most touches in a cell of the heat map.
    var mostTouches = 0
    /// The number of views whose names have no room.
    var omittedNames = 0

    /// Draws the legend below a screen and makes the picture higher.
    func draw(below screen: CGSize, into svg: inout SVGWriter) {
        let size = min(max(screen.width / 60, screen.height / 60), screen.width / 24), row = size * 2
        var notes = entries.sorted { $0.rawValue < $1.rawValue }.map { (entry: Optional($0), text: text(of: $0)) }
        if omittedNames > 0 { notes.append((nil, "\(omittedNames) name\(omittedNames == 1 ? "" : "s") left out")) }
        guard !notes.isEmpty else { return }
        svg.begin("g", [("class", "legend"), ("font-size", SVGWriter.number(size)), ("text-anchor", "start")])
        var x = size, y = screen.height + size
        for (entry, text) in notes {
            let width = size * 2.2 + DrawingLabels.width(of: text, size: size) + size * 1.4
            if x > size, x + width > screen.width { (x, y) = (size, y + row) }
            if let entry {
                let swatch = [
                    ("x", SVGWriter.number(x)), ("y", SVGWriter.number(y)), ("width", SVGWriter.number(size * 1.8)),
                    ("height", SVGWriter.number(size)),
                ]
                svg.element("rect", swatch + ViewStyle.attributes(of: entry))
            }
            let start = entry == nil ? x : x + size * 2.2
            svg.element(
                "text",
                [
                    ("class", "legend"), ("x", SVGWriter.number(start)), ("y", SVGWriter.number(y + size * 0.85)),
                    ("fill", "#000000"),
                ], text: text)
            x += width
        }
        svg.end()
        svg.viewBox.size.height = y + row
    }

    private func text(of entry: DrawingMark) -> String {
        guard entry == .heatmap, mostTouches > 0 else { return entry.text }
        return "\(entry.text), at most \(mostTouches) in a cell"
    }
}

extension DrawingMark {
    fileprivate var text: String {
        switch self {
        case .plain: "no handlers"
        case .touches: "touch handlers"
        case .gestures: "gestures"
        case .control: "control"
        case .inactive: "hidden or disabled"
        case .passthrough: "lets touches through"
        case .slop: "slop"
        case .warning: "warning of touchd check"
        case .heatmap: "touches began here"
        }
    }
}
