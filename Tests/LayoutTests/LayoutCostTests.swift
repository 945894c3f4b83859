import Foundation
import Testing

@testable import Layout

/// The cost of a check in counted steps is proportional to the text, even for a hostile one.
@Suite("Cost of hostile layouts") struct LayoutCostTests {
    private nonisolated func check(_ text: String) -> LayoutCheck {
        LayoutDocument.check(text: text, file: "kiosk.yaml", handlers: ["log"])
    }

    private nonisolated static let screen = "screen: {size: [1920, 1080]}\n"

    private nonisolated static func lines(_ count: Int, _ line: (Int) -> String) -> String {
        (0..<count).map { "  \(line($0))\n" }.joined()
    }

    private nonisolated static func frame(_ number: Int) -> String {
        "frame: [\(number % 1900), \(number / 1900), 1, 1]"
    }

    private nonisolated static let longChain =
        "\(screen)on: {began: h0}\nhandlers:\n\(lines(34_999) { "h\($0): [h\($0 + 1)]" })  h34999: [log]\n"

    private nonisolated static let longWait =
        "\(screen)views:\n\(lines(4999) { "- {\(tap($0)), after-failure-of: g\($0 + 1)}]}" })  - {\(tap(4999))}]}\n"

    private nonisolated static func tap(_ number: Int) -> String {
        "\(frame(number)), gestures: [{tap: {}, id: g\(number), run: log"
    }

    private nonisolated static let longRedirect =
        "\(screen)views:\n\(lines(2999) { "- {id: v\($0), \(frame($0)), redirect: v\($0 + 1)}" })"
        + "  - {id: v2999, \(frame(2999))}\n"

    /// Layouts written to make the reader slow, large or crash.
    private nonisolated static let hostile: [String: String] = [
        "a chain of handlers": longChain, "gestures that wait for each other": longWait,
        "a chain of redirects": longRedirect,
        "handlers that run two others":
            "\(screen)on: {began: h0}\nhandlers:\n\(lines(300) { "h\($0): [h\($0 + 1), h\($0 + 1)]" })  h300: [log]\n",
        "handlers that all run the first":
            "\(screen)on: {began: h0}\nhandlers:\n\(lines(1800) { "h\($0): [h0, h\(($0 + 1) % 1800)]" })",
        "misspelt ids":
            "\(screen)on:\n  began:\n\(lines(900) { "- {hide: wiew-\($0)}" })views:\n"
            + lines(900) { "- {id: view-\($0), \(frame($0))}" },
        "a key again and again": "\(screen)handlers:\n\(lines(15_000) { _ in "a: log" })",
        "aliases of a long text":
            "\(screen)on:\n  began:\n  - {log: &t \(String(repeating: "x", count: 200_000))}\n"
            + lines(149) { _ in "- {log: *t}" },
        "aliases of a long list":
            "\(screen)views:\n  - {frame: [0, 0, 9, 9], shape: {polygon: &p [\(String(repeating: "[0, 0], ", count: 6000))]}}\n"
            + lines(599) { _ in "- {frame: [0, 0, 9, 9], shape: {polygon: *p}}" },
        "grids in grids":
            "\(screen)views: [\(String(repeating: "{repeat: {columns: 1, frame: [0, 0, 9, 9], view: {views: [", count: 30))"
            + "{repeat: {columns: 50, rows: 20, frame: [0, 0, 9, 9], view: {on: {began: log}}}}"
            + String(repeating: "]}}}", count: 30) + "]\n",
        "pages behind views of every page":
            "\(screen)views:\n\(lines(600) { "- {id: f\($0), \(frame($0))}" })pages:\n"
            + lines(600) { "p\($0): {on: {appeared: {go: p\($0)}}, views: [{frame: [0, 1000, 9, 9]}]}" },
        "views on top of each other":
            "\(screen)views:\n\(lines(900) { "- {frame: [\($0), 0, \(1000 - $0 % 900), 9]}" })",
    ]

    @Test("every phase takes steps in proportion to the size, or stops at its limit", arguments: hostile.keys.sorted())
    func bounded(_ name: String) throws {
        let text = try #require(Self.hostile[name]), bytes = text.utf8.count
        let cost = check(text).cost
        #expect(cost.parsing <= bytes * 8 + 256)
        #expect(cost.reading <= LayoutLimit.readingSteps + bytes)
        // The text that exceeds the limit is the last one.
        #expect(cost.expandedBytes <= LayoutLimit.expandedSize + LayoutLimit.fileSize)
        #expect(cost.suggestions <= LayoutLimit.nearestNameSteps + LayoutLimit.nameLength)
        // A node is visited a few times: as a node, as a key, as a default, as a name.
        let proportional = cost.reading * 8 + bytes * 8 + 4096
        for (phase, steps) in [("parsing", cost.parsing), ("checking", cost.checking), ("reach", cost.reach)] {
            #expect(steps <= proportional + (phase == "reach" ? LayoutLimit.coverSteps : 0), "\(phase)")
        }
    }

    @Test("a chain of 35,000 handlers is refused for its depth, on a small stack")
    func refusedChain() {
        let found = findingsOnSmallStack(Self.longChain)
        #expect(found.first?.contains("error: handlers run each other more than 32 deep: h") == true)
        #expect(found.count <= LayoutLimit.findings + 1)
    }

    @Test("a chain of 5,000 gestures that wait for the next is read on a small stack")
    func readWait() { #expect(findingsOnSmallStack(Self.longWait) == []) }

    @Test("handlers that double themselves are refused at the 1,000th step")
    func doubling() {
        let text =
            "screen: {size: [9, 9]}\non: {began: h0}\nhandlers:\n"
            + (0..<22).map { "  h\($0): [h\($0 + 1), h\($0 + 1)]\n" }.joined() + "  h22: [log]\n"
        #expect(
            findings(text).first { $0.contains("'h13'") }
                == "kiosk.yaml:17:3: error: handler 'h13' takes more than 1000 steps (got 1534, with those of the handlers "
                + "it runs); run fewer")
    }

    @Test(
        "a trigger that runs more than 1,000 steps is rejected; 4 KiB of text count as one",
        arguments: [(501, 1, 1002), (3, 2_000_000, 1470)])
    func oftenTriggered(runs: Int, bytes: Int, steps: Int) {
        let runs = Array(repeating: "h", count: runs).joined(separator: ", ")
        let text = String(repeating: "x", count: bytes)
        #expect(
            findings("screen: {size: [9, 9]}\non: {began: [\(runs)]}\nhandlers: {h: [{log: \"\(text)\"}]}\n") == [
                "kiosk.yaml:2:14: error: this runs more than 1000 steps (got \(steps)); run fewer handlers"
            ])
    }

    @Test("the steps of a gesture's 'run' and those of its 'on' are for one event")
    func oftenRecognized() {
        let steps = Array(repeating: "log", count: 600).joined(separator: ", ")
        let gesture = "{pan: , on: {recognized: [\(steps)], ended: log}, run: [\(steps)]}"
        #expect(
            findings("screen: {size: [9, 9]}\nviews: [{frame: [0, 0, 9, 9], gestures: [\(gesture)]}]\n").first?
                .hasSuffix(
                    "error: this runs more than 1000 steps (got 1200); run fewer handlers") == true)
    }

    @Test("a layout that aliases and grids expand beyond 64 MiB is rejected with its size")
    func expanded() throws {
        let cell = String(repeating: "x", count: 10_000)
        let grid =
            "screen: {size: [9, 9]}\nviews:\n  - repeat: {columns: 500, frame: [0, 0, 9, 9], cells: [&c \(cell)"
            + String(repeating: ", *c", count: 499)
            + "], view: {on: {began: {log: \"\(String(repeating: "{cell}", count: 1000))\"}}}}\n"
        let found = try #require(findings(grid).first)
        #expect(found.contains("error: aliases and grids expand this layout to more than 64 MiB (got 671"))
        #expect(found.hasSuffix("bytes up to here); repeat fewer or shorter texts"))
    }

    @Test("a view and its superviews may have 100 gestures together")
    func manyGestures() {
        let gestures = Array(repeating: "{tap: {taps: 1}, run: log}", count: 60).joined(separator: ", ")
        let found = findings(
            """
            screen: {size: [99, 99]}
            views:
              - id: outer
                frame: [0, 0, 99, 99]
                gestures: [\(gestures)]
                views:
                  - {id: inner, frame: [0, 0, 9, 9], gestures: [\(gestures)]}
            """)
        #expect(
            found.first { $0.contains(" error: ") }
                == "kiosk.yaml:7:52: error: view 'inner' and its superviews have more than 100 gestures (got 120) for one "
                + "touch; remove some, or move them to other views")
    }

    @Test("101 warnings do not hide views: the rest of the layout is read")
    func manyWarnings() throws {
        let views = (0..<300).map { "  - {frame: [\($0), 0, 1, 1], on: , hidden: false}\n" }.joined()
        let check = check("screen: {size: [1920, 1080]}\nviews:\n" + views)
        #expect(check.document?.viewCount == 300)
        #expect(check.findings.count == LayoutLimit.findings + 1)
        #expect(
            check.findings.last?.description
                == "kiosk.yaml:103:29: warning: more than 100 warnings; fix these first")
    }

    @Test("no finding has control characters in it, and none is longer than 2,000 bytes")
    func obeyedByTerminals() throws {
        let found = findings("screen: {size: [9, 9]}\n\"\\e]0;title\\a\\u202e\": 1\n")
        #expect(found.first?.contains("unknown key '\\u{1B}]0;title\\u{7}\\u{202E}' in the layout") == true)
        let long = check(
            "screen: {size: [9, \(String(repeating: "9z", count: 100_000))]}\n\(String(repeating: "y", count: 900)): 1\n"
        )
        #expect(long.findings.count == 2)
        #expect(long.findings.allSatisfy { $0.message.utf8.count <= LayoutLimit.messageSize + 3 })
    }

    @Test("a chain of 3,000 redirects leads each view to the last")
    func redirectedChain() throws {
        let kiosk = try LayoutKiosk(Self.longRedirect)
        #expect(kiosk.hit(0.5, 0.5) == "v2999")
        #expect(kiosk.hit(1000.5, 0.5) == "v2999")
    }

    /// The findings for a text, from a thread with a smaller stack than a main thread's.
    private func findingsOnSmallStack(_ text: String) -> [String] {
        // Written before the semaphore is signaled, and read after it.
        nonisolated(unsafe) var found: [String] = []
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            found = findings(text)
            done.signal()
        }
        thread.stackSize = 1 << 20
        thread.start()
        done.wait()
        return found
    }
}
