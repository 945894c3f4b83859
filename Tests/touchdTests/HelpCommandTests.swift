import Foundation
import Testing

@testable import TestSupport

/// `touchd help` and `touchd schema`, which explain the keys of layouts.
@Suite struct HelpCommand {
    @Test("a key is explained by its meaning, value, default and the keys in it, under its section or alone")
    func keys() throws {
        let tap = try TouchdProgram.run("help", "gesture.tap")
        #expect(
            tap.output == """
                gesture.tap
                  One or more taps, with one or more fingers.
                  Value: a mapping.
                  taps     Number of taps in succession. Default: 1.
                  touches  Number of fingers. Default: 1.
                  pause    Maximum time from one tap to the next. Default: 350 ms.

                """)
        let journal = try TouchdProgram.run("help", "moves").output
        #expect(journal.hasPrefix("journal.moves\n") && journal.contains("Value: a whole number from 0 to 1000."))
        #expect(try TouchdProgram.run("help", "host").output.contains("tuio.host\n"))
    }

    @Test("a command is explained, and a key of the same name after it", arguments: ["status", "record", "schema"])
    func commands(name: String) throws {
        let outcome = try TouchdProgram.run("help", name)
        #expect(outcome.status == 0 && outcome.output.contains("USAGE: touchd \(name)"))
    }

    @Test("without an argument, it lists commands and sections, in 80 columns")
    func list() throws {
        let lines = try TouchdProgram.run("help").output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("  status ") } && lines.contains { $0.hasPrefix("  watchdog ") })
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test("an unknown name is an error, with the nearest name")
    func typo() throws {
        let outcome = try TouchdProgram.run("help", "gesture.tapp")
        #expect(outcome.status == 64 && outcome.errors.contains("'gesture.tapp'; did you mean 'tap'?"))
    }

    @Test("a section is a table of the reference, with values, defaults and the names of keys as code")
    func tables() throws {
        let table = try TouchdProgram.run("help", "--markdown", "gesture").lines
        #expect(table.starts(with: ["| key | value | meaning |", "|---|---|---|"]))
        let run = "| `run` | the name of a handler, an action, or a list of them "
        #expect(table.contains(run + "| Steps that run when it is recognized; short for `on: {recognized: …}`. |"))
        #expect(
            table.contains {
                $0.hasPrefix("| `long-press` | `{duration: 500 ms, movement: 10, taps: 0, touches: 1}` | ")
            })
        let outcome = try TouchdProgram.run("help", "--markdown", "gesturee")
        #expect(outcome.status == 64 && outcome.errors.contains("'gesturee'; did you mean 'gesture'?"))
    }

    @Test("the schema is JSON with a definition for each section")
    func schema() throws {
        let definitions = try #require(try TouchdProgram.run("schema").json["$defs"] as? [String: Any])
        #expect(Set(["part", "journal", "tap", "gesture-in-defaults"]).isSubset(of: definitions.keys))
    }
}
