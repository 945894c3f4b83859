import Foundation
import LabSupport
import Testing

/// The steps of README.md and the guides, done with the installed service by `Tests/Lab/guides.sh`.
@Suite("The guides, in a booted machine", .needsLab)
struct LabGuideTests {
    private static let script = Task {
        try await LabRun("guides.sh", in: .machine, LabRun.programs, LabRun.install(for: "guides"))
    }
    private let run: LabRun

    init() async throws { run = try await Self.script.value }

    /// The block of a guide that contains a line, as the guide shows it.
    private func block(of guide: String, with text: String) throws -> [String] {
        let page = try String(contentsOf: Boot.repository.appending(path: guide), encoding: .utf8)
        let blocks = page.components(separatedBy: "\n```").enumerated().filter { !$0.offset.isMultiple(of: 2) }
        let block = try #require(blocks.map(\.element).first { $0.contains(text) }, "\(guide) shows no '\(text)'")
        return block.split(separator: "\n").dropFirst(block.hasPrefix("\n") ? 0 : 1).map(String.init)
    }

    /// A line without the parts that vary between runs: a device's node, the time, and the touch's number.
    private func plain(_ line: String) -> String {
        line.replacing(/\/dev\/input\/event[0-9]+/, with: "EVENT")
            .replacing(/^ *(?:[0-9]+\.[0-9]+ s|[0-9:.]+)  touch [0-9]+/, with: "TIME  TOUCH")
    }

    @Test("README.md's layout writes to the journal what README.md shows")
    func readme() throws {
        let printed = try run.lines("readme-journal")

        // An emulated machine is slow at times, and touchd logs that.
        let expected = try block(of: "README.md", with: "$ journalctl -t touchd").dropFirst().map(plain)
        let entries = printed.filter { !$0.hasPrefix("touches waited") }.map(plain)
        // The handler's program writes its line itself, some time after its start.
        #expect(entries.filter { $0 != "Hello" } == expected.filter { $0 != "Hello" })
        #expect(entries.count == expected.count)
    }

    @Test("devices are listed as docs/screen.md shows them")
    func devices() throws {
        let printed = try run.lines("devices")

        #expect(try printed.map(plain) == block(of: "docs/screen.md", with: "used as mouse").map(plain))
    }

    @Test("calibrate requests four marks and prints what docs/screen.md shows")
    func calibrate() throws {
        #expect(try run.lines("ignoring").contains("          touches are ignored now"))
        let shown = try block(of: "docs/screen.md", with: "Touch the top left mark").filter { !$0.isEmpty }
        #expect(try run.lines("calibrate") == shown)
    }

    @Test("monitor, record and evtest show a touch as in docs/not-reacting.md")
    func monitor() throws {
        #expect(
            try run.lines("monitor").map(plain)
                == block(of: "docs/not-reacting.md", with: "began     on painting").map(plain))
        #expect(try run.lines("decode").count == 3)
        #expect(try run.lines("monitor-json").allSatisfy { $0.contains(#""view": "painting""#) })
    }

    @Test("a failed handler, layout or start is reported as in the guide")
    func faults() throws {
        #expect(try run.lines("status").contains { $0.contains("Active: active (running)") })
        #expect(try run.lines("failures").contains("handler 'buy': /bin/false failed with exit status 1"))
        #expect(
            try run.lines("status-failures").contains { $0.hasPrefix("handler   buy: ") && $0.hasSuffix("1 failure") })
        let mistake = "/etc/touchd/touchd.yaml:6:1: error: unknown key 'viewz' in the layout; did you mean 'views'?"
        #expect(try run.lines("refused").contains("          the new layout was refused: \(mistake)"))
        let lastGood = try run.lines("last-good")
        #expect(lastGood.contains { $0.hasPrefix("          this is the last good layout, saved at ") })
        #expect(lastGood.contains("          the new layout was refused: \(mistake)"))
        #expect(try run.lines("failed").contains { $0.contains("status=65") })
        #expect(try run.lines("failed").contains { $0.hasSuffix(mistake) })
    }

    @Test("another seat's service has its own layout, socket and ignored devices")
    func seat() throws {
        let lines = try run.lines("seat")

        #expect(lines.contains("layout    /etc/touchd/seat1.yaml"))
        #expect(lines.filter { $0.hasPrefix("device") }.map(plain) == ["device    EVENT  EP0430M09: used"])
    }

    @Test("the journal queries of docs/logging.md find their entries")
    func logging() throws {
        #expect(try run.lines("log-view").allSatisfy { $0.contains(" began on help at ") })
        #expect(try !run.lines("log-view").isEmpty && !run.lines("log-handler").isEmpty)
        #expect(try run.lines("log-json") == ["2"])
        #expect(try run.lines("log-explained").contains("░░ Subject: touchd answers touches"))
        #expect(try run.lines("report").first?.hasPrefix("1 kiosk, ") == true)
        #expect(try run.lines("heat") == ["1"])
        #expect(try run.lines("namespace").contains("handler 'buy': /bin/false failed with exit status 1"))
        // An entry that was written meanwhile is there as well.
        #expect(try run.lines("vacuumed").starts(with: run.lines("namespace")))
    }

    @Test("make uninstall leaves only the layout")
    func uninstall() throws {
        #expect(try run.lines("left") == ["/etc/touchd/touchd.yaml"])
    }
}
