import Layout
import Testing

/// The exact errors of `touchd check`, which are the integrator's user interface.
@Suite struct LayoutErrors {
    /// The findings for a text, as printed.
    private func findings(_ text: String) -> [String] {
        do {
            return try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"]).warnings.map(\.description)
        } catch {
            return error.diagnostics.map(\.description)
        }
    }

    @Test("a YAML syntax error is reported where the text stops being YAML")
    func syntaxError() {
        #expect(
            findings("screen:\n  size: [1920, 1080\nviews: []\n") == [
                "kiosk.yaml:3:6: error: not valid YAML: the '[' in line 2 is not closed; add ']'"
            ])
    }

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
                "handlers:\n  h:\n    log: time: {time}\n",
                "3:14: error: not valid YAML: a text with ': ' in it needs quotes: \"time: {time}\""
            ),
            (
                "devices:\n  - match: {name: *Mouse}\n",
                "2:19: error: no anchor &Mouse above; a text that begins with '*' needs quotes: \"*Mouse\""
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
        ])
    func syntaxInText(text: String, finding: String) {
        #expect(findings(text) == ["kiosk.yaml:\(finding)"])
    }

    @Test("a list or a mapping in place of one value is reported there")
    func listForValue() {
        #expect(
            findings(
                "screen: {size: [10, 10]}\nviews:\n  - {id: [a], frame: [0, 0, 5, 5]}\non: {ended: {log: {view}}}\n")
                == [
                    "kiosk.yaml:3:10: error: 'id' must be a text, not a list",
                    "kiosk.yaml:4:19: error: 'log' must be a text, not a mapping; a text that begins with '{' needs quotes",
                ])
    }

    @Test("an empty file is reported as empty")
    func emptyFile() {
        #expect(
            findings("# nothing yet\n") == [
                "kiosk.yaml:1:1: error: the layout is empty; it begins with screen: {size: [WIDTH, HEIGHT]}"
            ])
    }

    @Test("a misspelled key is reported with the intended key")
    func misspeltKey() {
        #expect(
            findings("screen: {size: [10, 10]}\nviews:\n  - id: a\n    fram: [0, 0, 5, 5]\n") == [
                "kiosk.yaml:3:5: error: view 'a' has no 'frame'; add frame: [x, y, width, height], in points of its superview",
                "kiosk.yaml:4:5: error: unknown key 'fram' in a view; did you mean 'frame'?",
            ])
    }

    @Test("an unknown key is reported with the valid keys")
    func unknownKey() {
        #expect(
            findings("screen: {size: [10, 10]}\nviewport: 3\n") == [
                "kiosk.yaml:2:1: error: unknown key 'viewport' in the layout; the keys are screen, screens, "
                    + "include, defaults, devices, on, views, pages, handlers, idle, journal, recording, reload, strict, "
                    + "forward, tuio, mqtt, watchdog, version"
            ])
    }

    @Test("a frame of three numbers is reported with the four it needs")
    func shortFrame() {
        #expect(
            findings("screen: {size: [10, 10]}\nviews:\n  - id: a\n    frame: [0, 0, 5]\n") == [
                "kiosk.yaml:4:12: error: the frame of view 'a' must be 4 numbers [x, y, width, height] (got 3)"
            ])
    }

    @Test("a word in place of a number is reported at the word", arguments: ["wide", ".nan", ".inf"])
    func wrongNumber(word: String) {
        #expect(
            findings("screen: {size: [10, \(word)]}\n") == [
                "kiosk.yaml:1:21: error: 'height' in the screen's size must be a number, not '\(word)'"
            ])
    }

    @Test("a duplicate view id is reported at the second, with the position of the first")
    func doubleIdentifier() {
        #expect(
            findings(
                "screen: {size: [10, 10]}\nviews:\n  - {id: a, frame: [0, 0, 5, 5]}\n  - {id: a, frame: [5, 5, 5, 5]}\n"
            ) == ["kiosk.yaml:4:5: error: two views have the id 'a'; the first is at kiosk.yaml:3:5"])
    }

    @Test("an undefined handler is reported with the intended one")
    func undefinedHandler() {
        #expect(
            findings(
                """
                screen: {size: [10, 10]}
                on: {ended: chmie}
                handlers:
                  chime: {exec: [/bin/true]}
                """)
                == [
                    "kiosk.yaml:2:13: error: no handler is named 'chmie'; did you mean 'chime'?"
                ])
    }

    @Test("a program without an absolute path is rejected, because no shell searches it")
    func relativeProgram() {
        #expect(
            findings("screen: {size: [1, 1]}\non: {ended: h}\nhandlers:\n  h: {exec: [echo, hello]}\n") == [
                "kiosk.yaml:4:14: error: 'exec' of handler 'h' must begin with the program's absolute "
                    + "path, such as /usr/bin/aplay"
            ])
    }

    @Test("numbers beyond any screen are rejected before they are used")
    func absurdNumbers() {
        #expect(
            findings("screen: {size: [1e300, 1080]}\n") == [
                "kiosk.yaml:1:16: error: the screen's width and height must be between 1 and 100000 points"
            ])
        #expect(
            findings("screen: {size: [10, 10]}\nviews: [{frame: [1e300, 0, 5, 5]}]\n") == [
                "kiosk.yaml:2:17: error: the frame of a view must be within a million points"
            ])
    }

    @Test("a tab, a second document, a merge key and an empty key have plain errors")
    func wordsForYAML() {
        #expect(findings("screen:\n\tsize: [1, 1]\n").first?.contains("indent with spaces, not with tabs") == true)
        #expect(findings("screen: {size: [1, 1]}\n---\na: 1\n").first?.contains("remove the '---'") == true)
        #expect(
            findings("screen: {size: [1, 1]}\nviews:\n  - {<<: 1, frame: [0, 0, 1, 1]}\n").first?.contains("merge keys")
                == true)
        #expect(
            findings("screen: {size: [1, 1]}\non:\n") == [
                "kiosk.yaml:2:1: warning: 'on' has no value, so it has no effect"
            ])
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

    @Test("a duplicate key is reported")
    func doubleKey() {
        #expect(
            findings("screen: {size: [10, 10]}\nviews: []\nviews: []\n") == [
                "kiosk.yaml:3:1: error: 'views' is given twice in one mapping, first in line 2; keep one"
            ])
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
            all.filter { $0.contains("given twice") } == [
                "kiosk.yaml:23:3: error: 'h1' is given twice in one mapping, first in line 3; keep one",
                "kiosk.yaml:24:3: error: 'h7' is given twice in one mapping, first in line 9; keep one",
            ])
    }

    @Test("a byte order mark before the text is ignored")
    func byteOrderMark() {
        #expect(findings("\u{FEFF}screen: {size: [10, 10]}\n") == [])
        #expect(
            findings("\u{FEFF}screen: {size: [10, 10]}\nviewport: 3\n").first?.hasPrefix("kiosk.yaml:2:1:") == true)
    }

    @Test("a layout nested 10,000 deep is rejected at the maximum depth", arguments: ["[", "- "])
    func nestedLists(opening: String) throws {
        let text = "screen: {size: [1, 1]}\nviews:\n  " + String(repeating: opening, count: 10_000)
        let finding = try #require(findings(text).first)
        #expect(finding.hasPrefix("kiosk.yaml:3:"))
        #expect(finding.hasSuffix("nested too deeply: YAML here may be nested 1000 levels deep at most"))
    }

    @Test("views nested too deep by aliases are rejected")
    func nestedAliases() throws {
        var text = "screen: {size: [1, 1]}\nparts:\n  - &v0 [{frame: [0, 0, 1, 1]}]\n"
        for level in 1...400 {
            text += "  - &v\(level) [{frame: [0, 0, 1, 1], views: *v\(level - 1)}]\n"
        }
        text += "views: *v400\n"
        #expect(findings(text).contains { $0.hasSuffix("views are nested more than 200 deep; flatten them") })
    }

    @Test("aliases that expand a small file into a huge one are rejected")
    func aliasBomb() throws {
        var text = "screen: {size: [1, 1]}\nv0: &v0 {frame: [0, 0, 1, 1]}\n"
        for level in 1...20 {
            let ten = Array(repeating: "*v\(level - 1)", count: 10).joined(separator: ", ")
            text += "v\(level): &v\(level) {frame: [0, 0, 1, 1], views: [\(ten)]}\n"
        }
        text += "views: [*v20]\n"
        #expect(
            findings(text).contains {
                $0.hasSuffix("the layout has more than 100000 views; write fewer, or smaller grids")
            })
    }

    @Test("all errors of a file are reported in one run, in order")
    func everyMistake() {
        #expect(
            findings(
                """
                screen: {size: [10]}
                views:
                  - {id: "", frame: [0, 0, -1, 5]}
                  - {hidden: maybe, alpha: 2, frame: [0, 0, 5, 5]}
                """
            ).map { $0.split(separator: " ")[0] } == [
                "kiosk.yaml:1:16:", "kiosk.yaml:3:10:", "kiosk.yaml:3:21:", "kiosk.yaml:4:14:", "kiosk.yaml:4:28:",
            ])
    }

    @Test("a view outside its superview is a warning, because it cannot be touched")
    func unreachableView() {
        #expect(
            findings("screen: {size: [10, 10]}\nviews:\n  - {id: a, frame: [20, 0, 5, 5]}\n") == [
                "kiosk.yaml:3:5: warning: view 'a' is outside the screen, so nothing can touch it"
            ])
    }
}
