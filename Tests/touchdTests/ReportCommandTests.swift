import Foundation
import Testing

@testable import TestSupport

/// `touchd report` as an operator runs it; the tests of Reports cover its counts.
@Suite struct ReportCommand {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func hall() throws -> URL {
        let journal = try ReplayedJournal(
            host: "hall", machine: "aaaa", recording: "config/recordings/quanta-optical.evemu")
        return try folder.file("hall.export", journal.text)
    }

    @Test("the report of nine real touches is the same from input and file")
    func recording() throws {
        let file = try hall()
        let expected = """
            1 kiosk, 9 touches, 2026-11-01 00:00:00 to 2026-11-01 00:00:13 UTC

            hall: 9 touches
              view        touches     taps  abandoned  unfinished
              map               3        0          0           0
              painting          2        0          0           0
              photograph        1        1          0           0
              previous          1        0          0           0
              sculpture         2        0          0           0

            """
        let fromFile = try TouchdProgram.run("report", file.path)
        #expect(fromFile.output == expected && fromFile.errors == "" && fromFile.status == 0)
        #expect(try TouchdProgram.run(["report"], input: file).output == expected)
        #expect(try TouchdProgram.run(["report", "-"], input: file).output == expected)
    }

    @Test("with the layout, untouched views are named and the picture shows touches")
    func layout() throws {
        let picture = folder.url.appending(path: "hall.svg")
        let outcome = try TouchdProgram.run(
            "report", "--layout", "config/touchd.yaml", "--svg", picture.path, try hall().path)
        #expect(outcome.status == 0 && outcome.errors == "")
        // 'help' is disabled in that layout and expects no touch.
        #expect(outcome.output.contains("\n  never touched: home, language, next\n"))
        let svg = try String(contentsOf: picture, encoding: .utf8)
        #expect(svg.components(separatedBy: "began here</title>").count == 10)
    }

    @Test("for a kiosk with two screens, each picture has its own touches")
    func screens() throws {
        let layout = try folder.file(
            "wall.yaml",
            """
            screens: {left: {size: [1920, 1080]}, right: {size: [1920, 1080]}}
            devices:
              - {match: {name: "Museum wall, left"}, screen: left}
              - {match: {name: "Museum wall, right"}, screen: right}
            """)
        let journals = try ["left", "right"].map { side in
            try ReplayedJournal(
                host: "wall", machine: "aaaa",
                recording: "config/examples/recordings/museum-wall-\(side).evemu", layout: layout.path)
        }
        // In the order of their times, as journalctl has them: a report takes an entry after later ones for repeated.
        func time(_ entry: Substring) -> Int {
            entry.firstMatch(of: /__MONOTONIC_TIMESTAMP=([0-9]+)/).flatMap { Int($0.output.1) } ?? 0
        }
        let entries = journals.flatMap { $0.text.split(separator: "\n\n") }.sorted { time($0) < time($1) }
        let journal = try folder.file("wall.export", entries.map { $0 + "\n\n" }.joined())
        for (side, expected) in zip(["left", "right"], journals.map(\.touches)) {
            let picture = folder.url.appending(path: "\(side).svg")
            let outcome = try TouchdProgram.run(
                "report", "--layout", layout.path, "--svg", picture.path, "--screen", side, journal.path)
            #expect(outcome.status == 0 && outcome.errors == "")
            let drawn = try String(contentsOf: picture, encoding: .utf8).matches(of: /([0-9]+) touch(es)? began here/)
                .reduce(0) { $0 + (Int($1.output.1) ?? 0) }
            #expect(drawn == expected && expected > 0)
        }
    }

    @Test("--json gives the same as one object, with dates in UTC")
    func json() throws {
        let report = try TouchdProgram.run("report", "--json", try hall().path).json
        #expect(report["touches"] as? Int == 9 && report["from"] as? String == "2026-11-01T00:00:00Z")
        let kiosk = try #require((report["kiosks"] as? [[String: Any]])?.first)
        #expect(kiosk["host"] as? String == "hall" && kiosk["machine"] as? String == "aaaa")
        #expect((kiosk["concerns"] as? [String]) == [])
        #expect((kiosk["total"] as? [String: Int])?["taps"] == 1)
    }

    @Test("a missing journal exits with 66, an invalid one with 65")
    func errors() throws {
        let missing = try TouchdProgram.run("report", "/nonexistent/journal")
        #expect(missing.status == 66 && missing.errors.contains("No such file or directory"))
        let bad = try TouchdProgram.run("report", try folder.file("bad", "{oops\n").path)
        #expect(bad.status == 65 && bad.errors.contains("entry 1: not a JSON object"))
        let noLayout = try TouchdProgram.run("report", "--svg", "picture.svg", "-")
        #expect(noLayout.status == 64 && noLayout.errors.contains("add --layout FILE"))
    }
}
