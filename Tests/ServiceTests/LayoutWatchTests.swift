import Foundation
import Testing

@testable import Service

/// `reload: on-change`, and the wait for a corrected file: what runs is what is on the disk.
@Suite("Changed files of a layout") final class LayoutWatchTests {
    /// A way to change the files; `two` and `part` are whole files that the commands copy.
    nonisolated struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The path of the main file.
        let main: String
        let include: String
        let preparation: String
        /// Commands; touchd looks after each.
        let steps: [String]

        init(
            _ description: String, _ steps: String..., main: String = "kiosk.yaml", include: String = "",
            after preparation: String = ":"
        ) {
            (testDescription, self.steps) = (description, steps)
            (self.main, self.include, self.preparation) = (main, include, preparation)
        }
    }

    nonisolated static let ways = [
        Way("saved in place", "cat two > kiosk.yaml"),
        Way("saved by replacement", "mv two kiosk.yaml"),
        Way("another ending", "cat two > kiosk.yml", main: "kiosk.yml"),
        Way("moved away, created later", "mv kiosk.yaml old", "cp two kiosk.yaml"),
        Way("removed, moved there later", "rm kiosk.yaml", "mv two kiosk.yaml"),
        Way("wrong mode, then chmod alone", "cat two > kiosk.yaml; chmod 666 kiosk.yaml", "chmod 644 kiosk.yaml"),
        Way("not UTF-8", "printf '#\\351\\n' > kiosk.yaml", "cat two > kiosk.yaml"),
        Way("a symbolic link", "ln -sf two kiosk.yaml", "rm kiosk.yaml", "cp two kiosk.yaml"),
        Way("saved by another name of the file", "cat two > other", after: "ln kiosk.yaml other"),
        Way("an error of YAML", "echo 'views: [' > kiosk.yaml", "cat two > kiosk.yaml"),
        Way(
            "the folder is replaced", "mv etc old; mv new etc", main: "etc/kiosk.yaml",
            after: "mkdir new; cp two new/kiosk.yaml"),
        Way(
            "saved in the replaced folder", "mv etc old; mv new etc", "cat two > etc/kiosk.yaml",
            main: "etc/kiosk.yaml",
            after: "mkdir new; cp etc/kiosk.yaml new"),
        Way(
            "folders are missing for a while", "mv a old", "mkdir -p a/b", "mkdir a/b/c", "cp two a/b/c/kiosk.yaml",
            main: "a/b/c/kiosk.yaml"),
        Way(
            "a link on the way leads elsewhere", "ln -sfn two.d now", main: "now/kiosk.yaml",
            after: "mv now one.d; ln -s one.d now; mkdir two.d; cp two two.d/kiosk.yaml"),
        Way(
            "the target of a link is replaced", "mv x old; mv z x", main: "now/kiosk.yaml",
            after: "mkdir -p x/y z/y/one; mv now x/y/one; ln -s x/y/one now; cp two z/y/one/kiosk.yaml"),
        Way(
            "an included file is removed, created later", "rm sub/part.yaml", "cp part sub/part.yaml",
            include: "sub/part.yaml", after: "mkdir sub; echo 'on: {began: {log: a}}' > sub/part.yaml"),
        Way(
            "the folder of an included file is missing for a while", "rm -r sub", "mkdir sub", "mkdir sub/deep",
            "cp part sub/deep/part.yaml", include: "[sub/deep/part.yaml]",
            after: "mkdir -p sub/deep; cp part sub/deep/part.yaml"),
        Way("the first file in an included folder", "cp part parts/a.yaml", include: "parts", after: "mkdir parts"),
        Way(
            "a file leaves an included folder", "mv parts/a.yaml parts/a.txt", include: "./parts/",
            after: "mkdir parts; cp part parts/a.yaml"),
        Way(
            "an included folder is replaced", "mv parts old; mv new parts", "cp part parts/b.yaml", include: "parts",
            after: "mkdir parts new; echo 'on: {began: {log: a}}' > new/a.yaml"),
        Way(
            "an included folder's mode", "chmod 777 parts; cp part parts/a.yaml", "chmod 755 parts", include: "parts",
            after: "mkdir parts"),
        Way(
            "two names of one file, then a copy", "ln -f parts/a.yaml parts/b.yaml", "cp -p part p; mv p parts/b.yaml",
            include: "parts", after: "mkdir parts; touch part; cp -p part parts/a.yaml; echo > parts/b.yaml"),
    ]

    private let disk: LayoutDisk

    init() throws {
        disk = try LayoutDisk()
        try disk.write("two", LayoutDisk.layout(2))
        try disk.write("part", "idle: {after: 5 s, run: {log: part}}\n")
    }

    private func prepare(_ way: Way) throws {
        try disk.write(way.main, LayoutDisk.layout(1, way.include.isEmpty ? "" : "include: \(way.include)"))
        disk.run(way.preparation)
    }

    @Test("every way to save is noticed, also where nothing could be read before", arguments: ways)
    func saved(_ way: Way) throws {
        try prepare(way)
        try disk.start(way.main)
        try check(way)
    }

    private func check(_ way: Way) throws {
        for step in way.steps {
            let before = disk.running
            disk.run(step)
            disk.stage?.settle()
            #expect(disk.running == disk.onDisk, "after \(step)")
            if step == way.steps.last { #expect(disk.running != before) }
        }
        #expect(disk.stage?.layout.refusal == nil)
    }

    @Test(
        "a file is loaded when it is corrected after a start with the last good layout",
        arguments: [
            Way("an error of YAML", "cp two kiosk.yaml", after: "echo 'views: [' > kiosk.yaml"),
            Way("not UTF-8", "cp two kiosk.yaml", after: "printf '#\\351\\n' > kiosk.yaml"),
            Way("wrong mode", "chmod 644 kiosk.yaml", after: "cat two > kiosk.yaml; chmod 666 kiosk.yaml"),
            Way("missing", "cp two kiosk.yaml", after: "rm kiosk.yaml"),
            Way("a missing folder", "mkdir etc", "cp two etc/kiosk.yaml", main: "etc/kiosk.yaml", after: "rm -r etc"),
            Way("a symbolic link", "rm kiosk.yaml; cp two kiosk.yaml", after: "ln -sf two kiosk.yaml"),
            Way(
                "an included file is missing", "mkdir sub; cp part sub/part.yaml",
                after: "echo 'include: sub/part.yaml' | cat two - > kiosk.yaml"),
        ])
    func corrected(_ way: Way) throws {
        try disk.write(way.main, LayoutDisk.layout(1))
        try disk.start(way.main, keepsLastGood: true)
        disk.run(way.preparation)
        try disk.start(way.main, keepsLastGood: true)
        #expect(disk.stage?.layout.refusal?.lastGood != nil && disk.running == disk.onDisk)
        try check(way)
    }

    @Test("a relative path is watched")
    func relative() throws {
        try disk.write("kiosk.yaml", LayoutDisk.layout(1))
        let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
        try disk.start(String(repeating: "../", count: max(1, depth)) + disk.path.dropFirst() + "/kiosk.yaml")
        disk.run("mv kiosk.yaml old; cp two kiosk.yaml")
        disk.stage?.settle()
        #expect(disk.running == disk.onDisk && disk.reloadCount == 1)
    }

    @Test("the last good layout is that of the file, however its path is written")
    func otherPath() throws {
        try disk.write("kiosk.yaml", LayoutDisk.layout(1))
        try disk.start("kiosk.yaml", keepsLastGood: true)
        disk.run("echo 'views: [' > kiosk.yaml; ln -s . here")
        try disk.start("here/./kiosk.yaml", keepsLastGood: true)
        #expect(disk.stage?.layout.scene?.document.version == "1")
    }

    @Test("only the layout's files count, and in included folders those that are read")
    func others() throws {
        try disk.write("kiosk.yaml", LayoutDisk.layout(1, "include: parts"))
        disk.run("mkdir parts; cp part parts/a.yaml")
        try disk.start("kiosk.yaml")
        disk.run(
            """
            cp two web.yaml; cp two kiosk.yaml~; cp two parts/.a.yaml.swp; cp two parts/.b.yaml; cp two parts/README
            mv web.yaml other.yaml; rm kiosk.yaml~; chmod 600 kiosk.yaml; mkdir parts/c
            """)
        disk.stage?.settle()
        #expect(disk.reloadCount == 0)
        disk.run("cp part parts/b.yaml")
        disk.stage?.settle()
        #expect(disk.reloadCount == 1)
    }

    @Test("a save while the files are read is loaded afterwards")
    func duringReading() throws {
        try disk.write("kiosk.yaml", LayoutDisk.layout(1))
        try disk.start("kiosk.yaml")
        let stage = try #require(disk.stage)
        for version in 2...9 {
            try disk.write("kiosk.yaml", LayoutDisk.layout(version))
            // The reader looks, then reads, and has seen an older version each time.
            for part in 1...2 {
                while stage.pass() {}
                let hasRead = try stage.reader.performNext {
                    try disk.write("kiosk.yaml", LayoutDisk.layout(10 * version + part))
                }
                #expect(hasRead)
            }
            stage.settle()
            #expect(stage.layout.scene?.document.version == "\(10 * version + 2)")
        }
    }

    @Test("lost changes are looked for")
    func overflow() throws {
        try disk.write("kiosk.yaml", LayoutDisk.layout(1, "include: parts"))
        disk.run("mkdir parts")
        try disk.start("kiosk.yaml")
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        for number in 0...(Int(limit.trimmingCharacters(in: .newlines)) ?? 0) {
            symlink("nothing", "\(disk.path)/parts/\(number % 2)")
            unlink("\(disk.path)/parts/\(number % 2)")
        }
        disk.run("cp two kiosk.yaml")
        disk.stage?.settle()
        #expect(disk.running == disk.onDisk && disk.reloadCount == 1)
    }
}
