import Foundation
import Testing

@testable import TestSupport

/// `touchd run --replay`: the whole path from a recording to the output, for the kiosks under config/examples.
@Suite struct Replay {
    private static let recording = "config/recordings/quanta-optical.evemu"

    private func replay(
        _ recording: String, on layout: String = "config/touchd.yaml", _ options: String...
    ) throws -> TouchdProgram.Outcome {
        try TouchdProgram.run(
            ["run", "--layout", layout, "--replay", recording, "--format", "json", "--speed"] + options)
    }

    @Test(
        "a recording of an example is delivered and runs the expected handlers",
        arguments: [
            ("ticket-machine", "ticket-machine"), ("museum-wall-left", "museum-wall"),
            ("museum-wall-right", "museum-wall"), ("seat-map", "seat-map"),
        ])
    func examples(recording: String, layout: String) throws {
        let outcome = try replay(
            "config/examples/recordings/\(recording).evemu", on: "config/examples/\(layout).yaml", "max")
        let expected = TouchdProgram.root.appending(path: "Tests/touchdTests/Examples/\(recording)")
        #expect(outcome.status == 0)
        #expect(outcome.output == (try String(contentsOf: expected.appendingPathExtension("json"), encoding: .utf8)))
        #expect(outcome.errors == (try String(contentsOf: expected.appendingPathExtension("log"), encoding: .utf8)))
    }

    @Test("times are seconds since the first event, positions points of the layout")
    func firstTouch() throws {
        struct Line: Decodable { let time, x, y: Double }
        let first = try #require(try replay(Self.recording, "max").touchLines.first)
        let line = try JSONDecoder().decode(Line.self, from: Data(first.utf8))
        // Raw (513, 320) in the ranges 0…1920 and 0…1080, and the frame's SYN_REPORT 32 µs after the first event.
        #expect(abs(line.x - 513.0 / 1921 * 1920) < 0.01 && abs(line.y - 320.0 / 1081 * 1080) < 0.01)
        #expect(line.time < 0.001)
    }

    @Test("a recording always gives the same result, byte for byte, at any speed")
    func speeds() throws {
        let result = try replay(Self.recording, "max").output
        #expect(!result.isEmpty)
        #expect(try replay(Self.recording, "50").output == result)
    }

    private static let files = TouchdProgram.root.appending(path: "Tests/LayoutTests/Files")

    @Test("the talking mode says the same at the same times, and presses the same, at any speed")
    func speedsOfTheTalkingMode() throws {
        let layout = try String(contentsOf: Self.files.appending(path: "good/talking.yaml"), encoding: .utf8)
            .replacing("  start:\n", with: "  start:\n    on: {appeared: {talk: on}}\n")
        let lines = try linesAtAnySpeed("walk", layout)
        #expect(lines.count { $0.contains("\"change\": \"activated\"") } == 2)
    }

    @Test("accommodations give the same touches at the same times at any speed")
    func speedsOfAccommodations() throws {
        let layout = """
            screen: {size: [1080, 1920]}
            accommodations: {hold: 300ms, ignore-repeat: 500ms, steady: 40}
            views: [{id: keys, frame: [0, 0, 1080, 1920], control: button, on: {pressed: log}}]

            """
        let lines = try linesAtAnySpeed("tremor", layout)
        #expect(lines.count { $0.contains("\"phase\": \"ended\"") } == 20)
    }

    private func linesAtAnySpeed(_ recording: String, _ layout: String) throws -> [String] {
        let folder = try TemporaryFolder()
        let file = try folder.file("layout.yaml", layout).path
        let recording = Self.files.appending(path: "\(recording).evemu.gz").path
        let outcomes = try ["max", "20", "200"].map { try replay(recording, on: file, $0) }
        #expect(outcomes.allSatisfy { $0.status == 0 }, "\(outcomes[0].errors)")
        #expect(outcomes.allSatisfy { $0.output == outcomes[0].output })
        return outcomes[0].lines
    }

    @Test("a recording that ends where the clock does stops nothing, at any speed", arguments: ["max", "1e18"])
    func endOfTime(_ speed: String) throws {
        let folder = try TemporaryFolder()
        let layout = """
            screen: {size: [100, 100]}
            devices: [{match: {name: far}, filter: {debounce: 20 ms}}]
            views: [{id: wall, frame: [0, 0, 100, 100], gestures: [{long-press: {duration: 1 s}, run: log}]}]
            """
        let recording = """
            N: far
            P: 02
            A: 2f 0 9 0 0
            A: 35 0 99 0 0
            A: 36 0 99 0 0
            A: 39 0 65535 0 0
            E: 0.000000 0003 0039 1
            E: 0.000000 0003 0035 10
            E: 0.000000 0003 0036 10
            E: 0.000000 0000 0000 0
            E: 9223372036854.000000 0003 0035 20
            E: 9223372036854.000000 0000 0000 0
            """
        let outcome = try replay(
            folder.file("far.evemu", recording + "\n").path, on: folder.file("far.yaml", layout + "\n").path, speed)
        #expect(outcome.status == 0)
        #expect(outcome.touchLines.last?.contains("\"phase\": \"cancelled\"") == true)
    }

    @Test("--metrics-file, which a drop-in of an earlier version passes, is ignored with a warning")
    func metricsFile() throws {
        let outcome = try replay(Self.recording, "max", "--metrics-file", "/nowhere/touchd.prom")
        #expect(outcome.status == 0)
        #expect(outcome.errors.hasPrefix("warning: '--metrics-file' is ignored; enable touchd-metrics.timer\n"))
    }

    @Test("a missing recording is reported, with exit status 66")
    func missingRecording() throws {
        let outcome = try replay("nowhere.evemu", "max")
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("nowhere.evemu"))
    }
}
