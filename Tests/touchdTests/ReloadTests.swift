import Foundation
import Testing

@testable import TestSupport

/// A layout that is reloaded repeatedly while the screen is touched.
@Suite struct ReloadUnderTouches {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Line: Decodable {
        let touch: Int
        let phase: String
        let view: String?
    }

    /// 200 touches per second, each 18 ms long, so that three or four fingers are down at any time.
    private func recording(touches: Int) -> String {
        let (slot, id, x, y) = MadeUpRecording.codes
        var reports: [(time: Int, slot: Int, events: [(Int, Int)])] = []
        for touch in 0..<touches {
            let (start, place) = (touch * 5, 100 + touch * 7 % 800)
            reports.append((start, touch % 5, [(id, touch), (x, place), (y, 500)]))
            reports.append((start + 9, touch % 5, [(x, place + 20)]))
            reports.append((start + 18, touch % 5, [(id, -1)]))
        }
        var recording = MadeUpRecording()
        // Sorting is not stable, and reports of one slot never have the same time.
        for report in reports.sorted(by: { ($0.time, $0.slot) < ($1.time, $1.slot) }) {
            recording.report(at: report.time * 1000, [(slot, report.slot)] + report.events)
        }
        return recording.text
    }

    private func layout(named name: String) -> Data {
        Data(
            """
            screen: {size: [1920, 1080]}
            views: [{id: \(name), frame: [0, 0, 1920, 1080], multiple-touch: true, on: {ended: log}}]
            """.utf8)
    }

    @Test("under 200 touches a second each begins once and ends or is cancelled once")
    func nothingLost() throws {
        // A busy machine may read nothing for seconds; then a longer recording is used.
        for seconds in [1, 10, 120] {
            let seen = try reloaded(under: 200 * seconds)
            // Both layouts received touches, and fingers were down when they changed.
            if seen.views == ["even", "odd"], seen.cancelled > 0 { return }
        }
        Issue.record("touchd was never seen to reload while fingers were down")
    }

    /// Reloads after each read until all touches are over; returns their views and the number of cancelled touches.
    private func reloaded(under touches: Int) throws -> (views: Set<String?>, cancelled: Int) {
        let file = folder.url.appending(path: "kiosk.yaml")
        let replay = try folder.file("touches.evemu", recording(touches: touches))
        try layout(named: "even").write(to: file)
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: TouchdProgram.path)
        process.arguments = ["run", "--layout", file.path, "--replay", replay.path, "--format", "json"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()

        var text = Data(), reloads = 0
        while case let chunk = output.fileHandleForReading.availableData, !chunk.isEmpty {
            text += chunk
            reloads += 1
            // The layouts alternate; the invalid one is refused, and the previous one stays.
            let isEven = chunk.range(of: Data("\"even\"".utf8)) != nil
            let new = reloads % 3 == 0 ? Data("screen: nowhere".utf8) : layout(named: isEven ? "odd" : "even")
            try new.write(to: file, options: .atomic)
            kill(process.processIdentifier, SIGHUP)
        }
        process.waitUntilExit()

        let lines = try String(decoding: text, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("{\"event\": \"touch\"") }.map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8))
            }
        let phases = Dictionary(grouping: lines, by: \.touch).mapValues { $0.map(\.phase).filter { $0 != "moved" } }
        #expect(process.terminationStatus == 0)
        #expect(phases.count == touches)
        #expect(phases.values.allSatisfy { $0 == ["began", "ended"] || $0 == ["began", "cancelled"] })
        let cancelled = phases.values.count { $0.last == "cancelled" }
        return (Set(lines.map(\.view)), cancelled)
    }
}
