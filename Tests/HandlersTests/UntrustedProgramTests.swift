import Foundation
import Layout
import Testing

@testable import Handlers
@testable import TestSupport

/// Programs of `exec` that other users could change.
@Suite("Programs that others can change") final class UntrustedProgramTests {
    private let folder: TemporaryFolder
    private let program: String

    init() throws {
        folder = try TemporaryFolder()
        program = try folder.file("photo", "#!/bin/true\n").path
        try #require(chmod(program, 0o755) == 0)
    }

    private func findings(_ exec: String? = nil, _ severity: LayoutFinding.Severity = .warning) -> [String] {
        let text = "screen: {size: [9, 9]}\non: {ended: {exec: \(exec ?? "[\(program)]")}}\n"
        return LayoutDocument.check(text: text, file: "kiosk.yaml", handlers: [String](), foreignFiles: severity)
            .findings.map { $0.description.replacing(folder.url.path, with: "FOLDER") }
    }

    @Test("the user's program in a protected folder is accepted; a missing one, and a link, too")
    func good() {
        // A link, like every program in Debian's /bin.
        for exec in [nil, "[\(folder.url.path)/nowhere]", "[/bin/sh, /x]"] { #expect(findings(exec, .error) == []) }
    }

    @Test("a program that everybody can write to is refused")
    func writable() throws {
        try #require(chmod(program, 0o777) == 0)
        // An interpreter's script counts as the program.
        for exec in [nil, "[/bin/sh, \(program)]", "[/usr/bin/env, -i, python3, -I, \(program), /etc/passwd]"] {
            #expect(
                findings(exec) == [
                    "kiosk.yaml:2:20: error: 'exec': 'FOLDER/photo' is writable by group or others; "
                        + "run: chmod go-w 'FOLDER/photo'"
                ])
        }
        #expect(findings("[/bin/cat, \(program)]") == [])
    }

    @Test("for a missing program, the folder decides who could create it")
    func missing() throws {
        try #require(chmod(folder.url.path, 0o777) == 0)
        let finding = "kiosk.yaml:2:20: error: 'exec': FOLDER/later does not exist, and '"
        #expect(findings("[\(folder.url.path)/later]", .error).first?.hasPrefix(finding) == true)
        // The sticky bit protects files that exist.
        try #require(chmod(folder.url.path, 0o1777) == 0)
        #expect(findings("[\(folder.url.path)/later]", .error).first?.hasPrefix(finding) == true)
        #expect(findings(nil, .error) == [])
    }

    @Test("check warns of a program that is missing or not executable for the service")
    func unusable() throws {
        func warnings(_ path: String) throws -> [String] {
            let text = "screen: {size: [9, 9]}\non: {ended: {exec: [\(path)]}}\n"
            return try LayoutDocument(text: text, file: "kiosk.yaml", handlers: [String]()).unusablePrograms.map(
                \.description)
        }
        #expect(try warnings(program) == [])
        #expect(
            try warnings("/nowhere/photo") == [
                "kiosk.yaml:2:20: warning: 'exec': '/nowhere/photo' does not exist on this machine"
            ])
        try #require(chmod(program, 0o744) == 0)
        #expect(
            try warnings(program) == [
                "kiosk.yaml:2:20: warning: 'exec': '\(program)' is not executable for the service's user; "
                    + "run: chmod a+rx '\(program)'"
            ])
    }

    @Test("a program in a world-writable folder is a warning, and refused in a service")
    func replaceable() throws {
        try #require(chmod(folder.url.path, 0o777) == 0)
        for (severity, word) in [(LayoutFinding.Severity.warning, "warning"), (.error, "error")] {
            let finding = "kiosk.yaml:2:20: \(word): 'exec': 'FOLDER' is writable by group"
            #expect(findings(nil, severity).first?.hasPrefix(finding) == true)
        }
    }

    @Test(
        "another user's program is only for that user to run",
        .enabled(if: geteuid() == 0, "only root can give files away"))
    func foreign() throws {
        let nobody = try #require(getpwnam("nobody")).pointee.pw_uid
        try #require(chown(program, nobody, 0) == 0)
        let reason = "is owned by a user that is hidden here but must be owned by root"
        #expect(findings(nil, .error).first?.contains(reason) == true)
        #expect(findings("{command: [\(program)], user: nobody}", .error) == [])
    }
}
