import Foundation
import Testing

@testable import Layout

/// Passes a result from a thread.
private nonisolated final class Box<Result>: @unchecked Sendable {
    // Written before a semaphore is signaled, and read after it.
    var result: Result?
}

/// The cost of a check in counted steps is proportional to the text, even for a hostile one.
@Suite("Cost of hostile layouts") struct LayoutCostTests {
    private nonisolated func check(_ text: String) -> LayoutCheck {
        LayoutDocument.check(text: text, file: "kiosk.yaml", handlers: ["log"])
    }

    @Test("every phase takes steps in proportion to the size, or stops at its limit", arguments: HostileLayout.all)
    func bounded(_ layout: HostileLayout) {
        // A check of layouts a hundred times as large, as `TOUCHD_COSTS=1` prints them, takes seconds for each.
        let printsCosts = ProcessInfo.processInfo.environment["TOUCHD_COSTS"] != nil
        let text = layout.text(layout.size * (printsCosts ? 100 : 30))
        let one = check(layout.text(layout.size)).cost
        let ten = check(layout.text(layout.size * 10)).cost
        let large = check(text).cost
        // Aliases of a list that grows itself: the expanded layout grows with the square of the size, up to its limit.
        let expands = layout.name.hasPrefix("aliases")
        for ((phase, first), (second, third)) in zip(one.phases, zip(ten.phases, large.phases)) {
            // Similar names are searched for at most a hundred errors, up to a separate limit.
            let searches = phase == "suggestions" || phase == "reach"
            let factor = searches || expands ? 120 : 12
            let limit =
                searches ? LayoutLimit.nearestNameSteps * 2 : expands ? LayoutLimit.readingSteps + 1_000_000 : Int.max
            #expect(
                second.steps <= first * factor + 5000, "\(phase): \(first) steps, ten times as large \(second.steps)")
            #expect(
                third.steps <= min(second.steps * factor + 50_000, limit),
                "\(phase): \(second.steps) steps, up to ten times as large \(third.steps)")
        }
        #expect(large.parsing <= text.utf8.count * 8 + 256)
        #expect(large.reading <= LayoutLimit.readingSteps + text.utf8.count)
        // The text that exceeds the limit is the last one.
        #expect(large.expandedBytes <= LayoutLimit.expandedSize + 16 * 1024 * 1024)
        #expect(large.suggestions <= LayoutLimit.nearestNameSteps + LayoutLimit.nameLength)
        #expect(large.steps <= 30_000_000)
        if printsCosts {
            let steps = [one, ten, large].map { "\($0.steps)" }.joined(separator: " | ")
            let bytes = [one, ten, large].map { "\($0.expandedBytes)" }.joined(separator: " | ")
            print("| \(layout.name) | \(layout.size) | \(steps) | \(bytes) |")
        }
    }

    private nonisolated func findings(_ text: String) -> [String] { check(text).findings.map(\.description) }

    @Test("a chain of 35,000 handlers is refused for its depth, on a small stack")
    func longChain() throws {
        let text =
            "screen: {size: [9, 9]}\non: {began: h0}\nhandlers:\n"
            + (0..<34_999).map { "  h\($0): [h\($0 + 1)]\n" }.joined() + "  h34999: [log]\n"
        let found = try onSmallStack { findings(text) }
        #expect(found.first?.contains("error: handlers run each other more than 32 deep: h") == true)
        #expect(found.count <= LayoutLimit.findings + 1)
    }

    @Test("a chain of 5,000 gestures that wait for the next is read on a small stack")
    func longWait() throws {
        let text =
            "screen: {size: [1920, 1080]}\nviews:\n"
            + (0..<5000).map {
                "  - {frame: [\($0 % 1900), \($0 / 1900), 1, 1], gestures: [{tap: {}, id: g\($0), run: log"
                    + ($0 < 4999 ? ", after-failure-of: [g\($0 + 1)]" : "") + "}]}\n"
            }.joined()
        #expect(try onSmallStack { findings(text) } == [])
    }

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

    @Test("a trigger that runs a handler too often is rejected at its position")
    func oftenTriggered() {
        let runs = Array(repeating: "h", count: 501).joined(separator: ", ")
        #expect(
            findings("screen: {size: [9, 9]}\non: {began: [\(runs)]}\nhandlers: {h: [log]}\n") == [
                "kiosk.yaml:2:14: error: this runs more than 1000 steps (got 1002); run fewer handlers"
            ])
    }

    @Test("texts count as steps, so that one touch cannot write megabytes")
    func longTexts() {
        let text = String(repeating: "x", count: 2_000_000)
        let found = findings(
            "screen: {size: [9, 9]}\non: {began: [h, h, h]}\nhandlers: {h: [{log: \"\(text)\"}]}\n")
        #expect(
            found == [
                "kiosk.yaml:2:14: error: this runs more than 1000 steps (got 1470); run fewer handlers"
            ])
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

    @Test(
        "a directive is rejected at its line, wherever it is",
        arguments: ["%TAG ! tag:x,2000:\n---\n", "%YAML 1.2\n---\n"])
    func directive(_ text: String) {
        #expect(
            findings(text + "screen: {size: [9, 9]}\n") == [
                "kiosk.yaml:1:1: error: YAML directives (%) are not allowed; remove this line, or indent it if it is part "
                    + "of a text"
            ])
        #expect(
            findings("screen: {size: [9, 9]}\r\n\r\n%TAG\r\n").first?.hasPrefix("kiosk.yaml:3:1: error: YAML") == true)
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

    @Test("a chain of 3,000 redirects leads each view to the last, in one step per view")
    func redirectedChain() throws {
        let kiosk = try Kiosk(
            "screen: {size: [1920, 1080]}\nviews:\n"
                + (0..<3000).map {
                    "  - {id: v\($0), frame: [\($0 % 1900), \($0 / 1900), 1, 1]\($0 < 2999 ? ", redirect: v\($0 + 1)" : "")}\n"
                }.joined())
        #expect(kiosk.hit(0.5, 0.5) == "v2999")
        #expect(kiosk.hit(1000.5, 0.5) == "v2999")
    }

    /// Runs a closure on a thread with a smaller stack than a main thread's.
    private func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) throws -> Result {
        let box = Box<Result>(), done = DispatchSemaphore(value: 0)
        let thread = Thread {
            box.result = body()
            done.signal()
        }
        thread.stackSize = 1 << 20
        thread.start()
        done.wait()
        return try #require(box.result)
    }
}
