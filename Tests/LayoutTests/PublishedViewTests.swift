import ControlProtocol
import Foundation
import Testing
import TouchKit
import TouchKitTesting

@testable import Layout

@Suite("Published views") final class PublishedViewTests {
    private let kiosk: LayoutKiosk
    private let owner = NSObject()

    private static let layout = """
        screen: {size: [1000, 1000]}
        views:
          - {id: behind, frame: [0, 0, 1000, 1000]}
          - {slot: {name: page, handlers: [buy, digit]}, frame: [100, 100, 800, 800]}
          - {slot: other, frame: [0, 0, 50, 50]}
        handlers:
          buy: {log: Bought}
          digit: {log: "{digit}"}
          secret: {exec: [/bin/true]}
        """

    init() throws { kiosk = try LayoutKiosk(Self.layout + "\non: {began: secret}") }

    private func publish(_ json: String, in name: String = "page", by owner: AnyObject? = nil) throws {
        let slot = try #require(kiosk.scene.slot(named: name))
        try kiosk.scene.publish(JSONTree(json.utf8), in: slot, by: "test", owner: owner ?? self.owner)
    }

    private func problems(_ json: String) throws -> [PublicationError.Problem] {
        do {
            try publish(json)
        } catch let error as PublicationError {
            return error.problems
        }
        return []
    }

