import Layout
import Testing

/// Errors of the YAML itself, many errors at once, and layouts that grow; `LayoutTable` has one file for each other error.
@Suite struct LayoutErrors {
    @Test(
        "text that YAML reads as syntax is reported with the fix",
        arguments: [
            (
                "on: {}\nhandlers:\n  h:\n    log: {view} touched\n",
                "4:17: error: not valid YAML: a text that begins with '{' needs quotes: \"{view} touched\""
            ),
            (
                "on: {ended: {log: touched {view}}}\n",
                "1:27: error: not valid YAML: a text that contains one of {}[],: needs quotes: \"touched {view}\""
            ),
            (
                "devices:\n  - match: {name: *Mouse*}\n",
                "2:25: error: not valid YAML: a text that begins with '*' needs quotes"
            ),
            (
                "screen:\n  size: [1, 1]\n views: []\n",
                "3:2: error: not valid YAML: wrong indentation: 1 space does not match any line above"
            ),
            (
                "views:\n  - id: a\n   frame: [0, 0, 1, 1]\n",
                "3:4: error: not valid YAML: wrong indentation: 3 spaces do not match any line above"
            ),
            (
                "views:\n  - id: a\n      frame: [0, 0, 1, 1]\n",
                "3:12: error: not valid YAML: check the line before: its indentation, and a space after each ':'"
            ),
            (
                "views:\n  id: a\n  - id: b\n",
                "3:3: error: not valid YAML: a list item cannot follow the keys that begin in line 2; put the list under a key"
            ),
            (
                "screen:\n  size: [1920, 1080\nviews: []\n",
                "3:6: error: not valid YAML: the '[' in line 2 is not closed; add ']'"
            ),
            (
                "screen: {size: [1, 1]\nviews: []\n",
                "2:1: error: not valid YAML: the '{' in line 1 is not closed; add '}'"
            ),
            (
                "on: {ended: {log: \"open}}\n",
                "2:1: error: not valid YAML: the quotes that begin in line 1 are not closed"
            ),
            (
                "screen: {size: [1, 1]}\nviews\n  - id: a\n",
                "3:7: error: not valid YAML: the key in line 2 has no ':' after it"
            ),
            ("on: {ended: {log: @home}}\n", "1:19: error: not valid YAML: a text that begins with '@' needs quotes"),
            (
                "views:\n  - id: a\n\tframe: 5\n", "3:1: error: not valid YAML: indent with spaces, not with tabs"
            ),
            ("strict: true\nviews:[]\non: {}\n", "3:1: error: not valid YAML: a ':' in line 2 has no space after it"),
            (
                "idle: 1\nstrict:\u{A0}true\non: {}\n",
                "3:1: error: not valid YAML: a ':' in line 2 has no space after it (a no-break space, U+00A0, is not a space)"
            ),
            (
                "on: {ended: {log: 'it's'}}\n",
                "1:23: error: not valid YAML: put double quotes around a text that contains '"
            ),
            (
                "on: {ended: {log: #1}}\n",
                "2:1: error: not valid YAML: a value is missing; a text that contains '#' needs quotes"
            ),
        ])
    func syntaxInText(text: String, finding: String) {
        #expect(findings(text) == ["kiosk.yaml:\(finding)"])
    }

