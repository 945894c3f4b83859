import Foundation
import Testing

@testable import TestSupport

/// A start with a layout that has an error.
@Suite struct LastGoodLayout {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func layout(_ view: String, _ rest: String = "") -> String {
        """
        screen: {size: [1920, 1080]}
        views: [{id: \(view), frame: [0, 0, 1920, 1080], on: {began: log}}]
        \(rest)
        """
    }

    /// Runs touchd with a layout until it is ready and the layout is stored, or removed, then stops it.
    private func runOnce(_ layout: String, isStored: Bool = true) throws {
        let touchd = try RunningTouchd(layout: layout, service: folder.url).ready()
        // Stored in the background; on exit touchd waits 2 s for a busy disk.
        let stored = folder.url.appending(path: "last-good-layout.json").path
        while FileManager.default.fileExists(atPath: stored) != isStored { sched_yield() }
        touchd.signal(SIGTERM)
        #expect(touchd.end() == 0)
    }

    private func view(_ touchd: RunningTouchd) throws -> String {
        String(try touchd.command("hit", "600", "500", "--running").output.prefix { $0 != "(" })
    }

    private func status(_ touchd: RunningTouchd) throws -> [String: Any] {
        try touchd.command("status", "--json").json
    }

    @Test("the last good layout is used, and a corrected file is loaded at once")
    func fallback() throws {
        try runOnce(layout("good"))
        let touchd = try RunningTouchd(layout: layout("bad", "wiews: []"), service: folder.url)
        let messages = touchd.notifications(until: "READY=1")
        #expect(messages.last?.contains("Layout refused, the last good one is used") == true)
        #expect(try view(touchd) == "view 'good' ")
        let report = try status(touchd)
        #expect((report["refusal"] as? String)?.contains("layout.yaml:3:1: error: ") == true)
        #expect(report["lastGood"] is String)

        try Data(layout("new").utf8).write(to: touchd.layout, options: .atomic)
        touchd.ready()
        #expect(try view(touchd) == "view 'new' ")
        #expect(try status(touchd)["lastGood"] == nil)
    }

    @Test("included files are part of it, also when they are gone")
    func includes() throws {
        let part = folder.url.appending(path: "parts")
        try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
        try Data("views: [{id: part, frame: [500, 0, 1000, 1080]}]".utf8).write(to: part.appending(path: "a.yaml"))
        try runOnce(layout("good", "include: parts"))
        try FileManager.default.removeItem(at: part)
        let touchd = try RunningTouchd(layout: layout("good", "include: parts"), service: folder.url).ready()
        #expect(try view(touchd) == "view 'part' ")
        #expect((try status(touchd)["refusal"] as? String)?.contains("cannot include 'parts'") == true)
    }

    @Test("with 'strict: true' nothing is stored, and the start fails with status 65")
    func strict() throws {
        try runOnce(layout("good"))
        try runOnce(layout("good", "strict: true"), isStored: false)
        let touchd = try RunningTouchd(layout: "nothing", service: folder.url)
        #expect(touchd.end() == 65)
    }

    @Test("with 'reload: on-change' a saved file is loaded, or refused")
    func onChange() throws {
        let touchd = try RunningTouchd(layout: layout("first", "reload: on-change"), service: folder.url).ready()
        try Data(layout("second", "reload: on-change").utf8).write(to: touchd.layout, options: .atomic)
        touchd.ready()
        #expect(try view(touchd) == "view 'second' ")
        try Data(layout("third", "wiews: []").utf8).write(to: touchd.layout, options: .atomic)
        #expect(touchd.notifications(until: "READY=1").last?.contains("Layout refused, the one before") == true)
        #expect(try view(touchd) == "view 'second' ")
    }
}
