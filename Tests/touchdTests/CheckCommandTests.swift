import Foundation
import Testing

@testable import TestSupport

/// `touchd check` as an integrator runs it. The tests of the layout's reader cover its messages.
@Suite struct CheckCommand {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a valid layout is reported as valid, with its version and the hash of its files")
    func goodLayout() throws {
        let file = try folder.file("kiosk.yaml", "screen: {size: [10, 10]}\nversion: 42\n").path
        let outcome = try TouchdProgram.run("check", file, "--strict", "config/touchd.yaml")
        #expect(outcome.status == 0 && outcome.errors == "")
        // sha256sum of the two lines above.
        #expect(
            outcome.output == "\(file): good; 10 × 10 points, views: 0, handlers: 0, version 42, hash d4d58a0945db\n"
                + "config/touchd.yaml: good; 1920 × 1080 points, views: 11, handlers: 4\n")
    }

    @Test("a missing layout exits with status 66, EX_NOINPUT", arguments: ["check", "run --format text --layout"])
    func missingLayout(command: String) throws {
        let outcome = try TouchdProgram.run(command.split(separator: " ").map(String.init) + ["nowhere.yaml"])
        #expect(outcome.status == 66)
        #expect(outcome.errors == "nowhere.yaml:1:1: error: cannot open the layout: No such file or directory\n")
    }

    @Test("a layout with an error exits with 65, and the other files are checked")
    func badLayout() throws {
        let file = try folder.file("kiosk.yaml", "screen: {size: [10, 10]}\nveiws: []\n").path
        let outcome = try TouchdProgram.run("check", file, "config/touchd.yaml")
        #expect(outcome.status == 65)
        #expect(outcome.errors == "\(file):2:1: error: unknown key 'veiws' in the layout; did you mean 'views'?\n")
        #expect(outcome.output.hasPrefix("config/touchd.yaml: good"))
    }

    /// Runs a program in a mount namespace; an unprivileged user may not be permitted to have one.
    private static func unshared(_ command: String) -> TouchdProgram.Outcome? {
        try? TouchdProgram.run(
            ["--user", "--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs none /proc && \(command)"],
            program: "/usr/bin/unshare")
    }

    @Test(
        "without /proc there is an error, and no help as if nothing had been asked",
        .enabled("this user may not have a mount namespace") { unshared("true")?.status == 0 },
        arguments: ["touchd", "touchd-inspect", "touchd-web"])
    func noArguments(program: String) throws {
        let folder = URL(filePath: TouchdProgram.path).deletingLastPathComponent()
        let outcome = try #require(Self.unshared("exec '\(folder.path)/\(program)' check bad.yaml"))
        #expect(outcome.status == 71)
        #expect(outcome.errors.hasPrefix("cannot read the command line: /proc is not mounted"))
        #expect(outcome.output == "")
    }

    @Test("--strict rejects a layout with warnings, with exit status 65")
    func strict() throws {
        let text = "screen: {size: [10, 10]}\nviews: [{id: a, frame: [20, 0, 5, 5]}]\n"
        let file = try folder.file("kiosk.yaml", text).path
        let warning = "\(file):2:9: warning: view 'a' is outside the screen, so nothing can touch it\n"
        let lenient = try TouchdProgram.run("check", file), strict = try TouchdProgram.run("check", "--strict", file)
        #expect(lenient.status == 0 && lenient.output.hasPrefix(warning))
        #expect(strict.status == 65 && strict.errors == warning && strict.output == "")
    }
}
