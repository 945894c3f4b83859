import Foundation
import Testing

@testable import TestSupport

/// A layout that is reloaded repeatedly while the screen is touched.
@Suite final class ReloadUnderTouches {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private struct Line: Decodable {
        let touch: Int
        let phase: String
        let view: String?
    }

    /// 200 touches per second, each 18 ms long, so that three or four fingers are down at any time.
    private func recording(touches: Int) throws -> String {
        let example = TouchdProgram.root.appending(path: "config/examples/recordings/seat-map.evemu")
        let header = try String(contentsOf: example, encoding: .utf8).split(separator: "\n").filter {
            !$0.hasPrefix("E:")
        }
        var events: [(time: Int, lines: [String])] = []
        for touch in 0..<touches {
            let (start, slot) = (touch * 5, touch % 5)
            let x = 100 + touch * 7 % 1000
            let select = "0003 002f \(slot)"
            events.append(
                (
                    start,
                    [select, "0003 0039 \(touch)", "0003 0035 \(x)", "0003 0036 500"]
                        + (touch == 0 ? ["0001 014a 1"] : [])
                ))
            events.append((start + 9, [select, "0003 0035 \(x + 20)"]))
            events.append((start + 18, [select, "0003 0039 -1"] + (touch == touches - 1 ? ["0001 014a 0"] : [])))
        }
        // Sorting is not stable, and events of one slot never have the same time.
        let lines = events.sorted { ($0.time, $0.lines[0]) < ($1.time, $1.lines[0]) }.flatMap { event in
            (event.lines + ["0000 0000 0"]).map { line in
                "E: \(event.time / 1000).\(String(format: "%06d", event.time % 1000 * 1000)) \(line)"
            }
        }
        return (header.map(String.init) + lines).joined(separator: "\n") + "\n"
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
        for seconds in [3, 30, 120] {
            let seen = try reloaded(under: 200 * seconds)
            // Both layouts received touches, and fingers were down when they changed.
            if seen.views == ["even", "odd"], seen.cancelled > 0 { return }
        }
        Issue.record("touchd was never seen to reload while fingers were down")
    }

    /// Reloads after each read until all touches are over; returns their views and the number of cancelled touches.
    private func reloaded(under touches: Int) throws -> (views: Set<String?>, cancelled: Int) {
        let (file, replay) = (folder.appending(path: "kiosk.yaml"), folder.appending(path: "touches.evemu"))
        try recording(touches: touches).write(to: replay, atomically: true, encoding: .utf8)
        try layout(named: "even").write(to: file)
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: TouchdProgram.path)
        process.arguments = ["run", "--layout", file.path, "--replay", replay.path, "--output", "json"]
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

        let lines = try String(decoding: text, as: UTF8.self).split(separator: "\n").filter {
            !$0.hasPrefix("{\"event\"")
        }.map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        let phases = Dictionary(grouping: lines, by: \.touch).mapValues { $0.map(\.phase).filter { $0 != "moved" } }
        #expect(process.terminationStatus == 0)
        #expect(phases.count == touches)
        #expect(phases.values.allSatisfy { $0 == ["began", "ended"] || $0 == ["began", "cancelled"] })
        let cancelled = phases.values.count { $0.last == "cancelled" }
        print("reloaded \(reloads) times; \(cancelled) of \(touches) touches cancelled")
        return (Set(lines.map(\.view)), cancelled)
    }
}
