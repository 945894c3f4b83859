import Foundation
import Layout
import Testing

@Suite("The check of accessibility") struct AccessibilityChecks {
    /// A layout with which nothing is wrong, but for these parts.
    private func clauses(
        views: String = "", keys: String = "", start: String = "{hold: 5 s}", millimeters: String? = nil
    ) throws -> [String] {
        let text = """
            screen: {size: [400, 400]\(millimeters.map { ", millimeters: \($0)" } ?? "")}
            accessibility: {start: \(start)}
            \(keys)
            views:
              - {id: a, label: {en: One, de: Eins}, frame: [0, 0, 90, 90], control: button, on: {pressed: log}}
            \(views)
            """
        let document = try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log", "other"])
        return AccessibilityCheck.findings(document).map { String($0.message.prefix { $0 != ":" }) }
    }

    @Test("a view that touches affect has a label in each language; a container of elements needs none")
    func labels() throws {
        #expect(try clauses() == [])
        #expect(try clauses(views: "  - {frame: [100, 0, 90, 90], on: {ended: log}}") == ["5.1.3.1"])
        #expect(try clauses(views: "  - {label: {en: B}, frame: [100, 0, 90, 90], control: button}") == ["5.1.3.14"])
        #expect(try clauses(views: "  - {label: B, frame: [100, 0, 90, 90], control: button}") == [])
        #expect(
            try clauses(
                views: """
                      - frame: [100, 0, 90, 90]
                        on: {ended: log}
                        views: [{label: B, frame: [0, 0, 90, 90], control: button}]
                    """) == [])
    }

    @Test("what is wrong with the cells of a grid is one finding")
    func grids() throws {
        let grid = """
              - repeat: {columns: 9, rows: 3, frame: [100, 0, 90, 90], view: {control: button}}
            """
        #expect(try clauses(views: grid) == ["5.1.3.1", "WCAG 2.5.8"])
    }

    @Test("somebody who does not see the screen can start the talking mode")
    func start() throws {
        #expect(try clauses(start: "{}") == ["5.2, 8.5"])
        #expect(try clauses(start: "{key: KEY_HELP}") == [])
    }

    @Test(
        "what some people cannot do has another way, and time",
        arguments: [
            ("{label: B, frame: [100, 0, 90, 90], gestures: [{pinch: , run: other}]}", ["5.9, WCAG 2.5.1"]),
            ("{label: B, frame: [100, 0, 90, 90], gestures: [{pinch: , run: log}]}", []),
            ("{label: B, frame: [100, 0, 90, 90], gestures: [{swipe: left, run: other}]}", ["WCAG 2.5.1, 2.5.7"]),
            ("{label: B, frame: [100, 0, 90, 90], gestures: [{tap: {touches: 2}, run: other}]}", ["5.9, WCAG 2.5.1"]),
            ("{label: B, frame: [100, 0, 90, 90], gestures: [{long-press: , run: other}]}", []),
            ("{label: B, frame: [100, 0, 20, 90], control: button}", ["WCAG 2.5.8"]),
            ("{label: B, frame: [100, 0, 20, 90], slop: 2, control: button}", []),
            ("{label: B, frame: [100, 0, 90, 90], on: {began: log}}", ["WCAG 2.5.2"]),
            ("{label: B, frame: [100, 0, 90, 90], control: {repeat: {after: 0.4}}}", ["5.7"]),
            ("{label: B, frame: [100, 0, 90, 90], control: {repeat: {after: 2}}}", ["5.7"]),
            ("{label: B, frame: [100, 0, 90, 90], control: {repeat: {after: 2, every: 2}}}", []),
        ])
    func ways(view: String, expected: [String]) throws {
        #expect(try clauses(views: "  - \(view)") == expected)
    }

    @Test(
        "a screen of a known size and height has targets in millimeters, and within reach",
        arguments: [
            // A point has 1 mm. The first view is at the top, as most of these are.
            ("[400, 400], above-floor: 800", "{label: B, frame: [100, 0, 7, 90], control: button}", []),
            ("[300, 400], above-floor: 800", "{label: B, frame: [100, 0, 7, 90], control: button}", ["WCAG 2.5.8"]),
            ("[400, 400]", "{label: B, frame: [100, 0, 90, 90], control: button}", []),
            ("[400, 400], above-floor: 900", "{label: B, frame: [100, 0, 90, 90], control: button}", []),
            (
                "[400, 400], above-floor: 930", "{label: B, frame: [100, 0, 90, 90], control: button}",
                ["8.3.2.1", "8.3.2.1"]
            ),
            ("[400, 400], above-floor: 250", "{label: B, frame: [100, 300, 90, 90], control: button}", ["8.3.2.2"]),
            // The button below, at 0 to 90, does the same.
            (
                "[400, 400], above-floor: 250",
                "{label: B, frame: [100, 300, 90, 90], control: button, on: {pressed: log}}", []
            ),
            (
                "[400, 400], above-floor: 250",
                "{label: B, frame: [100, 200, 90, 190], views: [{label: C, frame: [0, 100, 90, 90], control: button}]}",
                ["8.3.2.2"]
            ),
        ])
    func millimeters(screen: String, view: String, expected: [String]) throws {
        #expect(try clauses(views: "  - \(view)", millimeters: screen) == expected)
    }

    @Test("a keypad on the screen ignores repeats, and what happens after a time is announced")
    func times() throws {
        let keypad = """
              - frame: [100, 0, 90, 90]
                views:
                  - repeat: {columns: 4, rows: 3, frame: [0, 0, 90, 90], cells: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
                      view: {label: "{cell}", slop: 9, control: button}}
            """
        #expect(try clauses(views: keypad) == ["5.8"])
        let help = "accommodations: {enabled: false, ignore-repeat: 500 ms}"
        #expect(try clauses(views: keypad, keys: help) == ["5.8"])
        #expect(try clauses(views: keypad, keys: help + "\nidle: {after: 60, run: {accommodate: on}}") == [])
        // What a visitor loses is seen; what only helped this one may end silently.
        let reset = "run: [{hide: a}, {log: x}]"
        #expect(try clauses(keys: "idle: {after: 60, \(reset)}") == ["WCAG 2.2.1"])
        #expect(try clauses(keys: "idle: [{after: 60, \(reset)}, {after: 120, run: log}]") == ["WCAG 2.2.1"])
        #expect(try clauses(keys: "idle: [{after: 40, run: log}, {after: 60, \(reset)}]") == [])
        #expect(try clauses(keys: "idle: [{after: 40, wake: log}, {after: 60, \(reset)}]") == ["WCAG 2.2.1"])
        #expect(try clauses(keys: "idle: {after: 60, run: {talk: off}}") == [])
        #expect(
            try clauses(keys: "handlers: {away: [{show: a}]}\nidle: {after: 60, run: [log, away]}") == ["WCAG 2.2.1"])
    }
}
