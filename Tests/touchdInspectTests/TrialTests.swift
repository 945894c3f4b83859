import Layout
import Testing

@testable import touchd_inspect

@Suite("The YAML of a trial") @MainActor struct TrialTests {
    private static let layout = """
        screen: {size: [300, 300]}
        pages:
          pin:
            views:
              - id: title
                frame: [0, 0, 300, 50]
              - repeat: {columns: 3, rows: 1, frame: [0, 100, 300, 100], view: {id: "key-{index}", on: {ended: log}}}
        """

    @Test("a change to a cell of a grid is a handler that can be pasted into its page")
    func cell() throws {
        let document = try LayoutDocument(text: Self.layout, file: "kiosk.yaml", handlers: ["log"])
        let hidden = Trial(changes: [.init(view: "key-2", hidden: true), .init(view: "title", enabled: false)])
        let yaml = hidden.yaml(for: document)
        #expect(yaml.contains("- id: title\n  enabled: false\n"))
        let line = try #require(yaml.split(separator: "\n").first { $0.hasPrefix("on:") })
        let id = try #require(document.pages[0].views[2].id)
        #expect(line == "on: {appeared: [{hide: \(id)}]}")
        let pasted = Self.layout.replacing("    views:", with: "    \(line)\n    views:")
        #expect(try LayoutDocument(text: pasted, file: "kiosk.yaml", handlers: ["log"]).warnings == [])

        let moved = Trial(changes: [.init(view: "key-1", frame: [0, 0, 10, 10])]).yaml(for: document)
        #expect(moved.split(separator: "\n").allSatisfy { $0.hasPrefix("#") } && moved.contains("a cell of a grid"))
    }
}
