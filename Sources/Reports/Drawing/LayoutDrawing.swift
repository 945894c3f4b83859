import Foundation
import Layout
import TouchKit

/// A picture of a layout's screen: the frame, hit area and name of each view, and the findings of the check.
package struct LayoutDrawing {
    /// The layout.
    package var document: LayoutDocument
    /// The page to show; nil if the screen has no pages.
    package var page: PageSpec?
    /// The screen.
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
        picture.svg.element("rect", rectangle(bounds) + [("fill", "none"), ("stroke", "#999999")])
        for view in page?.views ?? [] { draw(view, isHidden: false, .identity, into: &picture) }
        for view in document.views where (view.screen ?? document.screens[0].name) == screen.name {
            draw(view, isHidden: false, .identity, into: &picture)
        }
        if let heatmap {
            heatmap.draw(into: &picture.svg)
            picture.legend.mostTouches = heatmap.counts.values.max() ?? 0
            if heatmap.total > 0 { picture.legend.entries.insert(.heatmap) }
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
            return svg.element("rect", rectangle(reach) + ViewStyle.slop)
        }
        let shape = shape(of: view, bounds)
        svg.element(
            shape.name, shape.attributes + ViewStyle.wideSlop + [("stroke-width", SVGWriter.number(2 * slop.left))])
    }

    private func shape(of view: ViewSpec, _ bounds: CGRect) -> (name: String, attributes: [(String, String)]) {
        switch view.shape {
        case .rectangle: return ("rect", rectangle(bounds))
        case .rounded(let radius):
            let radius = min(radius, bounds.width / 2, bounds.height / 2)
            return ("rect", rectangle(bounds) + [("rx", SVGWriter.number(radius))])
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

    private func rectangle(_ rect: CGRect) -> [(String, String)] {
        [("x", rect.minX), ("y", rect.minY), ("width", rect.width), ("height", rect.height)].map {
            ($0.0, SVGWriter.number($0.1))
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
        if let redirect { lines.append("redirects its touches to \(redirect)") }
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
