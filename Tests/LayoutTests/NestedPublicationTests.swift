import ControlProtocol
import Foundation
import Testing
import TouchKit
import TouchKitTesting

@testable import Layout

@Suite("Published views in views") final class NestedPublicationTests {
    private let kiosk: LayoutKiosk
    private let slot: Slot
    private let owner = NSObject()
    private var seed = UInt64.random(in: 0...UInt64.max)

    init() throws {
        kiosk = try LayoutKiosk(
            """
            screen: {size: [1000, 1000]}
            views: [{slot: {name: page, handlers: [pan, row]}, frame: [0, 0, 1000, 1000]}]
            handlers: {pan: {log: Pan}, row: {log: Row}}
            """)
        slot = try #require(kiosk.scene.slot(named: "page"))
    }

    private func publish(_ json: String) throws {
        try kiosk.scene.publish(JSONTree(json.utf8), in: slot, by: "test", owner: owner)
    }

    private func view(_ id: String) -> View? { kiosk.scene.view(withIdentifier: id) }

    /// A list of rows of 100 points, in a view, with a pan. The rows begin at a place.
    private func list(_ rows: [Int], at y: Int = 0, pan: String = #"{"pan": {}, "id": "scroll", "on": PAN}"#) -> String
    {
        let on = #"{"began": "NAME", "ended": "NAME", "cancelled": "NAME"}"#
        let rows = rows.enumerated().map { index, row in
            #"{"id": "r\#(row)", "frame": [0, \#(y + 100 * index), 400, 100], "on": ON}"#
        }
        return """
            [{"id": "panel", "frame": [0, 0, 400, 900], "views": [{"id": "list", "frame": [0, 0, 400, 900], \
            "multiple-touch": true, "gestures": [\(pan)], "views": [\(rows.joined(separator: ", "))]}]}]
            """.replacing("PAN", with: on.replacing("NAME", with: "pan")).replacing(
                "ON", with: on.replacing("NAME", with: "row"))
    }

    @Test("a pan continues while rows of its list go and others come, and ends once")
    func scroll() throws {
        try publish(list([1, 2, 3]))
        let former = ["panel", "list", "r2", "r3"].map(view)
        kiosk.play("down 50 250; to 50 200; to 50 150")
        #expect(kiosk.steps == ["began row", "began pan", "cancelled row"])
        try publish(list([2, 3, 4], at: -50))
        kiosk.play("to 50 100")
        try publish(list([3, 2], at: 50))
        kiosk.play("to 50 50; up")
        #expect(kiosk.steps == ["began row", "began pan", "cancelled row", "ended pan"])
        #expect(zip(["panel", "list", "r2", "r3"].map(view), former).allSatisfy { $0 === $1 })
        #expect(
            view("list")?.subviews.map(\.accessibilityIdentifier) == ["r3", "r2"] && view("r1") == nil
                && view("r4") == nil)
        #expect(kiosk.hit(50, 100) == "r3" && kiosk.hit(50, 200) == "r2" && kiosk.hit(50, 300) == "list")
        try publish(list([]))
        #expect(view("list") === former[1] && kiosk.hit(50, 100) == "list")
    }

    @Test("touches on rows that stay continue, and those on rows that go are cancelled")
    func rows() throws {
        try publish(list([1, 2, 3], pan: ""))
        kiosk.first.lands(at: 50, 50)
        kiosk.second.lands(at: 50, 150)
        try publish(list([2, 4, 3], pan: ""))
        #expect(kiosk.steps == ["began row", "began row", "cancelled row"])
        kiosk.first.lifts()
        #expect(kiosk.steps.count == 3)
        kiosk.second.lifts()
        #expect(kiosk.steps.count == 4 && kiosk.steps.last == "ended row")
    }

