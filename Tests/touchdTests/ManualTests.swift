import ControlProtocol
import Foundation
import Handlers
import Layout
import Service
import Testing

@testable import TestSupport

/// The man pages match the program.
@Suite struct Manual {
    private static let folder = TouchdProgram.root.appending(path: "docs/man")

    /// A command as `touchd --experimental-dump-help` describes it.
    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }

            var kind: String
            var names: [Name]?
            var shouldDisplay: Bool
        }

        struct Dump: Decodable { var command: Command }

        var commandName: String
        var arguments: [Argument]?
        var subcommands: [Command]?

        /// Its options with their dashes, except those that all commands have.
        var options: Set<String> {
            let names = (arguments ?? []).filter { $0.kind != "positional" && $0.shouldDisplay }.compactMap(\.names)
            let words = names.joined().map { ($0.kind == "short" ? "-" : "--") + $0.name }
            return Set(words).subtracting(["-h", "--help", "--version"])
        }
    }

    private func page(_ name: String) throws -> String {
        try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    }

    @Test("touchd.1 has every command with exactly the options in its help")
    func commands() throws {
        let outcome = try TouchdProgram.run("--experimental-dump-help")
        let program = try JSONDecoder().decode(Command.Dump.self, from: Data(outcome.output.utf8)).command
        let commands = try #require(program.subcommands)

        let text = try page("touchd.1").components(separatedBy: ".Sh COMMANDS\n")[1]
            .components(separatedBy: "\n.Sh ")[0]
        var documented: [String: Set<String>] = [:]
        for section in text.components(separatedBy: ".Ss ").dropFirst() {
            let lines = section.split(separator: "\n")
            // `.It Fl o , Fl -output Ar file`: mdoc writes the first dash itself.
            let options = lines.filter { $0.hasPrefix(".It Fl ") }.flatMap { line in
                line.matches(of: /Fl (-?[a-z-]+)/).map { "-\($0.output.1)" }
            }
            documented[String(lines[0])] = Set(options)
        }

        // ArgumentParser's help command has the same name as touchd's.
        #expect(documented.keys.sorted() == Set(commands.map(\.commandName)).sorted())
        for command in commands {
            #expect(documented[command.commandName] == command.options, "\(command.commandName)")
        }
    }

    @Test("touchd.journal-fields.7 has the identity of every entry")
    func identities() throws {
        let documented = try page("touchd.journal-fields.7").matches(of: /\.It Li ([0-9a-f]{32})\n/).map {
            String($0.output.1)
        }
        // An ID that is no longer written stays documented, because kept journals contain it.
        #expect(MessageID.allCases.map(\.rawValue).filter { !documented.contains($0) } == [])
        #expect(documented.count == Set(documented).count)
    }

    @Test("touchd.journal-fields.7 has every field that the sources name")
    func fields() throws {
        var written = Set(Fact.allCases.map(\.fieldName))
        for room in ["Service", "Handlers", "Outputs"] {
            let folder = TouchdProgram.root.appending(path: "Sources/\(room)")
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                written.formUnion(text.matches(of: /"(TOUCHD_[A-Z_]*[A-Z])"/).map { String($0.output.1) })
            }
        }
        let terms = try page("touchd.journal-fields.7").split(separator: "\n").filter { $0.hasPrefix(".It Va ") }
        let documented = terms.flatMap { $0.matches(of: /TOUCHD_[A-Z_]+/).map { String($0.output) } }
        // Variables of touchd.service, documented in touchd.1.
        written.subtract(["TOUCHD_EXEC_SOCKET", "TOUCHD_NETWORK_SOCKET"])
        #expect(written.subtracting(documented) == [])
        #expect(documented.count == Set(documented).count)
    }

    @Test(
        "mandoc has no warnings for any page, including those generated from Markdown",
        arguments: [
            "docs/man/touchd.1", "docs/man/touchd-web.8", "docs/man/touchd.journal-fields.7", "docs/layout.md",
            "docs/control-protocol.md",
        ])
    func lint(page: String) throws {
        let read = page.hasSuffix(".md") ? "packaging/man-page \(page) page.7" : "cat \(page)"
        let complaints = try TouchdProgram.run(["-c", "(\(read) | mandoc -T lint) 2>&1"], program: "/bin/sh").lines
        // Other pages depend on this machine; REPORTS and FIELDS are not mistyped ERRORS and FILES.
        let others = ["mandoc.db", "referenced manual not found", "possible typo in section name"]
        #expect(complaints.filter { line in !others.contains { line.contains($0) } } == [])
    }
}
