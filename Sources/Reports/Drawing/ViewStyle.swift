import Layout

/// A kind of mark in a picture, with an entry in the legend.
enum DrawingMark: Int, CaseIterable {
    case plain, touches, gestures, control, inactive, passthrough, slop, warning, heatmap
}

/// The colors of a view, distinct for color-blind people (Okabe and Ito's palette).
struct ViewStyle {
    static let slop = [("fill", "none"), ("stroke", "#999999"), ("stroke-width", "1"), ("stroke-dasharray", "2 4")]
    static let wideSlop = [
        ("fill", "none"), ("stroke", "#999999"), ("stroke-opacity", "0.2"), ("stroke-linejoin", "round"),
    ]
    private static let dashes = ("stroke-dasharray", "8 6")
    private static let warningColor = "#d55e00"

    let attributes: [(String, String)]
    let ink: String
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