    @Test("views that refer to each other go together, and their superviews stay unless they are among them")
    func references() throws {
        let pan = #"{"pan": {}, "id": "scroll", "run": "pan"}"#
        func publish(_ more: String) throws -> [Bool] {
            let former = ["list", "r1", "r2", "r3"].map(view)
            try self.publish(
                list([1, 2, 3], pan: pan).replacing(
                    #""frame": [0, 100, 400, 100]"#, with: #""frame": [0, 100, 400, 100]\#(more)"#))
            return zip(["list", "r1", "r2", "r3"].map(view), former).map { $0 === $1 }
        }
        _ = try publish("")
        #expect(try publish("") == [true, true, true, true])
        // The second row is another one, and refers to the first.
        #expect(try publish(#", "redirect": "r1""#) == [true, false, false, true])
        #expect(kiosk.hit(50, 150) == "r1")
        #expect(try publish(#", "redirect": "r1", "slop": 2"#) == [true, false, false, true])
        // A gesture that waits for that of the list.
        #expect(
            try publish(#", "gestures": [{"tap": {}, "after-failure-of": "scroll", "run": "row"}]"#)
                == [false, false, false, false])
        #expect(
            try publish(#", "slop": 2, "gestures": [{"tap": {}, "after-failure-of": "scroll", "run": "row"}]"#)
                == [false, false, false, false])
        #expect(try publish("") == [false, false, false, false])
    }

    @Test("two gestures of views that stay are still recognized together after other views came")
    func together() throws {
        func publish(_ more: String) throws {
            try self.publish(
                """
                [{"id": "all", "frame": [0, 0, 800, 800], "gestures": [{"long-press": {}, "id": "a", "run": "pan"}, \
                {"long-press": {"duration": 1}, "id": "b", "together-with": "a", "run": "row"}], "views": [\(more)]}]
                """)
        }
        try publish("")
        for number in 1...3 { try publish(#"{"id": "v\#(number)", "frame": [0, 0, 9, 9]}"#) }
        kiosk.play("down 400 400; wait 2; up")
        #expect(kiosk.steps == ["recognized pan", "recognized row"])
    }

    // MARK: Random lists

    private func next(_ bound: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(seed >> 33) % bound
    }

    /// An entry, and the view that it has in the slot.
    private final class Entry {
        var id: Int?, frame = CGRect.zero, isHidden = false, slop = 0, redirect: Int?
        var entries: [Entry] = []
        var view: View?

        var key: String { id.map { "v\($0)" } ?? "\(frame)" }
        var all: [Entry] { [self] + entries.flatMap(\.all) }

        var json: String {
            let (x, y) = (Int(frame.minX), Int(frame.minY)), (width, height) = (Int(frame.width), Int(frame.height))
            let id = id.map { #""id": "v\#($0)", "# } ?? "",
                redirect = redirect.map { #", "redirect": "v\#($0)""# } ?? ""
            return """
                {\(id)"frame": [\(x), \(y), \(width), \(height)], "hidden": \(isHidden), "slop": \(slop)\(redirect), \
                "on": {"began": "row", "ended": "row", "cancelled": "row"}, \
                "views": [\(entries.map(\.json).joined(separator: ", "))]}
                """
        }
    }

    private func entries(_ free: inout [Int], depth: Int = 0) -> [Entry] {
        (0..<next(depth == 0 ? 6 : 4)).map { _ in
            let entry = Entry()
            if !free.isEmpty, next(4) > 0 { entry.id = free.remove(at: next(free.count)) }
            entry.frame = CGRect(x: 200 * next(3), y: 200 * next(3), width: 400, height: 400)
            (entry.isHidden, entry.slop) = (next(8) == 0, next(6) == 0 ? 5 : 0)
            if depth < 3 { entry.entries = entries(&free, depth: depth + 1) }
            return entry
        }
    }

    /// Gives each entry the view of the former one that it continues, as docs/control-protocol.md has the rule.
    private func match(_ new: [Entry], _ former: [Entry]) {
        var former = former
        for entry in new {
            guard
                let index = former.firstIndex(where: {
                    $0.key == entry.key && $0.slop == entry.slop && $0.redirect == entry.redirect
                })
            else { continue }
            let old = former.remove(at: index)
            entry.view = old.view
            match(entry.entries, old.entries)
        }
    }

    /// Takes views away again until each two entries that refer to each other keep theirs, or neither of them.
    private func keepGroups(_ new: [Entry], _ former: [Entry]) {
        let lists = [new.flatMap(\.all), former.flatMap(\.all)]
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            let stay = Set(lists[0].compactMap { $0.view.map { ObjectIdentifier($0) } })
            func stays(_ entry: Entry) -> Bool { entry.view.map { stay.contains(ObjectIdentifier($0)) } == true }
            var gone: Set<ObjectIdentifier> = []
            for list in lists {
                for entry in list {
                    for target in list where entry.redirect != nil && target.id == entry.redirect {
                        guard stays(entry) != stays(target) else { continue }
                        for view in [entry.view, target.view] { if let view { gone.insert(ObjectIdentifier(view)) } }
                    }
                }
            }
            func takeAway(_ entries: [Entry], _ isGone: Bool) {
                for entry in entries {
                    let isGone = isGone || entry.view.map { gone.contains(ObjectIdentifier($0)) } == true
                    if isGone, entry.view != nil { (entry.view, hasChanged) = (nil, true) }
                    takeAway(entry.entries, isGone)
                }
            }
            takeAway(new, false)
        }
    }

    /// Expects that views are those of the entries, which get the new ones.
    private func check(_ views: [View], _ entries: [Entry], former: Set<ObjectIdentifier>, _ place: String) {
        #expect(views.count == entries.count, "\(place)")
        for (view, entry) in zip(views, entries) {
            let place = "\(place), \(entry.key)"
            #expect(view.accessibilityIdentifier == entry.id.map { "v\($0)" }, "\(place)")
            #expect(view.frame == entry.frame && view.isHidden == entry.isHidden, "\(place)")
            if let kept = entry.view {
                #expect(view === kept, "\(place) does not stay")
            } else {
                #expect(!former.contains(ObjectIdentifier(view)), "\(place) stays")
            }
            #expect(
                view.window === kiosk.scene.windows[0] && view.layoutSpec?.id == view.accessibilityIdentifier,
                "\(place)")
            if let id = view.accessibilityIdentifier { #expect(self.view(id) === view, "\(place)") }
            entry.view = view
            check(view.subviews, entry.entries, former: former, place)
        }
    }

    @Test("the views are those of the newest list, those that it continues are the same, and their touches end once")
    func random() throws {
        let first = seed
        var former: [Entry] = [], down: [(finger: Finger, view: View)] = []
        func play() {
            switch next(3) {
            case 0 where down.count < 4:
                let point = CGPoint(x: next(1000), y: next(1000))
                // Only the first touch of a view is delivered.
                guard let view = kiosk.scene.windows[0].hitTest(point, with: nil), view is LayoutView,
                    view !== slot.view, !down.contains(where: { $0.view === view })
                else { return }
                let finger = kiosk.finger(), count = kiosk.steps.count
                finger.lands(at: point.x, point.y)
                #expect(kiosk.steps[count...] == ["began row"], "seed \(first)")
                down.append((finger, view))
            case 1 where !down.isEmpty:
                let count = kiosk.steps.count
                down.remove(at: next(down.count)).finger.lifts()
                #expect(kiosk.steps[count...] == ["ended row"], "seed \(first)")
            default: down.randomElement()?.finger.moves(to: CGFloat(next(1000)), CGFloat(next(1000)))
            }
        }
        for step in 0..<400 {
            // The last list with some entries changed, or another one.
            var free = Array(0..<12), new = entries(&free)
            if next(4) > 0 { new = mutated(former, &free) }
            let used = new.flatMap(\.all).compactMap(\.id)
            for entry in new.flatMap(\.all) where next(8) == 0 {
                // To a greater number, so that there is no circle.
                entry.redirect = used.filter { $0 > entry.id ?? 99 }.max()
            }
            match(new, former)
            keepGroups(new, former)
            let text = "[\(new.map(\.json).joined(separator: ", "))]"
            let place = kiosk.scene.place(of: slot, for: owner)
            let build = SlotBuild(
                try Publication(JSONTree(text.utf8), in: place), in: slot, of: kiosk.scene, by: "test", owner: owner)
            var isDone = false, slices = next(12) == 0 ? next(4) : 1000
            var before: [String] = []
            while !isDone, slices > 0 {
                play()
                slices -= 1
                before = kiosk.steps
                isDone = try build.proceed { next(3) > 0 }
            }
            let old = Set(former.flatMap(\.all).compactMap { $0.view.map { ObjectIdentifier($0) } })
            guard isDone else {
                build.cancel()
                kiosk.scene.discarded.free { true }
                check(slot.content.subviews, former, former: [], "cancelled, step \(step), seed \(first)")
                continue
            }
            let gone = old.subtracting(new.flatMap(\.all).compactMap { $0.view.map { ObjectIdentifier($0) } })
            let ended = down.filter { gone.contains(ObjectIdentifier($0.view)) }
            #expect(
                Array(kiosk.steps[before.count...]) == ended.map { _ in "cancelled row" }, "step \(step), seed \(first)"
            )
            down.removeAll { gone.contains(ObjectIdentifier($0.view)) }
            check(slot.content.subviews, new, former: old, "step \(step), seed \(first)")
            former = new
            kiosk.scene.discarded.free { true }
        }
        try kiosk.scene.empty(#require(kiosk.scene.slot(named: "page")))
        #expect(kiosk.steps.count { $0 == "began row" } > 50, "seed \(first)")
        #expect(
            kiosk.steps.count { $0 == "began row" } == kiosk.steps.count { $0 != "began row" }, "seed \(first)")
    }

    /// A copy of entries: some gone, moved in their list, hidden or changed, and others added.
    private func mutated(_ entries: [Entry], _ free: inout [Int]) -> [Entry] {
        free = Array(0..<12).filter { id in !entries.flatMap(\.all).contains { $0.id == id } }
        func copy(_ entries: [Entry], depth: Int) -> [Entry] {
            var copies = entries.compactMap { old -> Entry? in
                if next(8) == 0 { return nil }
                let entry = Entry()
                (entry.id, entry.frame, entry.isHidden) = (old.id, old.frame, old.isHidden)
                (entry.slop, entry.redirect) = (old.slop, old.redirect)
                if next(8) == 0 { entry.frame.origin.x = CGFloat(200 * next(3)) }
                if next(10) == 0 { entry.isHidden.toggle() }
                if next(16) == 0 { entry.slop = 5 - entry.slop }
                entry.entries = copy(old.entries, depth: depth + 1)
                return entry
            }
            if next(6) == 0, depth < 4 { copies += self.entries(&free, depth: max(depth, 2)) }
            if copies.count > 1, next(6) == 0 { copies.swapAt(next(copies.count), next(copies.count)) }
            return copies
        }
        let copies = copy(entries, depth: 0)
        let ids = Set(copies.flatMap(\.all).compactMap(\.id))
        for entry in copies.flatMap(\.all) where entry.redirect.map({ !ids.contains($0) }) == true {
            entry.redirect = nil
        }
        return copies
    }
}
