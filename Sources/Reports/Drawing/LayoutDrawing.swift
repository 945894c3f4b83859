import Foundation
import Layout
import TouchKit

/// A picture of a layout's screen: the frame, hit area and name of each view, and the findings of the check.
public struct LayoutDrawing {
    /// The layout.
    public var document: LayoutDocument
    /// The page to show; nil if the screen has no pages.
    public var page: PageSpec?
    /// The screen.
    public var screen: ScreenSpec
    /// The heat map to draw over the views.
    public var heatmap: Heatmap?

    /// Creates a drawing of a page; by default the first page of the layout's first screen.
    public init(_ document: LayoutDocument, page: PageSpec? = nil, screen: ScreenSpec? = nil) {
        self.document = document
        let screen = screen ?? document.screens.first { $0.name == page?.screen } ?? document.screens[0]
        self.screen = screen
        self.page = page ?? document.pages(on: screen).first
    }

    /// The picture as SVG, in points of the screen.
    public func svg() -> String {
        let bounds = CGRect(origin: .zero, size: screen.size)
        var svg = SVGWriter(viewBox: bounds)
        svg.element("rect", rectangle(bounds) + [("fill", "#ffffff")])
        svg.begin("g", [("font-family", "sans-serif"), ("text-anchor", "middle")])
        for view in page?.views ?? [] { draw(view, depth: 0, isHidden: false, into: &svg) }
        for view in document.views where (view.screen ?? document.screens[0].name) == screen.name {
            draw(view, depth: 0, isHidden: false, into: &svg)
        }
        heatmap?.draw(into: &svg)
        svg.end()
        return svg.finish()
    }

    private func draw(_ view: ViewSpec, depth: Int, isHidden: Bool, into svg: inout SVGWriter) {
        svg.begin("g", [("transform", Self.transform(of: view))])
        defer { svg.end() }
        let bounds = CGRect(origin: .zero, size: view.frame.size)
        let isHidden = isHidden || view.isHidden || view.alpha < 0.01
        let warnings = document.warnings.filter { $0.location == view.location }
        let style = Style(view, depth: depth, isHidden: isHidden, isMarked: !warnings.isEmpty)

        if view.slop != .zero, !isHidden {
            drawSlop(of: view, bounds, into: &svg)
        }
        let note = ([view.summary] + warnings.map { "⚠ \($0.message)" }).joined(separator: "\n")
        let shape = shape(of: view, bounds)
        svg.element(shape.name, shape.attributes + style.attributes, tooltip: note)
        for subview in view.views { draw(subview, depth: depth + 1, isHidden: isHidden, into: &svg) }
        label(view, bounds, style, into: &svg)
    }

    /// Writes the name in the view's middle, or at its top if it has subviews; omitted if it does not fit.
    private func label(_ view: ViewSpec, _ bounds: CGRect, _ style: Style, into svg: inout SVGWriter) {
        guard let id = view.id else { return }
        let size = min(
            bounds.height * (view.views.isEmpty ? 0.4 : 0.12), screen.size.height / 40,
            1.6 * bounds.width / CGFloat(max(id.count, 1)))
        guard size >= screen.size.height / 200 else { return }
        svg.element(
            "text",
            [
                ("x", SVGWriter.number(bounds.midX)),
                ("y", SVGWriter.number(view.views.isEmpty ? bounds.midY + size / 3 : bounds.minY + size * 1.2)),
                ("font-size", SVGWriter.number(size)), ("fill", style.ink), ("pointer-events", "none"),
            ], text: id)
    }

    /// Draws the shape grown by the slop.
    private func drawSlop(of view: ViewSpec, _ bounds: CGRect, into svg: inout SVGWriter) {
        let slop = view.slop
        let reach = slop.around(bounds)
        guard case .polygon = view.shape else {
            let shape = shape(of: view, reach)
            return svg.element(shape.name, shape.attributes + Style.slop)
        }
        // A polygon's slop is measured from its sides; a stroke shows it if it is the same on all sides.
        guard slop.left == slop.right, slop.top == slop.bottom, slop.left == slop.top else {
            return svg.element("rect", rectangle(reach) + Style.slop)
        }
        let shape = shape(of: view, bounds)
        svg.element(shape.name, shape.attributes + Style.wideSlop + [("stroke-width", SVGWriter.number(2 * slop.left))])
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

/// The colors of a view, which color-blind people can tell apart (Okabe and Ito's palette).
private struct Style {
    static let slop = [("fill", "none"), ("stroke", "#999999"), ("stroke-width", "1"), ("stroke-dasharray", "2 4")]
    static let wideSlop = [
        ("fill", "none"), ("stroke", "#999999"), ("stroke-opacity", "0.2"), ("stroke-linejoin", "round"),
    ]
    let attributes: [(String, String)]
    let ink: String

    init(_ view: ViewSpec, depth: Int, isHidden: Bool, isMarked: Bool) {
        let isDead = isHidden || !view.isEnabled
        let fill =
            if isDead { "#bbbbbb" } else if view.control != nil { "#009e73" } else if !view.gestures.isEmpty {
                "#cc79a7"
            } else if !view.on.isEmpty { "#0072b2" } else { "#56b4e9" }
        let isActive = view.control != nil || !view.gestures.isEmpty || !view.on.isEmpty
        ink = isDead ? "#555555" : "#000000"
        attributes =
            [
                ("fill", view.isPassthrough ? "none" : fill), ("fill-opacity", isActive ? "0.3" : "0.1"),
                ("stroke", isMarked ? "#d55e00" : isDead ? "#999999" : fill), ("stroke-width", isMarked ? "5" : "2"),
            ] + (isHidden || view.isPassthrough ? [("stroke-dasharray", "8 6")] : [])
    }
}

extension ViewSpec {
    /// What a view is and does, one fact per line, as its tooltip.
    fileprivate var summary: String {
        var lines = ["\(id ?? "a view without id") (\(location))"]
        lines.append(
            "frame "
                + [frame.minX, frame.minY, frame.width, frame.height].map(SVGWriter.number).joined(separator: ", "))
        let flags = [
            (isHidden, "hidden"), (!isEnabled, "disabled"), (isMultipleTouchEnabled, "multiple-touch"),
            (isExclusiveTouch, "exclusive-touch"), (isPassthrough, "passthrough"), (isPrivate, "private"),
        ].filter(\.0).map(\.1)
        if !flags.isEmpty { lines.append(flags.joined(separator: ", ")) }
        if let redirect { lines.append("redirects its touches to \(redirect)") }
        lines += on.map { "\($0.trigger.rawValue): \($0.step.name)" }
        for gesture in gestures {
            lines += gesture.on.map { "\(gesture.kind.name) \($0.trigger.rawValue): \($0.step.name)" }
        }
        return lines.joined(separator: "\n")
    }
}

extension EdgeInsets {
    fileprivate func around(_ rect: CGRect) -> CGRect {
        CGRect(
            x: rect.minX - left, y: rect.minY - top, width: rect.width + left + right,
            height: rect.height + top + bottom)
    }
}

extension LayoutDocument {
    /// The pages of one screen, in the file's order.
    public func pages(on screen: ScreenSpec) -> [PageSpec] {
        pages.filter { ($0.screen ?? screens[0].name) == screen.name }
    }
}