    @Test(
        "a directive is rejected at its line, wherever it is",
        arguments: [
            ("%TAG ! tag:x,2000:\n---\nscreen: {size: [9, 9]}\n", 1),
            ("%YAML 1.2\n---\nscreen: {size: [9, 9]}\n", 1), ("screen: {size: [9, 9]}\r\n\r\n%TAG\r\n", 3),
        ])
    func directive(text: String, line: Int) {
        #expect(
            findings(text).first?.hasPrefix("kiosk.yaml:\(line):1: error: YAML directives (%) are not allowed") == true)
    }

    @Test("an error that aliases repeat is reported once, and hides no other error")
    func repeatedMistake() {
        let views = Array(repeating: "*v", count: 1000).joined(separator: ", ")
        let all = findings("screen: {size: [1, 1]}\nviews: [&v {frame: 1}, \(views)]\non: {ended: {log: }}\n")
        #expect(
            all.map { $0.split(separator: " ")[0] } == ["kiosk.yaml:2:20:", "kiosk.yaml:3:13:", "kiosk.yaml:3:14:"])
    }

    @Test("of a thousand errors a hundred are reported, with a note that there are more")
    func manyFindings() {
        let views = Array(repeating: "{frame: 1}", count: 1000).joined(separator: ", ")
        let all = findings("screen: {size: [1, 1]}\nviews: [\(views)]\n")
        #expect(all.count == 101)
        #expect(all.last?.hasSuffix("too many errors; fix these first") == true)
    }

    @Test("a duplicate key hides no other error, and its names are not reported as missing")
    func doubleKeyAmongOthers() {
        let scalar = findings(
            """
            screen: {size: [10, 10]}
            views:
              - {id: a, id: b, frame: [0, 0, 5, 5], hidden: maybe, on: {ended: nowhere}}
            """)
        #expect(scalar.count == 3)
        #expect(scalar[0].hasPrefix("kiosk.yaml:3:13: error: 'id' is given twice"))
        #expect(scalar[1].contains("not 'maybe'") && scalar[2].contains("no handler is named 'nowhere'"))
        #expect(
            findings(
                """
                screen: {size: [10, 10]}
                on: {ended: chime}
                handlers: {}
                handlers: {chime: log}
                idle: 5
                """
            ).map { $0.split(separator: " ")[0] } == ["kiosk.yaml:4:1:", "kiosk.yaml:5:7:"])
    }

    @Test("every duplicate in a long mapping is found")
    func manyDoubleKeys() {
        let handlers = (1...20).map { "  h\($0): log\n" }.joined()
        let all = findings("screen: {size: [10, 10]}\nhandlers:\n\(handlers)  h1: log\n  h7: log\n")
        #expect(
            all.filter { $0.contains("given twice") }.map { $0.prefix(17) } == [
                "kiosk.yaml:23:3: ", "kiosk.yaml:24:3: ",
            ])
    }

    @Test("a byte order mark before the text is ignored")
    func byteOrderMark() {
        #expect(findings("\u{FEFF}screen: {size: [10, 10]}\n") == [])
        #expect(findings("\u{FEFF}screen: {size: [10, 10]}\nviewport: 3\n").first?.hasPrefix("kiosk.yaml:2:1:") == true)
    }

    @Test("a layout nested 10,000 deep is rejected at the maximum depth", arguments: ["[", "- "])
    func nestedLists(opening: String) throws {
        let text = "screen: {size: [1, 1]}\nviews:\n  " + String(repeating: opening, count: 10_000)
        let finding = try #require(findings(text).first)
        #expect(finding.hasPrefix("kiosk.yaml:3:"))
        #expect(finding.hasSuffix("nested too deeply: YAML here may be nested 1000 levels deep at most"))
    }

    @Test(
        "views that aliases nest too deep, or make too many of, are rejected",
        arguments: [
            (400, 1, "views are nested more than 200 deep; flatten them"),
            (20, 10, "the layout has more than 10000 views; write fewer, or smaller grids"),
        ])
    func aliasBomb(levels: Int, copies: Int, error: String) {
        var text = "screen: {size: [1, 1]}\nparts:\n  - &v0 {frame: [0, 0, 1, 1]}\n"
        for level in 1...levels {
            let views = Array(repeating: "*v\(level - 1)", count: copies).joined(separator: ", ")
            text += "  - &v\(level) {frame: [0, 0, 1, 1], views: [\(views)]}\n"
        }
        #expect(findings(text + "views: [*v\(levels)]\n").contains { $0.hasSuffix(error) })
    }
}