    @Test(
        "published views take the touches of their frames, in the slot's coordinates, and what is behind gets the rest")
    func hit() throws {
        try publish(#"[{"id": "a", "frame": [0, 0, 100, 100]}, {"id": "b", "frame": ["50%", 50, 400, 100]}]"#)
        #expect(kiosk.hit(150, 150) == "a")
        #expect(kiosk.hit(550, 160) == "b")
        #expect(kiosk.hit(250, 300) == "behind")
        // The later view is in front, also if both stay.
        try publish(#"[{"id": "b", "frame": [0, 0, 100, 100]}, {"id": "a", "frame": [0, 0, 100, 100]}]"#)
        #expect(kiosk.hit(150, 150) == "a")
        try publish(#"[{"id": "b", "frame": [0, 0, 100, 100]}]"#)
        #expect(kiosk.hit(150, 150) == "b")
        #expect(kiosk.hit(550, 160) == "behind")
        try publish("[]")
        #expect(kiosk.hit(150, 150) == "behind")
    }

    @Test("a view that stays is explained by its place in the new publication")
    func explainedStay() throws {
        let unnamed = #"{"frame": [0, 0, 100, 100], "views": [{"frame": [0, 0, 100, 100]}]}"#
        func explained() throws -> String { try #require(kiosk.scene.hit(CGPoint(x: 150, y: 150))).responders[0] }
        try publish("[\(unnamed)]")
        let (view, before) = (kiosk.scene.windows[0].hitTest(CGPoint(x: 150, y: 150), with: nil), try explained())
        try publish(#"[{"id": "a", "frame": [500, 0, 10, 10]}, \#(unnamed)]"#)
        #expect(kiosk.scene.windows[0].hitTest(CGPoint(x: 150, y: 150), with: nil) === view)
        let after = try explained()
        #expect(before.hasPrefix("view at slot 'page'") && after.hasPrefix("view at slot 'page'") && after != before)
    }

    @Test("a document with the published views explains touches like the running layout")
    func document() throws {
        let json = #"[{"id": "a", "frame": [0, 0, 100, 100], "control": "toggle", "on": {"switched-on": "buy"}}]"#
        try publish(json)
        try kiosk.scene.move(["a": CGRect(x: 50, y: 0, width: 100, height: 100)], of: owner)
        let running = try #require(kiosk.scene.hit(CGPoint(x: 210, y: 150)))
        let visit = try #require(running.visits.first { $0.outcome == .taken })
        #expect(visit.view == "view 'a'" && visit.publisher == "test" && visit.location == nil)
        #expect(running.handlers.map { "\($0.at) \($0.handler)" } == ["view 'a' buy"])

        var document = kiosk.scene.document
        try document.publish(
            JSONTree(json.utf8), frames: ["a": CGRect(x: 50, y: 0, width: 100, height: 100)], in: "page", by: "test")
        let scene = Scene(document, application: Application()) { _, _ in }
        scene.activate()
        #expect(scene.hit(CGPoint(x: 210, y: 150)) == running)
        #expect(scene.toggles.map(\.id) == ["a"])
        #expect(throws: PublicationError.self) {
            try document.publish(JSONTree("[{}]".utf8), frames: [:], in: "page", by: "test")
        }
    }

    @Test(
        "numbers have the value that their text has",
        arguments: [
            "0", "-7", "12.75", "-0.1", "123456789012345", "1234567890123456", "12345678901234.5",
            "0.12345678901234567",
        ])
    func numbers(text: String) {
        let tree = YAMLTree(file: "", size: 64)
        let node = Array(text.utf8).withUnsafeBufferPointer { tree.add(.plain, bytes: $0, line: 1, column: 1) }
        #expect(Node(tree: tree, index: node).number == Double(text))
    }

    @Test("a published view runs the handlers that its slot lists, with arguments")
    func handlers() throws {
        try publish(
            #"[{"id": "a", "frame": [0, 0, 100, 100], "control": "button", "#
                + #""on": {"pressed": ["buy", {"run": "digit", "with": {"digit": "5"}}]}}]"#)
        kiosk.taps(at: 150, 150)
        #expect(kiosk.steps == ["pressed buy", "pressed digit"])
    }

    @Test(
        "a published view cannot run anything that its slot does not list",
        arguments: [
            #""secret""#, #"{"exec": ["/bin/true"]}"#, #"{"log": "x"}"#, #"{"run": "secret"}"#, #""log""#,
            #"{"go": "x"}"#, #"{"run": "buy", "exec": ["/bin/true"]}"#, #"["buy", {"publish": "x"}]"#,
        ])
    func refusedStep(step: String) throws {
        for trigger in ["pressed", "began"] {
            #expect(
                try problems(
                    #"[{"id": "a", "frame": [0, 0, 9, 9], "control": "button", "on": {"\#(trigger)": \#(step)}}]"#
                ).count >= 1)
        }
        #expect(
            try problems(#"[{"id": "a", "frame": [0, 0, 9, 9], "gestures": [{"tap": {}, "run": \#(step)}]}]"#).count
                >= 1)
        #expect(kiosk.scene.slot(named: "page")?.viewCount == 0)
    }

    @Test("errors name the entry and its id, and nothing changes")
    func errors() throws {
        try publish(#"[{"id": "old", "frame": [0, 0, 100, 100]}]"#)
        let problems = try problems(
            #"[{"id": "ok", "frame": [0,0,1,1]}, {"id": "buy", "frame": [0,0,1]}, {"frame": [0,0,1,1], "views": "#
                + #"[{"id": "in", "frame": [0,0,1,1], "color": 3}]}, {"id": "ok", "frame": [0,0,1,1]}, "#
                + #"{"id": "behind", "frame": [0,0,1,1]}, {"frame": [0,0,1,1], "slot": "deeper"}]"#)
        #expect(
            problems.map { "\($0.index.map(String.init) ?? "-") \($0.view ?? "-")" } == ["1 buy", "2 -", "3 ok", "5 -"])
        #expect(problems[0].message.contains("(got 3)"))
        #expect(kiosk.hit(150, 150) == "old")
        let taken = try self.problems(#"[{"id": "behind", "frame": [0,0,1,1]}]"#)
        #expect(taken.map(\.index) == [0] && taken[0].message.contains("choose another"))
        #expect(kiosk.hit(150, 150) == "old")
    }

    @Test(
        "anything but a list of views is refused, and an object with a key twice or with too many",
        arguments: [
            "1", "null", "{}", "[1]", "[[]]", "[{\"id\":1,\"id\":2}]", "[{\"\\u0061\":1,\"a\":2}]",
            "[{\((0...100).map { "\"k\($0)\":0" }.joined(separator: ","))}]",
        ])
    func notViews(text: String) throws { #expect(try problems(text).count >= 1) }

    @Test("escapes of JSON are read, surrogate pairs included")
    func escapes() throws {
        try publish(#"[{"id": "a\u00e4\ud800\udc00", "frame": [0, 0, 1e2, 1.0E+2]}]"#)
        #expect(kiosk.hit(150, 150) == "aä𐀀")
    }

    @Test("a touch continues on a view that is published again elsewhere, and is cancelled on one that changes or goes")
    func republish() throws {
        func view(_ id: String, _ x: Int, _ more: String = "") -> String {
            #"{"id": "\#(id)", "frame": [\#(x), 0, 100, 100], "on": {"began": "buy", "moved": "digit", "#
                + #""ended": "buy", "cancelled": "digit"}\#(more)}"#
        }
        try publish("[\(view("a", 0)), \(view("b", 200))]")
        kiosk.first.lands(at: 150, 150)
        try publish("[\(view("a", 300)), \(view("b", 200)), \(view("c", 500))]")
        #expect(kiosk.steps == ["began buy"])
        #expect(kiosk.hit(450, 150) == "a" && kiosk.hit(650, 150) == "c")
        kiosk.first.lifts(at: 150, 150)
        #expect(kiosk.steps == ["began buy", "ended buy"])
        kiosk.first.lands(at: 450, 150)
        try publish("[\(view("a", 300, #", "private": true"#))]")
        #expect(kiosk.steps == ["began buy", "ended buy", "began buy", "cancelled digit"])
        kiosk.first.lifts()
        kiosk.first.lands(at: 450, 150)
        try kiosk.scene.empty(#require(kiosk.scene.slot(named: "page")))
        #expect(kiosk.steps.suffix(2) == ["began buy", "cancelled digit"])
        #expect(kiosk.hit(450, 150) == "behind")
    }

    @Test("a touch continues on a view that is published again with another shape, and the next one hits the new shape")
    func shape() throws {
        func view(_ id: String, _ x: Int, _ shape: String, control: Bool) -> String {
            #"{"id": "\#(id)", "frame": [\#(x), 0, 100, 100], "shape": \#(shape)\#(control ? #", "control": "button""# : "")"#
                + #", "on": {"began": "buy", "ended": "buy", "cancelled": "digit"}}"#
        }
        func list(_ shape: String) -> String {
            "[" + view("a", 0, shape, control: true)
                + #", {"id": "all", "frame": [200, 0, 600, 600], "views": ["# + view("in", 0, shape, control: false)
                + "]}]"
        }
        let left = #"{"polygon": [[0, 0], [50, 0], [50, 100], [0, 100]]}"#
        let right = #"{"polygon": [[50, 0], [100, 0], [100, 100], [50, 100]]}"#
        try publish(list(left))
        kiosk.first.lands(at: 125, 150)
        kiosk.second.lands(at: 325, 150)
        for (shape, hits) in [
            (right, ["behind", "all", "a", "in"]), (#""rectangle""#, ["a", "in", "a", "in"]),
            (left, ["a", "in", "behind", "all"]),
        ] {
            try publish(list(shape))
            #expect([125, 325, 175, 375].map { kiosk.hit($0, 150) } == hits, "\(shape)")
        }
        try publish(list(right))
        kiosk.first.lifts()
        kiosk.second.lifts()
        #expect(kiosk.steps == ["began buy", "began buy", "ended buy", "ended buy"])
    }

    @Test("what handlers changed stays when a view is published again, unless the publisher changes it")
    func kept() throws {
        func list(_ more: String) -> String {
            #"[{"id": "t", "frame": [0, 0, 10, 10], "control": {"toggle": {"on": true}}\#(more)}]"#
        }
        try publish(list(""))
        try kiosk.scene.setHidden(true, of: "t")
        try kiosk.scene.setOn(false, of: "t")
        try publish(list(""))
        #expect(try !kiosk.scene.isShown("t") && !kiosk.scene.isOn("t"))
        try publish(list(#", "hidden": true"#))
        try publish(list(""))
        #expect(try kiosk.scene.isShown("t"))
        try publish(list(#", "slop": 3"#))
        #expect(try kiosk.scene.isOn("t"))
    }

    @Test("an entry without an id stays at its place, also if others are added or entries change their order")
    func unnamedEntries() throws {
        func view(_ x: Int, _ more: String = "") -> String {
            #"{"frame": [\#(x), 0, 100, 100], "on": {"began": "buy", "ended": "buy", "cancelled": "digit"}\#(more)}"#
        }
        try publish("[\(view(0)), \(view(200))]")
        kiosk.first.lands(at: 150, 150)
        kiosk.second.lands(at: 350, 150)
        try publish("[\(view(200)), \(view(0, #", "hidden": true"#)), \(view(0)), \(view(400))]")
        kiosk.second.lifts()
        #expect(kiosk.steps == ["began buy", "began buy", "ended buy"])
        try publish("[\(view(200))]")
        #expect(kiosk.steps.last == "cancelled digit")
    }

    @Test("entries that refer to each other stay when another is added, and go when one of them changes or goes")
    func referringEntries() throws {
        func list(_ more: String, slop: Int = 0) -> String {
            #"[{"id": "a", "frame": [0, 0, 100, 100], "slop": \#(slop), "gestures": [{"tap": {}, "id": "one", "run": "buy"}]},"#
                + #"{"id": "b", "frame": [200, 0, 100, 100], "redirect": "a"},"#
                + #"{"id": "c", "frame": [400, 0, 100, 100]}\#(more)]"#
        }
        func views() -> [View?] { ["a", "b", "c"].map { kiosk.scene.view(withIdentifier: $0) } }
        func stay(_ former: [View?]) -> [Bool] { zip(views(), former).map { $0 === $1 } }
        try publish(list(""))
        var former = views()
        try publish(list(#", {"id": "d", "frame": [600, 0, 100, 100]}"#))
        #expect(stay(former) == [true, true, true] && kiosk.hit(350, 150) == "a")
        // The tap of 'a' is still waiting for one that is gone.
        try publish(
            list(
                #", {"id": "d", "frame": [600, 0, 9, 9], "gestures": [{"tap": {}, "after-failure-of": "one", "run": "buy"}]}"#
            ))
        #expect(stay(former) == [false, false, true])
        former = views()
        try publish(list(""))
        #expect(stay(former) == [false, false, true])
        former = views()
        try publish(list("", slop: 2))
        #expect(stay(former) == [false, false, true] && kiosk.hit(350, 150) == "a")
    }

    @Test("after a reload published views have the state that they had, or that a command set meanwhile")
    func reload() throws {
        let list =
            #"[{"id": "t", "frame": [0, 0, 100, 100], "control": "toggle"}, {"id": "h", "frame": [0, 0, 9, 9]}, "#
            + #"{"frame": [300, 0, 100, 100], "control": "toggle"}, {"id": "e", "frame": [0, 0, 9, 9]}, "#
            + #"{"id": "b", "frame": [500, 0, 100, 100], "control": "button", "cooldown": 10, "on": {"pressed": "buy"}}]"#
        try publish(list)
        kiosk.play("tap 150 150; tap 450 150; tap 650 150")
        try kiosk.scene.setHidden(true, of: "h")

        let next = try LayoutKiosk(Self.layout, replacing: kiosk)
        #expect(next.scene.view(withIdentifier: "t") == nil && next.scene.toggles.map(\.id) == ["t"])
        #expect(try next.scene.isOn("t") && !next.scene.isShown("h"))
        try next.scene.setEnabled(false, of: "e")
        let last = try LayoutKiosk(Self.layout, replacing: next)
        try last.scene.toggle("h")
        try last.scene.toggle("h")
        let slot = try #require(last.scene.slot(named: "page"))
        try last.scene.publish(JSONTree(list.utf8), in: slot, by: "test", owner: owner)
        #expect(try last.scene.isOn("t") && !last.scene.isShown("h") && !last.scene.isEnabled("e"))
        #expect(last.scene.changedViews.map(\.id) == ["e", "h"] && slot.former == nil)
        last.play("tap 450 150; tap 650 150")
        #expect(last.switches == ["- off"] && last.droppedPresses == 1)
        try last.scene.toggle("h")
        #expect(last.scene.changedViews.map(\.id) == ["e"])
    }

    @Test("another owner does not get the state of the former one's views after a reload")
    func reloadForAnother() throws {
        let list = #"[{"id": "t", "frame": [0, 0, 100, 100], "control": "toggle"}]"#
        try publish(list)
        try kiosk.scene.toggle("t")
        let next = try LayoutKiosk(Self.layout, replacing: kiosk)
        let slot = try #require(next.scene.slot(named: "page"))
        try next.scene.publish(JSONTree(list.utf8), in: slot, by: "test", owner: next)
        #expect(try !next.scene.isOn("t") && slot.former == nil)
    }

    @Test("several views move at once, or none, and only by their owner")
    func move() throws {
        try publish(#"[{"id": "a", "frame": [0, 0, 100, 100], "views": [{"id": "in", "frame": [0, 0, 10, 10]}]}]"#)
        let scene = kiosk.scene
        try scene.move(["a": CGRect(x: 500, y: 0, width: 50, height: 50)], of: owner)
        #expect(kiosk.hit(620, 120) == "a" && kiosk.hit(605, 105) == "in" && kiosk.hit(150, 150) == "behind")
        let frame = CGRect(x: 0, y: 0, width: 10, height: 10)
        #expect(throws: SceneError.notPublished("a")) { try scene.move(["a": frame], of: NSObject()) }
        #expect(throws: SceneError.notPublished("behind")) { try scene.move(["a": frame, "behind": frame], of: owner) }
        #expect(throws: SceneError.self) { try scene.move(["a": frame, "b": frame], of: owner) }
        #expect(kiosk.hit(620, 120) == "a")
        // Published again at the first place, it moves back.
        try publish(#"[{"id": "a", "frame": [0, 0, 100, 100], "views": [{"id": "in", "frame": [0, 0, 10, 10]}]}]"#)
        #expect(kiosk.hit(150, 150) == "a" && kiosk.hit(620, 120) == "behind")
    }

    @Test("a sequence has the places that its views have when they are tapped")
    func movedSequence() throws {
        try publish(
            #"[{"id": "all", "frame": [0, 0, 800, 800], "gestures": [{"sequence": {"views": ["a", "b"]}, "run": "buy"}], "views": ["#
                + #"{"id": "a", "frame": [0, 0, 50, 50]}, {"id": "b", "frame": [100, 0, 50, 50]}]}]"#)
        func recognitions() -> Int { kiosk.steps.count { $0 == "recognized buy" } }
        kiosk.play("tap 110 110; tap 210 110")
        #expect(recognitions() == 1)
        let frames = [CGRect(x: 400, y: 0, width: 50, height: 50), CGRect(x: 500, y: 0, width: 50, height: 50)]
        try kiosk.scene.move(["a": frames[0], "b": frames[1]], of: owner)
        kiosk.play("wait 9; tap 110 110; tap 210 110")
        #expect(recognitions() == 1)
        kiosk.play("wait 9; tap 510 110; tap 610 110")
        #expect(recognitions() == 2)
    }

    @Test("another owner takes a slot over, and no view of the former one stays")
    func takeover() throws {
        let list = #"[{"id": "a", "frame": [0, 0, 100, 100], "on": {"began": "buy", "cancelled": "digit"}}]"#
        try publish(list)
        kiosk.first.lands(at: 150, 150)
        let other = NSObject()
        try publish(list, by: other)
        #expect(kiosk.steps == ["began buy", "cancelled digit"])
        #expect(kiosk.scene.slot(named: "page")?.owner === other)
        try publish("[]")
        #expect(kiosk.hit(150, 150) == "behind" && kiosk.scene.slot(named: "page")?.owner === owner)
    }

    @Test("a published private view conceals, and its concealment ends with it")
    func privacy() throws {
        let screen = kiosk.scene.windows[0].screen, point = CGPoint(x: 150, y: 150)
        #expect(!kiosk.scene.isPrivate(point, on: screen))
        try publish(#"[{"id": "pin", "frame": [0, 0, 100, 100], "private": true}]"#)
        #expect(kiosk.scene.isPrivate(point, on: screen))
        try publish("[]")
        #expect(!kiosk.scene.isPrivate(point, on: screen))
    }

    @Test("redirects, sequences and requirements hold between published views")
    func references() throws {
        try publish(
            #"[{"id": "a", "frame": [0, 0, 100, 100], "gestures": [{"tap": {}, "after-failure-of": "twice", "run": "buy"}]},"#
                + #"{"id": "b", "frame": [200, 0, 100, 100], "redirect": "a"},"#
                + #"{"id": "c", "frame": [0, 0, 800, 800], "passthrough": true, "gestures": [{"tap": {"taps": 2}, "id": "twice"}]}]"#
        )
        #expect(kiosk.hit(350, 150) == "a")
        #expect(try problems(#"[{"frame": [0, 0, 9, 9], "redirect": "behind"}]"#).count == 1)
    }

    @Test("at most 2,000 views, subviews included; a text of deeper nesting is refused before")
    func limits() throws {
        func list(_ count: Int) -> String {
            "[" + (0..<count).map { #"{"id": "v\#($0)", "frame": [0, 0, 1, 1]}"# }.joined(separator: ",") + "]"
        }
        try publish(list(2000))
        #expect(kiosk.scene.slot(named: "page")?.viewCount == 2000)
        #expect(try problems(list(2001)).first?.message.contains("more than 2000 views") == true)
        #expect(
            try problems(#"[{"repeat": {"columns": 1000, "rows": 1000, "frame": [0,0,9,9], "view": {}}}]"#).count == 1)
        let deep =
            String(repeating: #"[{"frame":[0,0,1,1],"views":"#, count: 33) + "[]" + String(repeating: "}]", count: 33)
        #expect(throws: JSONError.self) { try problems(deep) }
    }

    @Test("toggles are listed with their states, but not those in private views")
    func toggles() throws {
        try publish(
            #"[{"id": "t", "frame": [0, 0, 10, 10], "control": {"toggle": {"on": true}}},"#
                + #"{"frame": [0, 0, 10, 10], "private": true, "views": [{"id": "s", "frame": [0, 0, 1, 1], "control": "toggle"}]}]"#
        )
        #expect(kiosk.scene.toggles.map(\.id) == ["t"] && kiosk.scene.toggles.map(\.isOn) == [true])
    }
}
