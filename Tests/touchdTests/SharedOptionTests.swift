import Foundation
import Testing

@testable import TestSupport

/// One way each: an option of one name is the same in all commands.
@Suite struct SharedOptions {
    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }

            var kind: String
            var names: [Name]?
            var shouldDisplay: Bool
            var abstract: String?
        }

        struct Dump: Decodable { var command: Command }

        var commandName: String
        var arguments: [Argument]?
        var subcommands: [Command]?
    }

    @Test("an option has the same letter and the same help in every command, but for what is listed here")
    func help() throws {
        let dump = try TouchdProgram.run("--experimental-dump-help").output
        let commands = try JSONDecoder().decode(Command.Dump.self, from: Data(dump.utf8)).command.subcommands ?? []
        var helps: [String: Set<String>] = [:]
        for argument in commands.flatMap({ $0.arguments ?? [] }) where argument.shouldDisplay {
            guard argument.kind != "positional", let names = argument.names else { continue }
            let long = names.first { $0.kind == "long" }?.name ?? ""
            helps[long, default: []].insert(names.map(\.name).sorted().joined() + (argument.abstract ?? ""))
        }
        #expect(Set(helps.filter { $0.value.count > 1 }.keys) == ["json", "moves", "running"])
        #expect(helps["last"] == nil && helps["layout"]?.count == 1)
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.file("good.yaml", "screen: {size: [1920, 1080]}\nviews: [{id: ok, frame: [0, 0, 100, 100]}]\n")
        _ = try folder.file("bad.yaml", "screen: {size: [1920, 1080]}\nviewz: []\n")
    }

    private func run(_ command: String) throws -> TouchdProgram.Outcome {
        try TouchdProgram.run(["-c", "'\(TouchdProgram.path)' \(command)"], program: "/bin/sh", in: folder.url)
    }

    private static let recording = TouchdProgram.root.appending(path: "config/recordings/quanta-optical.evemu").path

    @Test(
        "the format of run is --format; its old names work without a warning in a script",
        arguments: ["-o", "--output"])
    func format(old: String) throws {
        let replay = "run -l good.yaml --replay '\(Self.recording)' --speed max"
        let outcome = try run("\(replay) --format json")
        #expect(outcome.status == 0 && outcome.output.hasPrefix("{"))
        let before = try run("\(replay) \(old) json")
        #expect(before.output.hasPrefix("{") && !before.errors.contains("warning"))
        #expect(try run("\(replay) \(old) x.txt").errors.contains("error: run writes no file 'x.txt'"))
        let terminal = try TouchdProgram.run(
            ["-qec", "'\(TouchdProgram.path)' \(replay) \(old) json", "/dev/null"], program: "/usr/bin/script",
            in: folder.url)
        #expect(terminal.output.contains("warning: '--output' is now '--format'"))
    }

    @Test("record --last is --running, and says so")
    func last() throws {
        let outcome = try run("record --last --socket none")
        #expect(outcome.status == 69 && outcome.errors.hasPrefix("warning: '--last' is now '--running'"))
        #expect(try !run("record --running --socket none").errors.contains("warning"))
    }

    @Test("check and selftest print JSON, or with --quiet only errors")
    func results() throws {
        let outcome = try run("check good.yaml bad.yaml --json")
        let layouts = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
        #expect(outcome.status == 65 && outcome.errors.isEmpty)
        #expect(layouts.map { $0["good"] as? Bool } == [true, false])
        let finding = (layouts[1]["findings"] as? [[String: Any]])?.first
        #expect(finding?["severity"] as? String == "error" && finding?["line"] as? Int == 2)
        let quiet = try run("check good.yaml bad.yaml -q")
        #expect(quiet.output.isEmpty && quiet.errors.hasPrefix("bad.yaml:2:1: error: "))
        let test = try run("selftest --socket none --no-touchscreen -l good.yaml --json")
        let checks = try JSONSerialization.jsonObject(with: Data(test.output.utf8)) as? [[String: String]]
        #expect(checks?.first?["subject"] == "service" && checks?.first?["outcome"] == "FAIL")
        let failures = try run("selftest --socket none --no-touchscreen -l good.yaml -q")
        #expect(!failures.output.contains("pass  ") && failures.output.contains("FAIL  service"))
        #expect(try run("check good.yaml -q --json").status == 64)
    }

    @Test(
        "every error begins with error:, or with its file",
        arguments: [
            "stauts", "run --nope", "status --socket none", "hit 5 5 -l good.yaml -p no", "hit 9999 5 -l good.yaml",
            "decode none", "check bad.yaml", "check -l -", "render -l good.yaml -o none/x.svg", "calibrate none",
            "check -", "inspect --replay none -l bad.yaml", "record --running --socket none",
        ])
    func prefix(command: String) throws {
        let line = try run(command).errors.prefix { $0 != "\n" }
        #expect(line.hasPrefix("error: ") || line.contains(": error: "), "\(line)")
    }

    @Test(
        "an option that would be ignored is an error that says why",
        arguments: [
            ("run -l good.yaml --format json --moves 5", "json always has all moves"),
            ("run -l good.yaml --format json --output text", "--output is the old name of --format"),
            ("run -l good.yaml --speed 2", "--speed needs a recording"),
            ("run -l good.yaml --device x", "--device needs a recording"),
            ("record --running -l good.yaml", "--running uses the running layout"),
            ("record /dev/null --socket s", "--socket is not used here"),
            ("hit 5 5 -l good.yaml --json --explain", "--json has all that --explain prints"),
            ("hit 5 5 -l good.yaml --socket s", "--socket is not used here"),
            ("hit 5 5 -l good.yaml --running", "--running uses the running layout and page"),
            ("check good.yaml --socket s", "--socket is not used here"),
            ("check good.yaml -l good.yaml", "name the layouts without --layout"),
            ("inspect --replay x --socket s", "--replay asks no touchd"),
            ("inspect --terminal --token-file x", "--terminal serves no page"),
            ("inspect --terminal --listen 1", "--terminal serves no page"),
            ("inspect -l good.yaml", "--layout needs a recording"),
            ("status --json --metrics", "--json and --metrics"), ("devices --json --quiet", "--quiet prints no JSON"),
            ("report --page x", "--page and --screen need --svg"),
            ("calibrate x --replay y", "--replay reads no device"),
            ("--version foo", "unexpected argument 'foo'"), ("schema -q", "Unknown option '-q'"),
        ])
    func ignored(command: String, reason: String) throws {
        let outcome = try run(command)
        #expect(outcome.status == 64 && outcome.errors.contains(reason), "\(outcome.errors)")
    }

    @Test("-o - is standard output, and without --layout all commands read the installed layout")
    func defaults() throws {
        #expect(try run("render -l good.yaml -o -").output.hasPrefix("<"))
        for command in ["check", "hit 5 5", "render", "run"] {
            #expect(try run(command).errors.contains("/etc/touchd/touchd.yaml"), "\(command)")
        }
    }
}
