import Foundation
import Testing

@testable import TestSupport

/// The kiosks under config/examples, each with its recording.
@Suite struct Examples {
    /// The recordings, each with the layout that it is for.
    nonisolated static let runs = [
        ("ticket-machine", "ticket-machine"), ("museum-wall-left", "museum-wall"),
        ("museum-wall-right", "museum-wall"), ("seat-map", "seat-map"),
    ]

    private func expected(_ name: String, _ kind: String) throws -> String {
        try String(
            contentsOf: TouchdProgram.root.appending(path: "Tests/touchdTests/Examples/\(name).\(kind)"),
            encoding: .utf8
        )
    }

    @Test(
        "a recording of an example is delivered and runs the expected handlers",
        arguments: runs)
    func recorded(recording: String, layout: String) throws {
        let outcome = try TouchdProgram.run(
            "run", "--layout", "config/examples/\(layout).yaml", "--replay",
            "config/examples/recordings/\(recording).evemu", "--speed", "max", "--output", "json")
        #expect(outcome.status == 0)
        #expect(outcome.output == (try expected(recording, "json")))
        #expect(outcome.errors == (try expected(recording, "log")))
    }

    @Test("every touch of every example's recording ends once", arguments: runs)
    func everyTouchEnds(recording: String, layout: String) throws {
        struct Line: Decodable {
            let touch: Int
            let phase: String
        }
        let touches = try expected(recording, "json").split(separator: "\n").filter { !$0.hasPrefix("{\"event\"") }
        let lines = try touches.map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        let began = lines.filter { $0.phase == "began" }.map(\.touch)
        let ended = lines.filter { ["ended", "cancelled"].contains($0.phase) }.map(\.touch)
        #expect(!began.isEmpty && began.sorted() == ended.sorted() && Set(began).count == began.count)
    }

    @Test("the output for the PIN pad never contains a position or a key")
    func privatePad() throws {
        let lines = try expected("ticket-machine", "json").split(separator: "\n").filter { $0.contains("\"pad\"") }
        #expect(!lines.isEmpty)
        #expect(lines.allSatisfy { !$0.contains("\"x\"") && !$0.contains("key-") })
        let published = try expected("ticket-machine", "json").split(separator: "\n").filter {
            $0.contains("\"topic\": \"pin\"")
        }
        #expect(published.count == 5 && published.allSatisfy { $0.hasSuffix("\"message\": \"(private)\"}") })
    }
}
