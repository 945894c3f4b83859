import Foundation
import Layout
import TouchKit

/// A picture of a layout's screen: the frame, hit area and name of each view, and the findings of the check.
package struct LayoutDrawing {
    package var document: LayoutDocument
    /// The page to show; nil if the screen has no pages.
    package var page: PageSpec?
    package var screen: ScreenSpec
    /// The heat map to draw over the views.
    package var heatmap: Heatmap?

    /// Creates a drawing of a page; by default the first page of the layout's first screen.
    package init(_ document: LayoutDocument, page: PageSpec? = nil, screen: ScreenSpec? = nil) {
        self.document = document
        let screen = screen ?? document.screens.first { $0.name == page?.screen } ?? document.screens[0]
        self.screen = screen
        self.page = page ?? document.pages(on: screen).first
    }

    /// The picture as SVG, in points of the screen, with a legend below the screen.
    package func svg() -> String {
        let bounds = CGRect(origin: .zero, size: screen.size)
        var picture = Picture(
            svg: SVGWriter(viewBox: bounds), labels: DrawingLabels(screen: screen.size), legend: DrawingLegend())
        picture.svg.begin("g", [("font-family", "sans-serif"), ("text-anchor", "middle")])
        picture.svg.element("rect", [("width", "100%"), ("height", "100%"), ("fill", "#ffffff")])
        picture.svg.element("rect", SVGWriter.attributes(of: bounds) + [("fill", "none"), ("stroke", "#999999")])
        for view in page?.views ?? [] { draw(view, isHidden: false, .identity, into: &picture) }
        for view in document.views where (view.screen ?? document.screens[0].name) == screen.name {
            draw(view, isHidden: false, .identity, into: &picture)
        }
        if let heatmap {
            heatmap.draw(into: &picture.svg)
            picture.legend.mostTouches = heatmap.most
            if heatmap.most > 0 { picture.legend.entries.insert(.heatmap) }
        }
        picture.legend.omittedNames = picture.labels.draw(into: &picture.svg)
        picture.legend.draw(below: screen.size, into: &picture.svg)
        picture.svg.end()
        return picture.svg.finish()
    }

    private struct Picture {
        var svg: SVGWriter
        var labels: DrawingLabels
        var legend: DrawingLegend
    }

    /// Draws a view and its subviews; `transform` is from its superview's coordinates to the screen's.
    private func draw(
        _ view: ViewSpec, isHidden: Bool, _ transform: CGAffineTransform, into picture: inout Picture
    ) {
        picture.svg.begin("g", [("transform", Self.transform(of: view))])
        defer { picture.svg.end() }
        let bounds = CGRect(origin: .zero, size: view.frame.size)
        let isHidden = isHidden || view.isInvisible
        let warnings = document.warnings.filter { $0.location == view.location }
        let style = ViewStyle(view, isHidden: isHidden, isMarked: !warnings.isEmpty)
        picture.legend.entries.formUnion(style.entries)

        if view.slop != .zero, !isHidden {
            drawSlop(of: view, bounds, into: &picture.svg)
        }
        let note = ([view.summary] + warnings.map { "⚠ \($0.message)" }).joined(separator: "\n")
        let shape = shape(of: view, bounds)
        picture.svg.element(shape.name, shape.attributes + style.attributes, tooltip: note)

        let toScreen = view.toSuperview.concatenating(transform)
        if let id = view.id {
            picture.labels.add(
                id, in: bounds.applying(toScreen).intersection(CGRect(origin: .zero, size: screen.size)), screen.size,
                isContainer: !view.views.isEmpty,
                isActive: !isHidden && view.isEnabled, ink: style.ink)
        }
        for subview in view.views { draw(subview, isHidden: isHidden, toScreen, into: &picture) }
    }

    /// Draws the shape grown by the slop.
    private func drawSlop(of view: ViewSpec, _ bounds: CGRect, into svg: inout SVGWriter) {
        let slop = view.slop
        let reach = bounds.outset(by: slop)
        guard case .polygon = view.shape else {
            let shape = shape(of: view, reach)
            return svg.element(shape.name, shape.attributes + ViewStyle.slop)
        }
        // A polygon's slop is measured from its sides; a stroke shows it if it is the same on all sides.
        guard slop.left == slop.right, slop.top == slop.bottom, slop.left == slop.top else {
            return svg.element("rect", SVGWriter.attributes(of: reach) + ViewStyle.slop)
        }
        let shape = shape(of: view, bounds)
        svg.element(
            shape.name, shape.attributes + ViewStyle.wideSlop + [("stroke-width", SVGWriter.number(2 * slop.left))])
    }

    private func shape(of view: ViewSpec, _ bounds: CGRect) -> (name: String, attributes: [(String, String)]) {
        switch view.shape {
        case .rectangle: return ("rect", SVGWriter.attributes(of: bounds))
        case .rounded(let radius):
            let radius = min(radius, bounds.width / 2, bounds.height / 2)
            return ("rect", SVGWriter.attributes(of: bounds) + [("rx", SVGWriter.number(radius))])
        case .ellipse:
            return (
                "ellipse",
                [
                    ("cx", SVGWriter.number(bounds.midX)), ("cy", SVGWriter.number(bounds.midY)),
                    ("rx", SVGWriter.number(bounds.width / 2)), ("ry", SVGWriter.number(bounds.height / 2)),
                ]
            )
        case .polygon(let points):
            let list = points.map { "\(SVGWriter.number($0.x)),\(SVGWriter.number($0.y))" }.joined(separator: " ")
            return ("polygon", [("points", list), ("fill-rule", "evenodd")])
        }
    }

    /// From a view's own coordinates to its superview's: the transform is applied about the center of the frame.
    private static func transform(of view: ViewSpec) -> String {
        let t = view.transform
        guard t != .identity else {
            return "translate(\(SVGWriter.number(view.frame.minX)) \(SVGWriter.number(view.frame.minY)))"
        }
        let matrix = [t.a, t.b, t.c, t.d, t.tx, t.ty].map { "\($0)" }.joined(separator: " ")
        return "translate(\(SVGWriter.number(view.frame.midX)) \(SVGWriter.number(view.frame.midY))) matrix(\(matrix)) "
            + "translate(\(SVGWriter.number(-view.frame.width / 2)) \(SVGWriter.number(-view.frame.height / 2)))"
    }
}

