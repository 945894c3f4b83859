import EventLoop
import Foundation
import Testing

@testable import Handlers
@testable import Layout
@testable import TestSupport

/// Owner and mode of a program at its start, because the layout may have been read long before.
@Suite("A program is checked again at its start") final class ProgramTrustTests {
    private let kiosk: HandlerKiosk
    private let folder: TemporaryFolder

    init() throws { (kiosk, folder) = (try HandlerKiosk(), try TemporaryFolder()) }

    private func file(_ name: String, _ text: String, mode: mode_t = 0o755) throws -> String {
        let path = try folder.file(name, text).path
        try #require(chmod(path, mode) == 0)
        return path
    }

    private func run(_ words: [String], isStrict: Bool = true) -> [String] {
        let programs = kiosk.runner.programs
        programs.isStrict = isStrict
        kiosk.run(ExecSpec(arguments: words.map { Template(verbatim: $0) }))
        while programs.count > 0 { _ = kiosk.loop.run(returnAfterSourceHandled: true) }
        return kiosk.log.lines
    }

    @Test("a program that all users can write to is not started")
    func becameWritable() throws {
        let program = try file("photo", "#!/bin/sh\nexit 0\n", mode: 0o777)
        let line = run([program], isStrict: false).first
        #expect(line?.contains("cannot start \(program): '\(program)' is writable by group or others") == true)
    }

    @Test("in a service, a program whose folder became writable is not started")
    func folderBecameWritable() throws {
        let program = try file("photo", "#!/bin/sh\nexit 0\n")
        #expect(run([program]) == [])
        try #require(chmod(folder.url.path, 0o777) == 0)
        #expect(run([program]).first?.contains("'\(folder.url.path)' is writable by group or others") == true)
    }

    @Test("a script's interpreter, and the script of an interpreter, are checked as well, also behind a launcher")
    func interpreters() throws {
        let interpreter = try file("interpreter", "#!/bin/sh\nexit 0\n", mode: 0o777)
        let script = try file("photo", "#!\(interpreter)\n")
        for words in [[script], ["/bin/sh", "-x", interpreter], ["/usr/bin/env", "-i", "/bin/sh", interpreter]] {
            #expect(run(words).last?.contains("'\(interpreter)' is writable") == true)
            kiosk.log.clear()
        }
    }

    @Test("a script runs under the layout's path, with its interpreter's argument")
    func scriptArguments() throws {
        let script = try file(
            "photo", "#!/bin/sh -e\n[ \"$0\" = \"\(folder.url.path)/photo\" ] || exit 5\n[ $# = 2 ]\nfalse\n")
        #expect(run([script, "a", "b c"]) == ["error: handler 'h': \(script) failed with exit status 1"])
    }

    @Test("a process has its program's name, for pkill(1)")
    func processName() throws {
        #expect(run(["/bin/grep", "-q", "^grep$", "/proc/self/comm"]) == [])
    }

    @Test(
        "a link that another user owns is not followed", .enabled(if: geteuid() == 0, "only root can give links away"))
    func foreignLink() throws {
        let link = folder.url.appending(path: "photo").path
        try #require(symlink("/bin/true", link) == 0)
        #expect(run([link]) == [])
        let nobody = try #require(getpwnam("nobody")).pointee.pw_uid
        try #require(lchown(link, nobody, 0) == 0)
        #expect(run([link]).first?.contains("'\(link)' is owned by") == true)
    }

    @Test("a file that is not executable is not started")
    func notExecutable() throws {
        let program = try file("photo", "#!/bin/sh\n", mode: 0o644)
        #expect(run([program]) == ["error: handler 'h': cannot start \(program): Permission denied (EACCES)"])
    }
}
