import Foundation
@testable import Layout
import Testing

/// `include:` and layouts with several files.
@Suite final class LayoutIncludes: LayoutFolder {
    private func findings(at path: String) -> [String] {
        do {
            return try LayoutDocument(path: path, handlers: ["log"]).warnings.map(\.description)
        } catch {
            return error.diagnostics.map { $0.description.replacing(folder.path + "/", with: "") }
        }
    }

    @Test("included content follows the file's own; a folder's files are sorted")
    func order() throws {
        let main = try write(
            "screen: {size: [9, 9]}\ninclude: [parts, more.yaml]\nviews: [{id: a, frame: [0, 0, 1, 1]}]\n",
            to: "main.yaml")
        try write("views: [{id: d, frame: [3, 0, 1, 1]}]\n", to: "more.yaml")
        try write("views: [{id: c, frame: [2, 0, 1, 1]}]\n", to: "parts/2.yaml")
        try write("views: [{id: b, frame: [1, 0, 1, 1]}]\n", to: "parts/10.yaml")
        try write("views: [{id: never, frame: [0, 0, 1, 1]}]\n", to: "parts/.hidden.yaml")
        try write("nothing of a layout", to: "parts/README")

        let document = try LayoutDocument(path: main, handlers: ["log"])

        #expect(document.views.map(\.id) == ["a", "b", "c", "d"])
        #expect(document.views[2].location.description == "\(folder.path)/parts/2.yaml:1:9")
    }

    @Test(
        "the last good layout has the same files, however 'include' names the folder",
        arguments: ["parts", "parts/", "./parts", "@/parts", "@/parts/", "@/./parts//", "nested/../parts"])
    func snapshot(name: String) throws {
        let include = name.replacing("@", with: folder.path)
        let main = try write(
            "screen: {size: [9, 9]}\ninclude: ['\(include)', empty]\nviews: [{id: a, frame: [0, 0, 1, 1]}]\n",
            to: "main.yaml")
        for name in ["empty", "nested"] {
            try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        try write("include: [pins.inc, ../more.yaml]\nviews: [{id: b, frame: [1, 0, 1, 1]}]\n", to: "parts/b.yaml")
        try write("views: [{id: c, frame: [2, 0, 1, 1]}]\n", to: "parts/pins.inc")
        try write("views: [{id: d, frame: [3, 0, 1, 1]}]\n", to: "more.yaml")
        let read = LayoutDocument.check(path: main, handlers: ["log"])
        #expect(read.findings.map(\.description) == [])
        try FileManager.default.removeItem(at: folder)

        let again = LayoutDocument.check(read.files, handlers: ["log"])
        #expect(again.findings.map(\.description) == [])
        #expect(again.document?.views.map(\.id) == ["a", "b", "c", "d"])
        #expect(again.files == read.files && again.document?.fileHash == read.document?.fileHash)
    }

    @Test("a layout whose included folder was not stored is not used")
    func incompleteSnapshot() throws {
        let main = try write("screen: {size: [9, 9]}\ninclude: parts\n", to: "main.yaml")
        try write("views: [{id: b, frame: [1, 0, 1, 1]}]\n", to: "parts/b.yaml")
        var files = LayoutDocument.check(path: main, handlers: ["log"]).files
        files.folders = []
        #expect(LayoutDocument.check(files, handlers: ["log"]).document == nil)
    }

    @Test("an error in an included file has that file's name and comes later")
    func places() throws {
        let main = try write("screen: {size: [9, 9]}\ninclude: parts\non: {ended: nobody}\n", to: "main.yaml")
        try write("views: [{id: b}]\n", to: "parts/b.yaml")
        #expect(
            findings(at: main) == [
                "main.yaml:3:13: error: no handler is named 'nobody'; define it under 'handlers'",
                "parts/b.yaml:1:9: error: view 'b' has no 'frame'; add frame: [x, y, width, height], in points of its superview",
            ])
    }

    @Test("defaults apply to their own file, and not to included files")
    func defaultsOfAFile() throws {
        let main = try write(
            """
            screen: {size: [9, 9]}
            include: more.yaml
            defaults: {view: {multiple-touch: true}}
            views: [{id: a, frame: [0, 0, 1, 1]}, {id: b, frame: [1, 0, 1, 1], multiple-touch: false}]
            """, to: "main.yaml")
        try write("views: [{id: c, frame: [2, 0, 1, 1]}]\n", to: "more.yaml")
        let document = try LayoutDocument(path: main, handlers: ["log"])
        #expect(document.views.map(\.isMultipleTouchEnabled) == [true, false, false])
    }

