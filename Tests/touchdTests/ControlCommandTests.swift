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

    private func start(_ layout: String = Self.layout) throws -> RunningTouchd {
        try RunningTouchd(layout: layout).ready()
    }

    @Test("status reports for people, as JSON and as OpenMetrics")
    func status() throws {
        let touchd = try RunningTouchd(layout: Self.layout)
        try touchd.waitForTouch()
        let words = try touchd.command("status")
        #expect(words.status == 0)
        #expect(words.lines.contains { $0.hasPrefix("touches   1 began, 0 ended") && $0.contains("1 down") })
        #expect(words.lines.contains { $0.contains("QUANTA OpticalTouchScreen: used") })
        let json = try touchd.command("status", "--json").json
        #expect((json["touches"] as? [String: Int])?["began"] == 1)
        #expect((json["handlers"] as? [[String: Any]])?.first?["name"] as? String == "log")
        let metrics = try touchd.command("status", "--metrics").output
        #expect(metrics.contains("\ntouchd_touches_total{phase=\"began\"} 1\n") && metrics.hasSuffix("# EOF\n"))
        let folder = try TemporaryFolder(), file = try folder.file("touchd.prom", "old")
        #expect(try touchd.command("status", "--metrics", "--output", file.path).output == "")
        #expect(try String(contentsOf: file, encoding: .utf8).hasSuffix("# EOF\n"))
    }

    @Test("commands about a view affect the next touch")
    func views() throws {
        let touchd = try start()
        let connection = try ControlConnection(path: touchd.control, timeout: .seconds(600))
        for (command, view, path) in [
            ("show", "picture", ["picture", "wall"]), ("hide", "picture", ["wall"]),
            ("show", "picture", ["picture", "wall"]), ("disable", "wall", []), ("enable", "wall", ["picture", "wall"]),
        ] as [(String, String, [String])] {
            #expect(try touchd.command(command, view).status == 0)
            let answer = try connection.send(.hit(x: 600, y: 500))
            #expect(try answer["path"]?.decode() == path, "\(command) \(view)")
        }
    }

    @Test("switch-on and switch-off set a toggle, and reset restores the page's views")
    func toggles() throws {
        let touchd = try start(
            """
            screen: {size: [1000, 1000]}
            pages: {start: {views: [{id: sound, frame: [0, 0, 100, 100], control: {toggle: {on: true}}}]}}

            """)
        let connection = try ControlConnection(path: touchd.control, timeout: .seconds(600))
        for (command, name, isOn) in [
            ("switch-off", "sound", false), ("switch-on", "sound", true), ("switch-off", "sound", false),
            ("reset", "start", true),
        ] {
            #expect(try touchd.command(command, name).status == 0)
            let layout: LayoutState = try connection.answer(to: .layout)
            #expect(layout.toggles.map(\.view) == ["sound"] && layout.toggles.map(\.on) == [isOn], "\(command)")
        }
    }

    @Test("check --running checks the layout of the running touchd")
    func check() throws {
        let touchd = try start()
        let answer = try touchd.command("check", "--running", "--strict")
        #expect(
            answer.status == 0
                && answer.lines == ["\(touchd.layout.path): good; 1920 × 1080 points, views: 2, handlers: 0"])
        #expect(try touchd.command("check", "--running", touchd.layout.path).status == 64)
    }

    @Test("hit --running uses the current state; without it only the file counts")
    func hit() throws {
        let touchd = try start()
        #expect(try touchd.command("hide", "picture").status == 0)
        let running = try touchd.command("hit", "600", "500", "--running", "--explain")
        #expect(running.output.hasPrefix("view 'wall' (") && running.output.contains("view 'picture' is hidden"))
        let json = try touchd.command("hit", "600", "500", "--running", "--json").json
        #expect(json["path"] as? [String] == ["wall"])
        let file = try TouchdProgram.run("hit", "600", "500", "--layout", touchd.layout.path)
        #expect(file.output.hasPrefix("view 'picture' ("))
        let both = try touchd.command("hit", "600", "500", "--running", "--layout", touchd.layout.path)
        #expect(both.status == 64)
        #expect(try touchd.command("hit", "600", "500", "--running", "--screen", "none").status == 65)
    }

    @Test("ignoring touches cancels those that are down; subscribers receive that, what is published, and the end")
    func ignore() throws {
        let layout =
            Self.layout.replacing("{began: log}", with: "{began: log, cancelled: tell}")
            + "handlers: {tell: {publish: {topic: museum/door, message: \"{phase}\\nby somebody\"}}}\n"
        let touchd = try RunningTouchd(layout: layout)
        try touchd.waitForTouch()
        let monitor = try Server([TouchdProgram.path, "monitor", "--socket", touchd.control])
        while try !touchd.command("status").output.contains("1 subscriber,") {}
        #expect(try touchd.command("ignore", "3600").status == 0)
        let status = try touchd.command("status").output
        #expect(status.contains("touches are ignored now") && status.contains("1 cancelled, 0 down"))
        #expect(try touchd.command("ignore", "0").status == 0)
        #expect(try !touchd.command("status").output.contains("ignored"))
        touchd.signal(SIGTERM)
        #expect(touchd.end() == 0)
        let text = monitor.text()
        #expect(text.contains("touch 1 cancelled on picture"))
        #expect(text.contains("published to museum/door: cancelled by somebody\n"))
        #expect(monitor.end() == 69)
    }

    @Test("an impossible command fails with its reason and status 65, and touchd continues")
    func refusals() throws {
        let touchd = try start()
        let view = try touchd.command("show", "door")
        #expect(view.errors == "error: the layout has no view 'door'; its views are picture, wall\n")
        #expect(view.status == 65)
        for command in ["go", "reset"] {
            let page = try touchd.command(command, "door")
            #expect(page.status == 65 && page.errors.contains("no page 'door'"))
        }
        #expect(try touchd.command("switch-on", "picture").status != 0)
        #expect(try touchd.command("ignore", "90000").errors.contains("for at most 1 d"))
        #expect(try touchd.command("status").status == 0)
    }

    @Test("a reload returns when done; an error fails with its position")
    func reload() throws {
        let touchd = try start()
        #expect(try touchd.command("reload").status == 0)
        let reloading = touchd.notifications(until: "RELOADING=1")
        #expect(reloading.last?.contains("RELOADING=1\nMONOTONIC_USEC=") == true)
        touchd.ready()

        try Data((Self.layout.replacing("began: log", with: "began: lock") + "viewz: []\n").utf8).write(
            to: touchd.layout)
        let refused = try touchd.command("reload")
        #expect(refused.status == 65)
        // The same errors as from 'touchd check'.
        #expect(refused.errors == (try TouchdProgram.run("check", touchd.layout.path).errors))
        #expect(refused.errors.split(separator: "\n").count == 2)
        #expect(touchd.notifications(until: "READY=1").last?.contains("STATUS=Layout refused") == true)
        #expect(try touchd.command("status").output.contains("the new layout was refused"))

        try Data(Self.layout.utf8).write(to: touchd.layout)
        #expect(try touchd.command("reload").status == 0)
        #expect(try !touchd.command("status").output.contains("was refused"))
    }

    @Test("systemd is notified of readiness, watchdog, status and stop, in order")
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

    @Test("a watchdog of systemd that is as long as can be is taken")
    func longestWatchdog() throws {
        let touchd = try RunningTouchd(layout: Self.layout, watchdog: .max)
        #expect(touchd.notifications(until: "WATCHDOG_USEC=").last?.contains("=\(Int.max)") == true)
        touchd.signal(SIGTERM)
        #expect(touchd.end() == 0)
    }

    @Test("without an answer a command says what to do, with status 69 or 75")
    func nobodyThere() throws {
        let nobody = try TouchdProgram.run("status", "--socket", "/tmp/nowhere/control")
        #expect(nobody.status == 69)
        #expect(nobody.errors.contains("no touchd listens at /tmp/nowhere/control; start it with"))
        let touchd = try start()
        touchd.signal(SIGSTOP)
        let stopped = try TouchdProgram.run("status", "--socket", touchd.control)
        touchd.signal(SIGCONT)
        #expect(stopped.status == 75 && stopped.errors.hasPrefix("error: touchd did not answer within 5.0 seconds"))
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