extension ViewSpec {
    /// What a view is and does, one fact per line, as its tooltip.
    fileprivate var summary: String {
        var lines = ["\(id ?? "a view without id") (\(location))"]
        lines.append(
            "frame "
                + [frame.minX, frame.minY, frame.width, frame.height].map(SVGWriter.number).joined(separator: ", "))
        if !flags.isEmpty { lines.append(flags.joined(separator: ", ")) }
        if let redirect = self.redirect { lines.append("redirects its touches to \(redirect)") }
        lines += on.map { "\($0.trigger.rawValue): \($0.step.name)" }
        for gesture in gestures {
            lines += gesture.on.map { "\(gesture.kind.name) \($0.trigger.rawValue): \($0.step.name)" }
        }
        return lines.joined(separator: "\n")
    }
}

extension LayoutDocument {
    /// The pages of one screen, in the file's order.
    package func pages(on screen: ScreenSpec) -> [PageSpec] {
        pages.filter { ($0.screen ?? screens[0].name) == screen.name }
    }
}

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

/// The explanation of a picture's colors and lines, below the screen; only of those that it has.
struct DrawingLegend {
    /// The marks that the picture has.
    var entries: Set<DrawingMark> = []
    /// The most touches in a cell of the heat map.
    fileprivate var mostTouches = 0
    /// The number of views whose names have no room.
    fileprivate var omittedNames = 0

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
                let swatch = CGRect(x: x, y: y, width: size * 1.8, height: size)
                svg.element("rect", SVGWriter.attributes(of: swatch) + ViewStyle.attributes(of: entry))
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

/// A kind of mark in a picture, with an entry in the legend.
enum DrawingMark: Int, CaseIterable {
    case plain, touches, gestures, control, inactive, passthrough, slop, warning, heatmap
}

/// The colors of a view, distinct for color-blind people (Okabe and Ito's palette).
struct ViewStyle {
    static let slop = [("fill", "none"), ("stroke", "#999999"), ("stroke-width", "1"), ("stroke-dasharray", "2 4")]
    fileprivate static let wideSlop = [
        ("fill", "none"), ("stroke", "#999999"), ("stroke-opacity", "0.2"), ("stroke-linejoin", "round"),
    ]
    private static let dashes = ("stroke-dasharray", "8 6")
    private static let warningColor = "#d55e00"

    let attributes: [(String, String)]
    fileprivate let ink: String
    /// The legend's entries for the view.
    let entries: [DrawingMark]

    init(_ view: ViewSpec, isHidden: Bool, isMarked: Bool) {
        let isInactive = isHidden || !view.isEnabled
        let kind: DrawingMark =
            if isInactive { .inactive } else if view.control != nil { .control } else if !view.gestures.isEmpty {
                .gestures
            } else if !view.on.isEmpty { .touches } else { .plain }
        let fill = Self.color(of: kind)
        ink = isInactive ? "#555555" : "#000000"
        attributes =
            [
                ("fill", view.isPassthrough ? "none" : fill), ("fill-opacity", view.hasEffect ? "0.3" : "0.1"),
                ("stroke", isMarked ? Self.warningColor : isInactive ? "#999999" : fill),
                ("stroke-width", isMarked ? "5" : "2"),
            ] + (isHidden || view.isPassthrough ? [Self.dashes] : [])
        entries =
            (view.isPassthrough && !isInactive ? [.passthrough] : [kind]) + (isMarked ? [.warning] : [])
            + (view.slop != .zero && !isHidden ? [.slop] : [])
    }

    private static func color(of kind: DrawingMark) -> String {
        switch kind {
        case .inactive: "#bbbbbb"
        case .control: "#009e73"
        case .gestures: "#cc79a7"
        case .touches: "#0072b2"
        case .warning, .heatmap: warningColor
        default: "#56b4e9"
        }
    }

    /// The look of an entry of the legend.
    static func attributes(of entry: DrawingMark) -> [(String, String)] {
        let color = color(of: entry)
        return switch entry {
        case .slop: slop
        case .passthrough: [("fill", "none"), ("stroke", color), ("stroke-width", "2"), dashes]
        case .warning: [("fill", "none"), ("stroke", color), ("stroke-width", "5")]
        case .heatmap: [("fill", color), ("fill-opacity", "0.7")]
        default: [("fill", color), ("fill-opacity", "0.3"), ("stroke", color), ("stroke-width", "2")]
        }
    }
}
