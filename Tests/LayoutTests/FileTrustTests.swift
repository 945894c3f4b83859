import Foundation
import Layout
import Testing

/// Which owners and modes of a layout's files are trusted.
@Suite final class FileTrustTests: LayoutFolder {
    private func findings(at path: String, _ severity: LayoutFinding.Severity = .warning) -> [String] {
        do {
            return try LayoutDocument(path: path, handlers: ["log"], foreignFiles: severity).warnings
                .map(\.description)
        } catch {
            return error.diagnostics.map(\.description)
        }
    }

    @Test(
        "a file is trusted if its owner, and all who may write to it, are root, the user, their groups or the sudo user",
        arguments: [
            (0, 12_345, S_IFREG | 0o644, nil), (4321, 12_345, S_IFREG | 0o644, nil),
            (geteuid(), 12_345, S_IFREG | 0o644, nil),
            (54_321, 12_345, S_IFREG | 0o644, .foreign(path: "/a", owner: 54_321)),
            (0, 12_345, S_IFREG | 0o646, .writable(path: "/a")), (0, 12_345, S_IFREG | 0o664, .writable(path: "/a")),
            (0, 0, S_IFREG | 0o664, nil), (0, getegid(), S_IFREG | 0o664, nil),
            (0, 12_345, S_IFREG | 0o1646, .writable(path: "/a")), (0, 12_345, S_IFDIR | 0o777, .writable(path: "/a")),
            (0, 12_345, S_IFDIR | 0o1777, nil),
        ] as [(uid_t, gid_t, mode_t, FileTrust.Problem?)])
    func trust(owner: uid_t, group: gid_t, mode: mode_t, problem: FileTrust.Problem?) {
        var status = stat()
        (status.st_uid, status.st_gid, status.st_mode) = (owner, group, mode)
        #expect(FileTrust(4321, environment: [:]).problem(of: status, at: "/a") == problem)
        // For a process that is not root's the variable is ignored.
        let bySudo = FileTrust(4321, environment: ["SUDO_UID": "54321"])
        if owner == 54_321 { #expect((bySudo.problem(of: status, at: "/a") == nil) == (geteuid() == 0)) }
    }

    @Test("a layout in a world-writable folder is a warning, and refused in a service")
    func openFolder() throws {
        let layout = try write("screen: {size: [9, 9]}\n", to: "parts/kiosk.yaml")
        let parts = folder.appending(path: "parts").path
        #expect(findings(at: layout, .error) == [])
        try #require(chmod(parts, 0o777) == 0)
        let message = "'\(parts)' is writable by group or others; run: chmod go-w '\(parts)'"
        #expect(findings(at: layout) == ["\(layout):1:1: warning: \(message)"])
        #expect(findings(at: layout, .error) == ["\(layout):1:1: error: \(message)"])
    }

    @Test("links are followed, and their owners must be trusted too")
    func link() throws {
        let layout = try write("screen: {size: [9, 9]}\n", to: "parts/kiosk.yaml")
        let (open, closed) = (folder.appending(path: "open"), folder.appending(path: "closed"))
        for place in [open, closed] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try #require(symlink(folder.appending(path: "parts").path, place.appending(path: "link").path) == 0)
        }
        try #require(chmod(open.path, 0o777) == 0)
        #expect(findings(at: closed.appending(path: "link/kiosk.yaml").path, .error) == [])
        #expect(findings(at: open.appending(path: "link/kiosk.yaml").path, .error).count == 1)
        // The link's target is checked as well.
        try #require(chmod(folder.appending(path: "parts").path, 0o777) == 0)
        #expect(findings(at: closed.appending(path: "link/kiosk.yaml").path, .error).count == 1)
        #expect(findings(at: layout, .error).count == 1)
    }

    @Test(
        "a layout and what it includes has to be root's or one's own",
        .enabled(if: geteuid() == 0, "only root can give files away"))
    func foreignFiles() throws {
        let main = try write("screen: {size: [9, 9]}\ninclude: [parts, more.yaml]\n", to: "main.yaml")
        let more = try write("on: {ended: log}\n", to: "more.yaml")
        let part = try write("on: {began: log}\n", to: "parts/a.yaml")
        let parts = folder.appending(path: "parts").path
        #expect(findings(at: main, .error) == [])
        for path in [main, more, part, parts] {
            try #require(chown(path, 54_321, 54_321) == 0)
            let told = findings(at: main, .error)
            #expect(told.count == 1)
            #expect(
                told.first?.hasSuffix(
                    "error: '\(path)' is owned by user 54321 but must be owned by root; run: chown root '\(path)'")
                    == true)
            try #require(chown(path, 0, 0) == 0)
        }
    }
}