    @Test("files may be included 8 levels deep")
    func depth() throws {
        let main = try write("screen: {size: [9, 9]}\ninclude: 1.yaml\n", to: "main.yaml")
        for level in 1...8 { try write("include: \(level + 1).yaml\n", to: "\(level).yaml") }
        try write("on: {ended: log}\n", to: "9.yaml")
        #expect(findings(at: main) == ["8.yaml:1:10: error: files are included more than 8 deep; flatten them"])
        try write("on: {ended: log}\n", to: "8.yaml")
        #expect(findings(at: main) == [])
    }

    @Test("more than a hundred files are rejected")
    func count() throws {
        let main = try write("screen: {size: [9, 9]}\ninclude: parts\n", to: "main.yaml")
        for number in 1...101 { try write("on: {ended: log}\n", to: "parts/\(number).yaml") }
        #expect(
            findings(at: main) == [
                "main.yaml:2:10: error: cannot include 'parts': the folder has more than 100 files named *.yaml; join some"
            ])
    }

    @Test("files that are too large together are rejected before they are parsed as YAML")
    func totalSize() throws {
        let main = try write("screen: {size: [9, 9]}\ninclude: parts\n", to: "main.yaml")
        for number in 1...3 {
            try write(String(repeating: "#", count: 11 << 20) + "\non: {ended: log}\n", to: "parts/\(number).yaml")
        }
        #expect(
            findings(at: main) == ["main.yaml:2:10: error: the included files have more than 33554432 bytes together"])
    }

    @Test("an include cycle is found by file identity, even with different names")
    func circleByAnotherName() throws {
        let main = try write("screen: {size: [9, 9]}\ninclude: again.yaml\n", to: "main.yaml")
        try #require(link(main, folder.appending(path: "again.yaml").path) == 0)
        #expect(
            findings(at: main) == [
                "main.yaml:2:10: error: files include each other in a circle: main.yaml → again.yaml"
            ])
    }

    @Test("a symbolic link is rejected, by its own name also in an included directory")
    func links() throws {
        let main = try write("screen: {size: [9, 9]}\ninclude: [link, parts]\n", to: "main.yaml")
        for name in ["link", "parts/a.yaml"] {
            try #require(symlink("/etc/passwd", folder.appending(path: name).path) == 0)
        }
        let reason = "a symbolic link, which another user could replace; copy the file"
        #expect(
            findings(at: main) == [
                "main.yaml:2:11: error: cannot include 'link': \(reason)", "parts/a.yaml:1:1: error: \(reason)",
            ])
    }

    @Test("a world-writable file or directory is rejected, with the command that fixes it")
    func writableByOthers() throws {
        let main = try write("screen: {size: [9, 9]}\ninclude: parts\n", to: "main.yaml")
        try #require(chmod(folder.appending(path: "parts").path, 0o777) == 0)
        #expect(findings(at: main).count == 1)
        #expect(findings(at: main).allSatisfy { $0.hasSuffix("run: chmod go-w 'parts'") })
        try #require(chmod(folder.appending(path: "parts").path, 0o755) == 0)
        #expect(findings(at: main) == [])
        try #require(chmod(main, 0o646) == 0)
        #expect(
            findings(at: main) == [
                "main.yaml:1:1: error: it is writable by group or others; run: chmod go-w 'main.yaml'"
            ])
    }

    @Test(
        "an included file of another owner is not quoted", .enabled(if: geteuid() == 0, "only root can give files away")
    )
    func foreignText() throws {
        let main = try write("screen: {size: [9, 9]}\ninclude: secrets\n", to: "main.yaml")
        let secrets = try write("root:$6$hash:19000\n", to: "secrets")
        let nobody = try #require(getpwnam("nobody")).pointee.pw_uid
        try #require(chown(main, nobody, 0) == 0)
        #expect(
            findings(at: main) == [
                "secrets:1:1: error: not valid here (not quoted, because the file and the layout have different owners); "
                    + "check the file as its owner"
            ])
        try #require(chown(secrets, nobody, 0) == 0)
        #expect(findings(at: main).first?.contains("$6$hash") == true)
    }

    @Test("what is no regular file is not opened")
    func notOpened() throws {
        let main = try write("screen: {size: [9, 9]}\ninclude: pipe\n", to: "main.yaml")
        let pipe = folder.appending(path: "pipe").path
        try #require(mkfifo(pipe, 0o600) == 0)
        // inotify(7) reports every open except those with O_PATH.
        let openings = inotify_init()
        defer { close(openings) }
        try #require(inotify_add_watch(openings, pipe, UInt32(IN_OPEN)) >= 0)
        try #require(fcntl(openings, F_SETFL, O_NONBLOCK) == 0)
        #expect(findings(at: main) == ["main.yaml:2:10: error: cannot include 'pipe': not a regular file"])
        var events = [UInt8](repeating: 0, count: 4096)
        #expect(read(openings, &events, events.count) == -1 && errno == EAGAIN)
    }
}
