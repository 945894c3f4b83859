import Foundation
import Layout
import TouchKit

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

/// The parts of a layout that a report needs: the geometry of its named views, and which of them respond to touches.
package struct LayoutZones: Sendable {
    struct Zone: Sendable {
        /// Whether the view can be touched and a touch has an effect.
        var isAwaited: Bool
        /// Whether a gesture of the view or of a superview may take its touches.
        var hasGestures: Bool
        /// From the screen's coordinates to the view's own; nil if its transform cannot be inverted.
        fileprivate var fromScreen: CGAffineTransform?
        fileprivate var bounds: CGRect

        /// Whether a point of the screen is in the view's bounds, without its slop.
        func contains(_ point: CGPoint) -> Bool {
            guard let fromScreen else { return true }
            return bounds.contains(point.applying(fromScreen))
        }
    }

    /// The named views by their ids.
    private(set) var zones: [String: Zone] = [:]
    /// The hash of the layout's files.
    package let hash: String
    /// The screens' sizes by their names; nil is the first.
    package let sizes: [String?: CGSize]

    /// Collects the views of all pages of a layout.
    package init(_ document: LayoutDocument) {
        var sizes: [String?: CGSize] = [nil: document.screens[0].size]
        for screen in document.screens { sizes[screen.name] = screen.size }
        self.sizes = sizes
        hash = document.fileHash
        let outermost = Context(toScreen: .identity, isReachable: true, hasGestures: false)
        for view in document.views { add(view, in: outermost) }
        for page in document.pages {
            for view in page.views { add(view, in: outermost) }
        }
    }

    /// The distance of a point from the nearest edge of a screen, in points; nil for an unknown screen.
    func distanceToEdge(_ point: CGPoint, screen: String?) -> CGFloat? {
        sizes[screen].map { min(point.x, point.y, $0.width - point.x, $0.height - point.y) }
    }

    private struct Context {
        var toScreen: CGAffineTransform
        var isReachable: Bool
        var hasGestures: Bool
    }

    private mutating func add(_ view: ViewSpec, in outer: Context) {
        let toScreen = view.toSuperview.concatenating(outer.toScreen)
        let inner = Context(
            toScreen: toScreen,
            isReachable: outer.isReachable && view.canBeTouched && !view.isPrivate,
            hasGestures: outer.hasGestures || !view.gestures.isEmpty)
        if let id = view.id {
            let isInvertible = toScreen.a * toScreen.d != toScreen.b * toScreen.c
            zones[id] = Zone(
                isAwaited: inner.isReachable && view.hasEffect && !view.isPassthrough && view.redirect == nil,
                hasGestures: inner.hasGestures, fromScreen: isInvertible ? toScreen.inverted() : nil,
                bounds: CGRect(origin: .zero, size: view.frame.size))
        }
        for subview in view.views { add(subview, in: inner) }
    }
}
