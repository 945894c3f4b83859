import Foundation
import Reports

/// A chart of values over the events of a run: named lines over an axis that starts at zero.
struct EnduranceChart {
    let title: String
    let unit: String
    let lines: [(name: String, values: [Double])]
    /// The positions of the values, in millions of events.
    let positions: [Double]

    func svg() -> String {
        let size = CGSize(width: 900, height: 320)
        let plot = CGRect(x: 80, y: 40, width: 680, height: 230)
        let highest = Self.roundUp(lines.flatMap { $0.values }.max() ?? 1)
        let last = positions.last ?? 1
        var writer = SVGWriter(viewBox: CGRect(origin: .zero, size: size))
        func text(_ content: String, x: CGFloat, y: CGFloat, anchor: String = "start", fill: String = "#222") {
            writer.element(
                "text",
                [
                    ("x", SVGWriter.number(x)), ("y", SVGWriter.number(y)), ("text-anchor", anchor), ("fill", fill),
                    ("font-family", "sans-serif"), ("font-size", "13"),
                ], text: content)
        }
        func line(_ from: CGPoint, _ to: CGPoint, _ color: String) {
            writer.element(
                "path",
                [
                    ("d", "M\(Self.point(from))L\(Self.point(to))"), ("stroke", color), ("stroke-width", "1"),
                    ("fill", "none"),
                ])
        }
        writer.element("rect", [("width", "100%"), ("height", "100%"), ("fill", "#fff")])
        text(title, x: plot.minX, y: 22)
        for step in 0...4 {
            let share = CGFloat(step) / 4
            let y = plot.maxY - share * plot.height, x = plot.minX + share * plot.width
            line(CGPoint(x: plot.minX, y: y), CGPoint(x: plot.maxX, y: y), "#ddd")
            text(
                "\(SVGWriter.number(highest * share)) \(unit)", x: plot.minX - 8, y: y + 4, anchor: "end", fill: "#555")
            text(
                "\(SVGWriter.number(CGFloat(last) * share)) million events", x: x, y: plot.maxY + 22, anchor: "middle",
                fill: "#555")
        }
        let colors = ["#1f6feb", "#d1242f", "#1a7f37", "#8250df"]
        for (number, series) in lines.enumerated() {
            let points = zip(positions, series.values).map { position, value in
                CGPoint(
                    x: plot.minX + CGFloat(position / last) * plot.width,
                    y: plot.maxY - CGFloat(value) / highest * plot.height)
            }
            let color = colors[number % colors.count]
            writer.element(
                "path",
                [
                    ("d", "M" + points.map(Self.point).joined(separator: "L")), ("stroke", color),
                    ("stroke-width", "2"), ("fill", "none"),
                ])
            if let end = points.last { text(series.name, x: plot.maxX + 8, y: end.y + 4, fill: color) }
        }
        return writer.finish()
    }

    private static func point(_ point: CGPoint) -> String {
        "\(SVGWriter.number(point.x)),\(SVGWriter.number(point.y))"
    }

    /// The next 1, 2, 4 or 8 times a power of ten, so that four grid lines have round values.
    private static func roundUp(_ value: Double) -> CGFloat {
        let power = pow(10, (log10(max(value, 1e-6))).rounded(.down))
        let factor = [1.0, 2, 4, 8, 10].first { $0 * power >= value * 1.05 } ?? 20
        return CGFloat(factor * power)
    }
}
