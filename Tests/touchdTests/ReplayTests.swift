import Foundation
import Testing

@testable import TestSupport

/// `touchd run --replay`: the whole path from a real device's recording to the output.
@Suite struct Replay {
    private static let recording = "config/recordings/quanta-optical.evemu"

    private struct Line: Decodable, Equatable {
        let time: Double
        let device: String
        let touch: Int
        let phase: String
        let x: Double
        let y: Double
        let view: String?
        let handlers: [String]
    }

    private func lines(of outcome: TouchdProgram.Outcome) throws -> [Line] {
        try outcome.touchLines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }

    @Test("the nine touches of the bundled recording reach their views, and end once")
    func bundledRecording() throws {
        let outcome = try TouchdProgram.run(
            "run", "--layout", "config/touchd.yaml", "--replay", Self.recording, "--speed", "max", "--output", "json")
        try #require(outcome.status == 0, "\(outcome.errors)")
        let lines = try lines(of: outcome)

        let began = lines.filter { $0.phase == "began" }
        #expect(began.map(\.touch) == Array(1...9))
        #expect(
            began.map(\.view) == [
                "painting", "map", "photograph", "map", "sculpture", "painting", "previous", "map", "sculpture",
            ])
        let ended = lines.filter { $0.phase == "ended" }
        #expect(ended.map(\.touch) == Array(1...9))
        // A touch keeps the view on which it began.
        #expect(ended.map(\.view) == began.map(\.view))
        #expect(
            ended.map(\.handlers) == Array(repeating: ["chosen"], count: 6) + [["page-turned", "chime"]]
                + Array(repeating: ["chosen"], count: 2))
        #expect(Set(lines.map(\.device)) == ["QUANTA OpticalTouchScreen"])
        #expect(lines.allSatisfy { ["began", "moved", "ended"].contains($0.phase) })
    }

    @Test("times are seconds since the first event, positions points of the layout")
    func firstTouch() throws {
        let outcome = try TouchdProgram.run(
            "run", "--layout", "config/touchd.yaml", "--replay", Self.recording, "--speed", "max", "--output", "json")
        let first = try #require(try lines(of: outcome).first)
        // Raw (513, 320) in the ranges 0…1920 and 0…1080, and the frame's SYN_REPORT 32 µs after the first event.
        #expect(abs(first.x - 513.0 / 1921 * 1920) < 0.01 && abs(first.y - 320.0 / 1081 * 1080) < 0.01)
        #expect(first.time < 0.001)
    }

    @Test("a recording always gives the same result, byte for byte, at any speed")
    func speeds() throws {
        let results = try ["max", "50"].map { speed in
            try TouchdProgram.run(
                "run", "--layout", "config/touchd.yaml", "--replay", Self.recording, "--speed", speed, "--output",
                "json"
            ).output
        }
        #expect(!results[0].isEmpty)
        #expect(results[0] == results[1])
    }

    @Test("the layout's device rules apply to a recording as to a live device")
    func deviceRules() throws {
        let layout = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: layout) }
        let text = "screen: {size: [1921, 1081]}\ndevices: [{match: {name: QUANTA*}, rotate: 180}]\n"
        try Data(text.utf8).write(to: layout)
        let outcome = try TouchdProgram.run(
            "run", "--layout", layout.path, "--replay", Self.recording, "--speed", "max", "--output", "json")
        let first = try #require(try lines(of: outcome).first)
        #expect(first.x == 1921 - 513 && first.y == 1081 - 320)
    }

    @Test("--metrics-file, which a drop-in of an earlier version passes, is ignored with a warning")
    func metricsFile() throws {
        let outcome = try TouchdProgram.run(
            "run", "--layout", "config/touchd.yaml", "--replay", Self.recording, "--speed", "max", "--metrics-file",
            "/nowhere/touchd.prom")
        #expect(outcome.status == 0)
        #expect(outcome.errors.hasPrefix("warning: '--metrics-file' is ignored; enable touchd-metrics.timer\n"))
    }

    @Test("a missing recording is reported, with exit status 66")
    func missingRecording() throws {
        let outcome = try TouchdProgram.run("run", "--layout", "config/touchd.yaml", "--replay", "nowhere.evemu")
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("nowhere.evemu"))
    }
}
