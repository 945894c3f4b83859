import Foundation
import Testing

@testable import TestSupport

/// `touchd check` as an integrator runs it. The tests of the layout's reader cover its messages.
@Suite struct CheckCommand {
    @Test("a valid layout is reported as valid, with exit status 0")
    func goodLayout() throws {
        let outcome = try TouchdProgram.run("check", "config/touchd.yaml")
        #expect(outcome.status == 0)
        #expect(outcome.output == "config/touchd.yaml: good; 1920 × 1080 points, views: 11, handlers: 4\n")
        #expect(outcome.errors == "")
    }

    @Test("the version of a layout is printed with the hash of its files")
    func version() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString).yaml")
        try Data("screen: {size: [10, 10]}\nversion: 42\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        // sha256sum of the two lines above.
        #expect(
            try TouchdProgram.run("check", file.path).output.hasSuffix(
                "views: 0, handlers: 0, version 42, hash d4d58a0945db\n"))
    }

    @Test("a missing layout exits with status 66, EX_NOINPUT")
    func missingLayout() throws {
        let outcome = try TouchdProgram.run("check", "nowhere.yaml")
        #expect(outcome.status == 66)
        #expect(outcome.errors == "nowhere.yaml:1:1: error: cannot open the layout: No such file or directory\n")
    }

    @Test("a layout with an error exits with 65, and the other files are checked")
    func badLayout() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString).yaml")
        try Data("screen: {size: [10, 10]}\nveiws: []\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        let outcome = try TouchdProgram.run("check", file.path, "config/touchd.yaml")

        #expect(outcome.status == 65)
        #expect(outcome.errors == "\(file.path):2:1: error: unknown key 'veiws' in the layout; did you mean 'views'?\n")
        #expect(outcome.output.hasPrefix("config/touchd.yaml: good"))
    }

    @Test("--strict rejects a layout with warnings, with exit status 65")
    func strict() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString).yaml")
        try Data("screen: {size: [10, 10]}\nviews: [{id: a, frame: [20, 0, 5, 5]}]\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let warning = "\(file.path):2:9: warning: view 'a' is outside the screen, so nothing can touch it\n"

        let lenient = try TouchdProgram.run("check", file.path)
        let strict = try TouchdProgram.run("check", "--strict", file.path)

        #expect(lenient.status == 0 && lenient.output.hasPrefix(warning))
        #expect(strict.status == 65 && strict.errors == warning && strict.output == "")
        #expect(try TouchdProgram.run("check", "--strict", "config/touchd.yaml").status == 0)
    }

    @Test("touchd run rejects an invalid layout before it opens a device")
    func runRefuses() throws {
        let outcome = try TouchdProgram.run("run", "--layout", "nowhere.yaml", "--output", "text")
        #expect(outcome.status == 66)
        #expect(outcome.errors == "nowhere.yaml:1:1: error: cannot open the layout: No such file or directory\n")
    }
}
