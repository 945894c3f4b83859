import Foundation
import Testing

@testable import TestSupport

/// The data of `touchd inspect` for its page, over real sockets.
@Suite struct InspectCommand {
    private static let wall = """
        screen: {size: [1920, 1080]}
        views:
          - id: wall
            frame: [0, 0, 1920, 1080]
            views: [{id: picture, frame: [0, 0, 1000, 1080], on: {began: log}}]

        """

    @Test(
        "hit tests equal `touchd hit --json` at every tenth of the screen on two pages"
    )
    func whatIf() throws {
        let inspector = try RunningInspector.ofRecording()
        for page in ["start", "pin"] {
            for step in 1..<10 {
                let (x, y) = (108 * step, 192 * step)
                let answer = try inspector.json("/api/hit", #"{"x": \#(x), "y": \#(y), "page": "\#(page)"}"#)
                let outcome = try TouchdProgram.run(
                    "hit", "--json", "--layout", RunningInspector.layout, "--page", page, "\(x)", "\(y)")
                #expect(try answer == outcome.json as NSDictionary)
            }
        }
    }

    @Test(
        "a recording's moments have the touches, views and handlers of a run")
    func records() throws {
        let inspector = try RunningInspector.ofRecording()
        let answer = try inspector.ask("/api/records")
        let records = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [[String: Any]])
        /// A touch's number, phase, view and handlers.
        func facts(_ touch: [String: Any]) -> [String] {
            ["touch", "phase", "view"].map { key in touch[key].map { "\($0)" } ?? "" }
                + (touch["handlers"] as? [String] ?? [])
        }
        let told = records.flatMap { $0["touches"] as? [[String: Any]] ?? [] }.map(facts)
        let run = try TouchdProgram.run(
            "run", "--layout", RunningInspector.layout, "--replay", RunningInspector.recording, "--speed", "max",
            "--format", "json")
        let delivered = try run.touchLines.map { line in
            facts(try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]))
        }
        #expect(!told.isEmpty && told == delivered)
        let pages = records.compactMap { $0["pages"] as? [String] }
        #expect(pages.first == ["start"] && pages.count > 1)
        #expect(records.contains { !($0["changes"] as? [Any] ?? []).isEmpty })
    }

    @Test(
        "a trial of moving, hiding or disabling a view equals its YAML in the file"
    )
    func trial() throws {
        let folder = try TemporaryFolder()
        let text = """
            screen: {size: [100, 100]}
            views:
              - id: back
                frame: [0, 0, 100, 100]
              - id: front
                frame: [10, 10, 20, 20]
            """
        let file = try folder.file("kiosk.yaml", text)
        let inspector = try RunningInspector(
            "--layout", file.path, "--replay", "config/recordings/quanta-optical.evemu")
        let trial = #"{"changes": [{"view": "front", "frame": [60, 60, 20, 20]}]}"#
        func view(_ x: Int, _ y: Int, _ trial: String?) throws -> String? {
            let trial = trial.map { #", "trial": \#($0)"# } ?? ""
            return try inspector.json("/api/hit", #"{"x": \#(x), "y": \#(y)\#(trial)}"#)["view"] as? String
        }
        #expect(try view(15, 15, nil) == "front" && view(70, 70, nil) == "back")
        #expect(try view(15, 15, trial) == "back" && view(70, 70, trial) == "front")
        #expect(try view(15, 15, #"{"changes": [{"view": "front", "hidden": true}]}"#) == "back")
        #expect(try view(15, 15, #"{"changes": [{"view": "front", "enabled": false}]}"#) == "back")

        let yaml = try #require(try inspector.json("/api/trial", trial)["yaml"] as? String)
        #expect(yaml == "# \(file.path):5:5\n- id: front\n  frame: [60, 60, 20, 20]\n")
        let frame = try #require(yaml.split(separator: "\n").last.map { $0.drop { $0 == " " } })
        let changed = try folder.file("changed.yaml", text.replacing("frame: [10, 10, 20, 20]", with: frame))
        let outcome = try TouchdProgram.run("hit", "--layout", changed.path, "70", "70")
        #expect(outcome.output.hasPrefix("view 'front'"))
    }

    @Test(
        "a running touchd is inspected over its socket"
    )
    func live() throws {
        let touchd = try RunningTouchd(layout: Self.wall)
        try touchd.waitForTouch()
        let inspector = try RunningInspector("--socket", touchd.control)
        let overview = try inspector.json("/api/overview")
        #expect(overview["mode"] as? String == "live")
        let device = try #require((overview["devices"] as? [[String: Any]])?.first)
        #expect(device["name"] as? String == "QUANTA OpticalTouchScreen")
        #expect((device["x"] as? [String: Int])?["maximum"] == 1920)
        #expect((overview["status"] as? [String: Any])?["version"] != nil)

        #expect(try inspector.ask("/api/command", #"{"command": "hide", "view": "picture"}"#).status == 200)
        let changed = try inspector.json("/api/overview")["views"] as? [[String: Any]]
        #expect(changed?.first?["view"] as? String == "picture" && changed?.first?["hidden"] as? Bool == true)
        #expect(try inspector.json("/api/hit", #"{"x": 600, "y": 500}"#)["view"] as? String == "wall")

        // A finger rests on the picture; a page that opens now must receive it, although it does not move.
        var isReported = false
        let present = try inspector.events(until: #""whole": true"#) {
            isReported = try inspector.ask("/api/present", "{}").status == 200
        }
        #expect(isReported)
        #expect(present.contains(#""phase": "stationary""#) && present.contains(#""raw": ["#))
        // The touch began before the picture was hidden, and stays with the picture.
        #expect(present.contains(#""responders": ["view 'picture'", "view 'wall'", "window", "application"]"#))

        // A break cancels the finger that is down, and subscribers receive the cancel with its details.
        while try !touchd.command("status").output.contains("1 subscriber,") {}
        var isIgnoring = false
        let told = try inspector.events(until: #""phase": "cancelled""#) {
            isIgnoring = try touchd.command("ignore", "60").status == 0
        }
        #expect(isIgnoring)
        #expect(told.contains(#""touch": 1"#))
    }

    @Test("the layout that touchd uses is shown although its file was changed, has an error, or was refused")
    func changedFile() throws {
        let touchd = try RunningTouchd(layout: Self.wall).ready()
        let inspector = try RunningInspector("--socket", touchd.control)
        func layout(_ inspector: RunningInspector) throws -> NSDictionary? {
            try inspector.json("/api/overview")["layout"] as? NSDictionary
        }
        func problems(_ inspector: RunningInspector) throws -> String {
            (try inspector.json("/api/overview")["problems"] as? [String] ?? []).joined(separator: " ")
        }
        let question = #"{"x": 600, "y": 500, "trial": {"changes": []}}"#
        func view(_ inspector: RunningInspector) throws -> String? {
            try inspector.json("/api/hit", question)["view"] as? String
        }
        let used = try #require(try layout(inspector))

        // Another layout, which touchd has not read.
        try Data(Self.wall.replacing("picture", with: "photo").utf8).write(to: touchd.layout)
        #expect(try layout(inspector) == used && view(inspector) == "picture" && problems(inspector) == "")
        let second = try RunningInspector("--socket", touchd.control)
        #expect(try problems(second).contains("has changed since touchd read it; run: touchd reload"))

        // An error, which touchd refuses.
        try Data("screen: {size: [1920, 1080]}\nviews: 3\n".utf8).write(to: touchd.layout)
        #expect(try layout(inspector) == used && view(inspector) == "picture")
        #expect(try touchd.command("reload").status != 0)
        #expect(try layout(inspector) == used && view(inspector) == "picture")
        #expect(try problems(inspector).contains("layout.yaml:2:8: error: "))

        // One that is started now cannot draw the layout, and asks touchd what takes a touch.
        let third = try RunningInspector("--socket", touchd.control)
        #expect(try layout(third) == nil && view(third) == "picture")
        #expect(try problems(third).contains("The views are not shown"))
        let hidden = #"{"x": 600, "y": 500, "trial": {"changes": [{"view": "picture", "hidden": true}]}}"#
        #expect(try third.ask("/api/hit", hidden).text.contains("correct it, then run: touchd reload"))
        #expect(try inspector.json("/api/hit", hidden)["view"] as? String == "wall")
    }

    @Test("--terminal shows the essentials, including a finger that is down")
    func terminal() throws {
        let touchd = try RunningTouchd(layout: Self.wall)
        try touchd.waitForTouch()
        let inspector = try Server([TouchdProgram.path, "inspect", "--terminal", "--socket", touchd.control])
        var text = ""
        while !text.contains("responders") { text += try #require(inspector.line()) + "\n" }
        #expect(text.contains("touch 1 stationary on picture at (512.7, 319.7), raw 513, 320"))
        #expect(text.contains("responders  view 'picture' > view 'wall' > window > application"))
        touchd.signal(SIGTERM)
        #expect(inspector.end() == 69)
    }

    @Test("when touchd ends, the inspector waits and the page explains what to do")
    func nobodyThere() throws {
        let touchd = try RunningTouchd(layout: Self.wall)
        try touchd.waitForTouch()
        let inspector = try RunningInspector("--socket", touchd.control)
        touchd.signal(SIGTERM)
        #expect(touchd.end() == 0)
        let problems = try inspector.json("/api/overview")["problems"] as? [String]
        #expect(problems?.first?.contains("no touchd listens at \(touchd.control); start it with") == true)
    }

    @Test("it is a separate program, and the daemon contains neither its HTTP nor its page")
    func program() throws {
        let inspector = try RunningInspector.ofRecording()
        let program = try FileManager.default.destinationOfSymbolicLink(
            atPath: inspector.systemFolder.appending(path: "exe").path)
        #expect(URL(filePath: program).lastPathComponent == "touchd-inspect")
        let folder = URL(filePath: TouchdProgram.path).deletingLastPathComponent()
        func holds(_ name: String, _ text: String) throws -> Bool {
            try Data(contentsOf: folder.appending(path: name), options: .alwaysMapped).range(of: Data(text.utf8)) != nil
        }
        // The name of the library, and a part of the page.
        for text in ["NIOHTTP1", "id=\"day-load\""] {
            #expect(try holds("touchd-inspect", text) && !holds("touchd", text))
        }
    }

    @Test("if touchd-inspect is missing, touchd reports where it looked and what to do")
    func missingProgram() throws {
        let folder = try TemporaryFolder()
        let lonely = folder.url.appending(path: "touchd")
        try FileManager.default.copyItem(atPath: TouchdProgram.path, toPath: lonely.path)
        let outcome = try TouchdProgram.run(["inspect"], program: lonely.path)
        #expect(outcome.status == 69 && outcome.errors.contains("\(folder.url.path)/touchd-inspect"))
        #expect(outcome.errors.contains("install the package touchd-inspect"))
    }
}
