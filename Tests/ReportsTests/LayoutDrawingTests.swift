import Foundation
import Layout
import Reports
import Testing

/// The content of a drawn layout.
@Suite struct LayoutDrawingTests {
    private func document(_ text: String) throws -> LayoutDocument {
        try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"])
    }

    /// The picture, parsed as XML.
    private func picture(_ drawing: LayoutDrawing) throws -> XMLElements {
        try XMLElements(drawing.svg())
    }

    private func names(_ picture: XMLElements) -> [String] {
        picture["text"].filter { $0["class"] == "name" }.map(\.text)
    }

    @Test("names do not overlap; the legend counts those without room")
    func names() throws {
        let views = (0..<20).map { "  - {id: view-\($0), frame: [\(300 + $0 % 3), 200, 200, 60]}" }
        let drawing = LayoutDrawing(
            try document(
                "screen: {size: [800, 480]}\nviews:\n" + views.joined(separator: "\n")
                    + "\n  - {id: box, frame: [250, 100, 300, 300], passthrough: true}"))
        let picture = try picture(drawing)
        let boxes = picture["text"].filter { $0["class"] == "name" }.map { text in
            let size = Double(text["font-size"] ?? "") ?? 0, x = Double(text["x"] ?? "") ?? 0
            let width = 0.6 * size * Double(text.text.count)
            return CGRect(x: x - width / 2, y: (Double(text["y"] ?? "") ?? 0) - size, width: width, height: size)
        }
        #expect((2..<21).contains(boxes.count))
        for (index, box) in boxes.enumerated() {
            #expect(boxes[..<index].allSatisfy { !$0.insetBy(dx: 1, dy: 1).intersects(box) })
        }
        let legend = picture["text"].filter { $0["class"] == "legend" }.map(\.text)
        #expect(legend.last == "\(21 - boxes.count) names left out")
    }

    @Test("the legend explains the marks of the picture and no others")
    func legend() throws {
        func legend(_ views: String) throws -> [String] {
            let drawing = LayoutDrawing(try document("screen: {size: [800, 480]}\nviews:\n\(views)"))
            return try picture(drawing)["text"].filter { $0["class"] == "legend" }.map(\.text)
        }
        #expect(try legend("  - {id: a, frame: [0, 0, 90, 90], on: {ended: log}}") == ["touch handlers"])
        let several = """
              - {id: a, frame: [0, 0, 90, 90], control: button, on: {pressed: log}}
              - {id: b, frame: [100, 0, 90, 90], hidden: true}
              - {id: c, frame: [750, 0, 90, 90], slop: 4, on: {ended: log}}
            """
        #expect(
            try legend(several) == [
                "touch handlers", "control", "hidden or disabled", "slop", "warning of touchd check",
            ])
    }

    @Test("the picture has the screen's size, and each view its position and name")
    func places() throws {
        let drawing = LayoutDrawing(
            try document(
                """
                screen: {size: [800, 480]}
                views:
                  - id: panel
                    frame: [100, 50, 400, 300]
                    views:
                      - {id: start, frame: [10.5, 20, 200, 100], on: {ended: log}}
                """))
        let picture = try picture(drawing)
        #expect(picture["svg"].first?["viewBox"]?.hasPrefix("0 0 800 ") == true)
        #expect(names(picture).sorted() == ["panel", "start"])
        #expect(picture["g"].compactMap { $0["transform"] } == ["translate(100 50)", "translate(10.5 20)"])
        let start = try #require(picture["rect"].first { $0["width"] == "200" })
        #expect(start.text.contains("start (kiosk.yaml:6:9)") && start.text.contains("ended: log"))
    }

    @Test("a view on every page is drawn on its own screen only")
    func screens() throws {
        let document = try document(
            """
            screens: {left: {size: [800, 480]}, right: {size: [640, 480]}}
            views:
              - {id: home, frame: [0, 0, 100, 100]}
              - {id: help, screen: right, frame: [0, 0, 100, 100]}
            """)
        #expect(try names(picture(LayoutDrawing(document))) == ["home"])
        #expect(try names(picture(LayoutDrawing(document, screen: document.screens[1]))) == ["help"])
    }

    @Test("slop is drawn in the shape in which it can be touched")
    func slop() throws {
        let drawing = LayoutDrawing(
            try document(
                """
                screen: {size: [800, 480]}
                views:
                  - {id: oval, frame: [100, 100, 200, 100], shape: ellipse, slop: 10, on: {ended: log}}
                  - {id: round, frame: [400, 100, 60, 40], shape: {rounded: 25}, slop: 10, on: {ended: log}}
                  - id: triangle
                    frame: [600, 100, 100, 100]
                    shape: {polygon: [[0, 0], [100, 0], [50, 100]]}
                    slop: 12
                    on: {ended: log}
                """))
        let picture = try picture(drawing)
        #expect(picture["ellipse"].map { [$0["rx"], $0["ry"]] } == [["110", "60"], ["100", "50"]])
        let rounded = picture["rect"].filter { $0["rx"] != nil }
        #expect(rounded.map { [$0["width"], $0["height"], $0["rx"]] } == [["80", "60", "25"], ["60", "40", "20"]])
        #expect(picture["polygon"].map { $0["stroke-width"] } == ["24", "2"])
    }

    @Test("a view with a warning is marked, with the warning as tooltip")
    func warnings() throws {
        let drawing = LayoutDrawing(
            try document(
                """
                screen: {size: [800, 480]}
                views:
                  - {id: astray, frame: [900, 0, 100, 100], on: {ended: log}}
                """))
        let view = try #require(try picture(drawing)["rect"].first { $0["stroke"] == "#d55e00" })
        #expect(view.text.contains("⚠ view 'astray' is outside the screen"))
    }

    @Test("a name cannot become markup")
    func escaping() throws {
        let drawing = LayoutDrawing(
            try document(
                """
                screen: {size: [800, 480]}
                views:
                  - {id: "<script>&\\"", frame: [0, 0, 800, 400]}
                """))
        #expect(try names(picture(drawing)) == ["<script>&\""])
        #expect(!drawing.svg().contains("<script"))
    }

    @Test("touches are counted by cell, and cells with more touches are darker")
    func heatmap() throws {
        var drawing = LayoutDrawing(try document("screen: {size: [100, 100]}"))
        var heatmap = Heatmap(cellSize: 10)
        for _ in 0..<50 { heatmap.add(CGPoint(x: 15, y: 25)) }
        heatmap.add(CGPoint(x: 99, y: 0))
        heatmap.add(CGPoint(x: 1e300, y: 0))
        drawing.heatmap = heatmap
        #expect(heatmap.total == 51)

        let cells = try picture(drawing)["rect"].filter { $0["width"] == "10" }
        #expect(cells.map { [$0["x"], $0["y"]] } == [["90", "0"], ["10", "20"]])
        #expect(cells.map(\.text) == ["1 touch began here", "50 touches began here"])
        let strengths = cells.compactMap { $0["fill-opacity"].flatMap(Double.init) }
        #expect(strengths[0] < strengths[1])
    }
}
