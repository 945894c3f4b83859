import ControlProtocol
import Foundation
import Service
import Testing

@testable import TestSupport

/// The commands that control a running touchd, and that touchd, over a real socket.
@Suite struct ControlCommand {
    private static let layout = """
        screen: {size: [1920, 1080]}
        views:
          - id: wall
            frame: [0, 0, 1920, 1080]
            views:
              - id: picture
                frame: [0, 0, 1000, 1080]
                on: {began: log}

        """

    @Test("status reports for people, as JSON and as OpenMetrics")
    func status() throws {
        let touchd = try RunningTouchd(layout: Self.layout)
        try touchd.waitForTouch()
        let words = try touchd.command("status")
        #expect(words.status == 0)
        #expect(words.lines.contains { $0.hasPrefix("touches   1 began, 0 ended") && $0.contains("1 down now") })
        #expect(words.lines.contains { $0.contains("QUANTA OpticalTouchScreen: used") })
        let object = try JSONSerialization.jsonObject(with: Data(touchd.command("status", "--json").output.utf8))
        let json = try #require(object as? [String: Any])
        #expect((json["touches"] as? [String: Int])?["began"] == 1)
        #expect((json["handlers"] as? [[String: Any]])?.first?["name"] as? String == "log")
        let metrics = try touchd.command("status", "--metrics").output
        #expect(metrics.contains("\ntouchd_touches_total{phase=\"began\"} 1\n"))
        #expect(metrics.hasSuffix("# EOF\n"))
        let file = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString).prom")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("old".utf8).write(to: file)
        #expect(try touchd.command("status", "--metrics", "--output", file.path).output == "")
        #expect(try String(contentsOf: file, encoding: .utf8).hasSuffix("# EOF\n"))
    }

    @Test("hiding, showing, disabling and enabling a view affects the next touch")
    func views() throws {
        let touchd = try RunningTouchd(layout: Self.layout)
        _ = touchd.notifications(until: "READY=1")
        let connection = try ControlConnection(path: touchd.control, timeout: .seconds(600))
        func hit() throws -> JSONValue? {
            guard case .object(let answer) = try connection.send(.hit(x: 600, y: 500)) else { return nil }
            return answer["path"]
        }
        #expect(try hit() == .array([.string("picture"), .string("wall")]))
        #expect(try touchd.command("hide", "picture").status == 0)
        #expect(try hit() == .array([.string("wall")]))
        #expect(try touchd.command("show", "picture").status == 0)
        #expect(try touchd.command("disable", "wall").status == 0)
        #expect(try hit() == .array([]))
        #expect(try touchd.command("enable", "wall").status == 0)
        #expect(try hit() == .array([.string("picture"), .string("wall")]))
    }

    @Test("switch-on and switch-off set a toggle, and reset restores the page's views")
    func toggles() throws {
        let touchd = try RunningTouchd(
            layout: """
                screen: {size: [1000, 1000]}
                pages:
                  start:
                    views: [{id: sound, frame: [0, 0, 100, 100], control: {toggle: {on: true}}}]

                """)
        _ = touchd.notifications(until: "READY=1")
        let connection = try ControlConnection(path: touchd.control, timeout: .seconds(600))
        func isOn() throws -> JSONValue? {
            guard case .object(let layout) = try connection.send(.layout),
                case .array(let toggles)? = layout["toggles"],
                case .object(let toggle)? = toggles.first
            else { return nil }
            return toggle["on"]
        }
        #expect(try isOn() == .bool(true))
        #expect(try touchd.command("switch-off", "sound").status == 0)
        #expect(try isOn() == .bool(false))
        #expect(try touchd.command("switch-on", "sound").status == 0)
        #expect(try isOn() == .bool(true))
        #expect(try touchd.command("switch-off", "sound").status == 0)
        #expect(try touchd.command("reset", "start").status == 0)
        #expect(try isOn() == .bool(true))
        let unknown = try touchd.command("reset", "home")
        #expect(unknown.status == 65)
        #expect(unknown.errors.contains("no page named 'home'"))
        #expect(try touchd.command("switch-on", "start").status != 0)
    }

    @Test("check --running checks the layout of the running touchd")
    func check() throws {
        let touchd = try RunningTouchd(layout: Self.layout)
        _ = touchd.notifications(until: "READY=1")
        let answer = try touchd.command("check", "--running", "--strict")
        #expect(
            answer.status == 0
                && answer.lines == ["\(touchd.layout.path): good; 1920 × 1080 points, views: 2, handlers: 0"])
        #expect(try touchd.command("check", "--running", touchd.layout.path).status == 64)
        #expect(try TouchdProgram.run("check").status == 64)
    }

    @Test("hit --running uses the current state; without it only the file counts")
    func hit() throws {
        let touchd = try RunningTouchd(layout: Self.layout)
        _ = touchd.notifications(until: "READY=1")
        #expect(try touchd.command("hit", "600", "500", "--running").output.hasPrefix("view 'picture' ("))
        #expect(try touchd.command("hide", "picture").status == 0)
        let running = try touchd.command("hit", "600", "500", "--running", "--explain")
        #expect(running.output.hasPrefix("view 'wall' (") && running.output.contains("view 'picture' is hidden"))
        let json = try touchd.command("hit", "600", "500", "--running", "--json").output
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(object?["path"] as? [String] == ["wall"])
        let file = try TouchdProgram.run("hit", "600", "500", "--layout", touchd.layout.path)
        #expect(file.output.hasPrefix("view 'picture' ("))
        let both = try touchd.command("hit", "600", "500", "--running", "--layout", touchd.layout.path)
        #expect(both.status == 64)
        #expect(try touchd.command("hit", "600", "500", "--running", "--screen", "none").status == 65)
    }

    @Test(
        "subscribers receive a cancelled touch, published messages, and the end"
    )
    func monitor() throws {
        let layout =
            Self.layout.replacing("{began: log}", with: "{began: log, cancelled: tell}")
            + "handlers: {tell: {publish: {topic: museum/door, message: \"{phase}\\nby somebody\"}}}\n"
        let touchd = try RunningTouchd(layout: layout)
        try touchd.waitForTouch()
        let monitor = Process(), output = Pipe()
        monitor.executableURL = URL(filePath: TouchdProgram.path)
        monitor.arguments = ["monitor", "--socket", touchd.control]
        monitor.standardOutput = output
        monitor.standardError = FileHandle.nullDevice
        try monitor.run()
        while try !touchd.command("status").output.contains("1 subscribed") {}
        #expect(try touchd.command("ignore", "60").status == 0)
        touchd.signal(SIGTERM)
        #expect(touchd.end() == 0)
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        monitor.waitUntilExit()
        #expect(String(decoding: text, as: UTF8.self).contains("touch 1 cancelled on picture"))
        #expect(String(decoding: text, as: UTF8.self).contains("published to museum/door: cancelled by somebody\n"))
        #expect(monitor.terminationStatus == 69)
    }

    @Test("an impossible command fails with its reason and status 65, and touchd continues")
    func refusals() throws {
        let touchd = try RunningTouchd(layout: Self.layout)
        _ = touchd.notifications(until: "READY=1")
        let view = try touchd.command("show", "door")
        #expect(view.status == 65 && view.errors == "the layout has no view with the id 'door'\n")
        let page = try touchd.command("go", "door")
        #expect(page.status == 65 && page.errors.contains("no page named 'door'"))
        #expect(try touchd.command("ignore", "90000").errors.contains("a number from 0 to 86400"))
        #expect(try touchd.command("status").status == 0)
    }

    @Test("a reload returns when done; an error fails with its position")
    func reload() throws {
        let touchd = try RunningTouchd(layout: Self.layout)
        _ = touchd.notifications(until: "READY=1")
        #expect(try touchd.command("reload").status == 0)
        let reloading = touchd.notifications(until: "RELOADING=1")
        #expect(reloading.last?.contains("RELOADING=1\nMONOTONIC_USEC=") == true)
        _ = touchd.notifications(until: "READY=1")

        try Data((Self.layout.replacing("began: log", with: "began: lock") + "viewz: []\n").utf8).write(
            to: touchd.layout)
        let refused = try touchd.command("reload")
        #expect(refused.status == 65)
        // The same errors as from 'touchd check'.
        #expect(refused.errors == (try TouchdProgram.run("check", touchd.layout.path).errors))
        #expect(refused.errors.split(separator: "\n").count == 2)
        #expect(refused.errors.contains("layout.yaml:9:1: error: unknown key 'viewz'"))
        #expect(touchd.notifications(until: "READY=1").last?.contains("STATUS=Layout refused") == true)
        #expect(try touchd.command("status").output.contains("the new layout was refused"))

        try Data(Self.layout.utf8).write(to: touchd.layout)
        #expect(try touchd.command("reload").status == 0)
        #expect(try !touchd.command("status").output.contains("was refused"))
    }

    @Test("ignoring touches cancels those that are down, until the break is over or ended")
    func ignore() throws {
        let touchd = try RunningTouchd(layout: Self.layout)
        try touchd.waitForTouch()
        #expect(try touchd.command("ignore", "3600").status == 0)
        let status = try touchd.command("status").output
        #expect(status.contains("touches are ignored now"))
        #expect(status.contains("1 cancelled, 0 down now"))
        #expect(try touchd.command("ignore", "0").status == 0)
        #expect(try !touchd.command("status").output.contains("ignored"))
    }

    @Test(
        "systemd is notified of readiness, watchdog, status and stop, in order")
    func notifications() throws {
        let touchd = try RunningTouchd(layout: Self.layout, watchdog: 100_000)
        #expect(touchd.notifications(until: "READY=1").count == 1)
        #expect(touchd.notifications(until: "WATCHDOG=1").count >= 1)
        let status = touchd.notifications(until: "touch in the last minute").last
        #expect(status == "STATUS=Replaying config/recordings/quanta-optical.evemu, 1 touch in the last minute")
        touchd.signal(SIGTERM)
        #expect(touchd.notifications(until: "STOPPING=1").last == "STOPPING=1")
        #expect(touchd.end() == 0)
        #expect(access(touchd.control, F_OK) != 0)
    }

    @Test("a stopped touchd makes a command time out with status 75")
    func stopped() throws {
        let touchd = try RunningTouchd(layout: Self.layout)
        _ = touchd.notifications(until: "READY=1")
        touchd.signal(SIGSTOP)
        let outcome = try TouchdProgram.run("status", "--socket", touchd.control)
        #expect(outcome.status == 75)
        #expect(
            outcome.errors == "touchd did not answer within 5.0 seconds; a handler may be stuck: see "
                + "'journalctl -u touchd'\n")
        touchd.signal(SIGCONT)
        #expect(try touchd.command("status").status == 0)
    }

    @Test("without a running touchd a command explains what to do, with status 69")
    func nobodyThere() throws {
        let outcome = try TouchdProgram.run("status", "--socket", "/tmp/nowhere/control")
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("no touchd listens at /tmp/nowhere/control; start it with"))
    }

    @Test("a control path that cannot be used prevents a run, because it was requested")
    func noSocket() throws {
        let outcome = try TouchdProgram.run(
            "run", "--layout", "config/touchd.yaml", "--replay", "config/recordings/quanta-optical.evemu", "--speed",
            "max", "--control", "/nowhere/control")
        #expect(outcome.status == 71)
        #expect(outcome.errors.contains("cannot listen at /nowhere/control: No such file or directory"))
    }
}
