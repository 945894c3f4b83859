import Foundation
import Layout
import Reports
import Testing

/// The content of a drawn layout.
@Suite struct LayoutDrawingTests {
    private func document(_ text: String) throws -> LayoutDocument {
        try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"])
    }

    private func picture(_ drawing: LayoutDrawing) throws -> XMLElements { try XMLElements(drawing.svg()) }

    /// The picture of views on a screen of 800 by 480 points, parsed as XML.
    private func picture(_ views: String) throws -> XMLElements {
        try picture(LayoutDrawing(document("screen: {size: [800, 480]}\nviews:\n\(views)")))
    }

    private func texts(_ kind: String, in picture: XMLElements) -> [String] {
        picture["text"].filter { $0["class"] == kind }.map(\.text)
    }

    @Test("names do not overlap; the legend counts those without room")
    func names() throws {
        let views = (0..<20).map { "  - {id: view-\($0), frame: [\(300 + $0 % 3), 200, 200, 60]}\n" }
        let picture = try picture(views.joined() + "  - {id: box, frame: [250, 100, 300, 300], passthrough: true}")
        let boxes = picture["text"].filter { $0["class"] == "name" }.map { text in
            let size = Double(text["font-size"] ?? "") ?? 0, x = Double(text["x"] ?? "") ?? 0
            let width = 0.6 * size * Double(text.text.count)
            return CGRect(x: x - width / 2, y: (Double(text["y"] ?? "") ?? 0) - size, width: width, height: size)
        }
        #expect((2..<21).contains(boxes.count))
        for (index, box) in boxes.enumerated() {
            #expect(boxes[..<index].allSatisfy { !$0.insetBy(dx: 1, dy: 1).intersects(box) })
        }
        #expect(texts("legend", in: picture).last == "\(21 - boxes.count) names left out")
    }

    @Test("the legend explains the marks of the picture and no others; a view with a warning has it as tooltip")
    func legend() throws {
        let plain = try picture("  - {id: a, frame: [0, 0, 90, 90], on: {ended: log}}")
        #expect(texts("legend", in: plain) == ["touch handlers"])
        let several = try picture(
            """
              - {id: a, frame: [0, 0, 90, 90], control: button, on: {pressed: log}}
              - {id: b, frame: [100, 0, 90, 90], hidden: true}
              - {id: c, frame: [900, 0, 90, 90], slop: 4, on: {ended: log}}
            """)
        #expect(
            texts("legend", in: several) == [
                "touch handlers", "control", "hidden or disabled", "slop", "warning of touchd check",
            ])
        let marked = try #require(several["rect"].first { $0["stroke"] == "#d55e00" && !$0.text.isEmpty })
        #expect(marked.text.contains("⚠ view 'c' is outside the screen"))
    }

    @Test("the picture has the screen's size, and each view its position and name, which cannot become markup")
    func places() throws {
        let picture = try picture(
            """
              - id: panel
                frame: [100, 50, 400, 300]
                views:
                  - {id: start, frame: [10.5, 20, 200, 100], on: {ended: log}}
              - {id: script, frame: [600, 0, 200, 400]}
            """)
        #expect(picture["svg"].first?["viewBox"]?.hasPrefix("0 0 800 ") == true)
        #expect(texts("name", in: picture).sorted() == ["panel", "script", "start"])
        #expect(
            picture["g"].compactMap { $0["transform"] } == [
                "translate(100 50)", "translate(10.5 20)", "translate(600 0)",
            ])
        #expect(picture["script"].isEmpty)
        let start = try #require(picture["rect"].first { $0["width"] == "200" && $0["height"] == "100" })
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
        #expect(try texts("name", in: picture(LayoutDrawing(document))) == ["home"])
        #expect(try texts("name", in: picture(LayoutDrawing(document, screen: document.screens[1]))) == ["help"])
    }

    @Test("slop is drawn in the shape in which it can be touched")
    func slop() throws {
        let picture = try picture(
            """
              - {id: oval, frame: [100, 100, 200, 100], shape: ellipse, slop: 10, on: {ended: log}}
              - {id: round, frame: [400, 100, 60, 40], shape: {rounded: 25}, slop: 10, on: {ended: log}}
              - id: triangle
                frame: [600, 100, 100, 100]
                shape: {polygon: [[0, 0], [100, 0], [50, 100]]}
                slop: 12
                on: {ended: log}
            """)
        #expect(picture["ellipse"].map { [$0["rx"], $0["ry"]] } == [["110", "60"], ["100", "50"]])
        let rounded = picture["rect"].filter { $0["rx"] != nil }
        #expect(rounded.map { [$0["width"], $0["height"], $0["rx"]] } == [["80", "60", "25"], ["60", "40", "20"]])
        #expect(picture["polygon"].map { $0["stroke-width"] } == ["24", "2"])
    }

    @Test("touches are counted by cell, and cells with more touches are darker")
    func heatmap() throws {
        var drawing = LayoutDrawing(try document("screen: {size: [100, 100]}"))
        var heatmap = Heatmap(cellSize: 10)
        for _ in 0..<50 { heatmap.add(CGPoint(x: 15, y: 25)) }
        heatmap.add(CGPoint(x: 99, y: 0))
        heatmap.add(CGPoint(x: 1e300, y: 0))
        drawing.heatmap = heatmap
        #expect(heatmap.squares.map(\.count) == [1, 50])

        let cells = try picture(drawing)["rect"].filter { $0["width"] == "10" }
        #expect(cells.map { [$0["x"], $0["y"]] } == [["90", "0"], ["10", "20"]])
        #expect(cells.map(\.text) == ["1 touch began here", "50 touches began here"])
        let strengths = cells.compactMap { $0["fill-opacity"].flatMap(Double.init) }
        #expect(strengths[0] < strengths[1])
    }
}
