import ControlProtocol
import Evdev
import Foundation
import Layout
import Testing
import TouchKit
import TouchKitTesting

/// The talking mode of a layout: what it says, what it presses, how it begins and ends.
@Suite struct Talking {
    private nonisolated static let files = LayoutTable.folder.appending(path: "Files")
    private let kiosk: LayoutKiosk

    init() throws {
        let file = Self.files.appending(path: "good/talking.yaml").path
        kiosk = LayoutKiosk(try LayoutDocument(path: file, handlers: ["log"]))
    }

    /// What was said and done, in order, without the silence at each landing.
    private var said: [String] {
        kiosk.told.compactMap { record in
            guard record.change != .quiet else { return nil }
            let words = [record.label, record.value, record.state?.rawValue].compactMap(\.self)
            return "\(record.change)" + (words.isEmpty ? "" : " " + words.joined(separator: ", "))
        }
    }

    @Test("57: a visitor who does not see the screen chooses a ticket: exploring, double taps and swipes")
    func walk() throws {
        kiosk.scene.talk(true)
        try kiosk.application.replay(Self.files.appending(path: "walk.evemu.gz").path)

        #expect(
            said == [
                "started", "focus Ticket machine of the city", "focus Ticket machine of the city", "nothing",
                "focus Deutsch", "nothing", "focus English", "activated English", "focus Ticket machine of the city",
                "focus Single, 2 euros 40", "focus Day ticket, 7 euros", "activated Day ticket, 7 euros",
                "focus Week ticket, 29 euros", "focus Reduced fare, off", "focus Pay, dimmed", "focus Start", "end",
                "end", "focus Pay, dimmed", "focus Reduced fare, off",
            ])
        #expect(kiosk.steps == ["pressed language", "pressed go", "pressed log"])
        #expect(kiosk.scene.talking?.contacts == 15)
    }

    @Test("labels are said in the language that was chosen, and each record names it")
    func languages() throws {
        kiosk.scene.talk(true)
        try kiosk.scene.setLanguage("de")
        try kiosk.scene.go(to: "tickets")
        #expect(kiosk.told.last?.label == "Fahrkartenautomat der Stadt" && kiosk.told.last?.language == "de")
        #expect(throws: SceneError.noLanguage("xx")) { try kiosk.scene.setLanguage("xx") }
        // The next visitor has the layout's language again.
        kiosk.scene.talk(false)
        kiosk.scene.talk(true)
        #expect(kiosk.told.last?.label == "Ticket machine of the city" && kiosk.told.last?.language == "en")
    }

    @Test("a label in another language is marked with its own, and every record has a language")
    func languageOfALabel() throws {
        kiosk.scene.talk(true)
        #expect(kiosk.told.first?.change == .started && kiosk.told.first?.language == "en")
        let layout = """
            screen: {size: [400, 400]}
            accessibility: {language: de}
            views:
              - {label: {en: Help}, frame: [0, 0, 90, 90], control: button}
              - {label: {de: Hilfe}, frame: [0, 100, 90, 90], control: button}
            """
        let german = try LayoutKiosk(layout)
        german.scene.talk(true)
        for y in [50.0, 150] {
            german.taps(at: 50, y)
            german.advanceTime(by: 0.4)
        }
        let said = german.told.filter { $0.change == .focus }.map { "\($0.language ?? "-") \($0.label ?? "-")" }
        #expect(said == ["en Help", "en Help", "de Hilfe"])
    }

    @Test("after a reload the mode is on, in the visitor's language")
    func reloaded() throws {
        kiosk.scene.talk(true)
        try kiosk.scene.setLanguage("de")
        kiosk.play("tap 100 1000")
        let file = Self.files.appending(path: "good/talking.yaml").path
        let next = LayoutKiosk(try LayoutDocument(path: file, handlers: ["log"]), replacing: kiosk)
        #expect(next.scene.talking?.isOn == true && next.scene.talking?.contacts == 1)
        #expect(next.told.last?.label == "Fahrkartenautomat der Stadt" && next.told.last?.language == "de")
    }

    @Test("a handler may turn the mode on again while its end cancels a touch")
    func turnedOnAgain() throws {
        let layout = """
            screen: {size: [400, 400]}
            accommodations: {enabled: false, steady: 40}
            views:
              - {id: a, label: A, frame: [0, 0, 90, 90], control: button,
                  on: {cancelled: [{talk: on}, {accommodate: on}]}}
            """
        let kiosk = try LayoutKiosk(layout)
        kiosk.scene.talk(true)
        kiosk.play("tap 300 300; down 300 300; wait 0.4")
        kiosk.scene.talk(false)
        #expect(kiosk.scene.talking?.isOn == true && kiosk.application.inputFilters.count == 2)
        #expect(kiosk.told.map(\.change).filter { [.started, .ended].contains($0) } == [.started, .ended, .started])
    }

    @Test("a finger that rests does not take back what is passed on in the mode")
    func restingInTheMode() throws {
        try kiosk.scene.go(to: "tickets")
        kiosk.scene.talk(true)
        kiosk.taps(at: 500, 650)
        kiosk.advanceTime(by: 0.4)
        kiosk.play("tap 100 1800; down 100 1800; wait 6; up")
        #expect(kiosk.steps.last == "pressed log")
        #expect(kiosk.application.touchesDown.isEmpty)
    }

    @Test("headphones that are plugged in start the mode, and end it when they are pulled out")
    func headphones() throws {
        let layout = "screen: {size: [400, 400]}\naccessibility: {start: {headphones: true}}\n"
        let kiosk = try LayoutKiosk(layout)
        kiosk.keyboard.presses(KeyCode.headphones)
        #expect(kiosk.scene.talking?.isOn == true)
        // After a reload, too.
        let next = LayoutKiosk(try LayoutDocument(text: layout, file: "kiosk.yaml", handlers: []), replacing: kiosk)
        #expect(next.scene.talking?.isOn == true)
        next.keyboard.releases(KeyCode.headphones)
        #expect(next.scene.talking?.isOn == false)
        // Also if they were in before the layout asked for them.
        let before = try LayoutKiosk("screen: {size: [400, 400]}\n")
        before.keyboard.presses(KeyCode.headphones)
        let after = LayoutKiosk(try LayoutDocument(text: layout, file: "kiosk.yaml", handlers: []), replacing: before)
        #expect(after.scene.talking?.isOn == true)
        // What has ended does not start again by a reload.
        after.scene.talk(false)
        let quiet = LayoutKiosk(try LayoutDocument(text: layout, file: "kiosk.yaml", handlers: []), replacing: after)
        #expect(quiet.scene.talking?.isOn == false)
        let other = try LayoutKiosk("screen: {size: [400, 400]}\naccessibility: {}\n")
        other.keyboard.presses(KeyCode.headphones)
        #expect(other.scene.talking == nil)
    }

    @Test("of a private view only 'key' is said, with neither its name nor its state")
    func privateKeys() throws {
        try kiosk.scene.go(to: "pin")
        kiosk.scene.talk(true)
        for x in [340.0, 740] { kiosk.finger().taps(at: x, 700); kiosk.advanceTime(by: 0.4) }
        let keys = kiosk.told.filter { $0.change == .focus }.suffix(2)
        #expect(keys.map(\.label) == ["key", "key"] && keys.map(\.view) == ["pad", "pad"])
        #expect(keys.allSatisfy { $0.state == nil && $0.value == nil })
        try kiosk.scene.setEnabled(false, of: "two")
        kiosk.taps(at: 740, 700)
        kiosk.advanceTime(by: 0.4)
        #expect(kiosk.told.last?.label == "key" && kiosk.told.last?.state == nil)
        try kiosk.scene.setEnabled(true, of: "two")
        // It is pressed nevertheless.
        kiosk.play("tap 100 100; tap 100 100; wait 1")
        #expect(try kiosk.scene.isOn("two"))
    }

    @Test("a role, a value and a state are said; a publication that switches a toggle leaves it the focus")
    func roles() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [400, 400]}
            views:
              - {id: zone, label: Zone, role: slider, value: Zone B, frame: [0, 0, 90, 90], control: button}
              - {slot: page, frame: [0, 100, 400, 300]}
            """)
        let slot = try #require(kiosk.scene.slot(named: "page")), owner = NSObject()
        func publish(isOn: Bool) throws {
            let views = """
                [{"id": "tax", "label": "Tax", "frame": [0, 0, 90, 90], "control": {"toggle": {"on": \(isOn)}},
                  "state": "\(isOn ? "on" : "off")"},
                 {"id": "bold", "label": "Bold", "frame": [0, 100, 90, 90], "control": "button", "role": "toggle",
                  "state": "\(isOn ? "on" : "off")"}]
                """
            try kiosk.scene.publish(JSONTree(views.utf8), in: slot, by: "test", owner: owner)
        }
        try publish(isOn: false)
        kiosk.scene.talk(true)
        let zone = try #require(kiosk.told.last)
        #expect(zone.role == .slider && zone.value == "Zone B" && zone.state == nil)
        kiosk.play("tap 50 150; wait 0.4")
        try publish(isOn: true)
        kiosk.play("tap 300 20; tap 300 20; wait 0.4")
        let pressed = kiosk.told.suffix(2)
        #expect(pressed.map(\.change) == [.activated, .adjusted] && pressed.map(\.view) == ["tax", "tax"])
        #expect(pressed.map(\.state) == [.on, .off])
        kiosk.play("tap 50 250; wait 0.4")
        #expect(kiosk.told.last?.role == .toggle && kiosk.told.last?.state == .on)
        // The state of a button that is the page's toggle is said when it changes, once.
        let count = kiosk.told.count
        try publish(isOn: false)
        try publish(isOn: false)
        #expect(kiosk.told.dropFirst(count).map { "\($0.change) \($0.state?.rawValue ?? "-")" } == ["adjusted off"])
        try publish(isOn: true)
        kiosk.play("tap 50 150; wait 0.4; tap 50 150; tap 50 150; wait 0.4")
        // It is what a publication says, also after a press.
        #expect(try !kiosk.scene.isOn("tax"))
        try publish(isOn: false)
        #expect(try !kiosk.scene.isOn("tax"))
    }

    @Test("published views are read in their order, also those that take no touches; these are not pressed")
    func readingOrder() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [400, 400]}
            views:
              - {id: back, label: Back, frame: [0, 0, 400, 400], control: button}
              - {id: home, label: Home, frame: [300, 0, 90, 90], control: button}
              - {slot: page, frame: [0, 0, 300, 400]}
            """)
        let views = """
            [{"id": "late", "label": "Late", "frame": [0, 300, 90, 90], "control": "button"},
             {"id": "title", "label": "Title", "role": "heading", "passthrough": true, "frame": [0, 100, 300, 90]},
             {"id": "early", "label": "Early", "frame": [0, 0, 90, 90], "control": "button"}]
            """
        let slot = try #require(kiosk.scene.slot(named: "page")), owner = NSObject()
        try kiosk.scene.publish(JSONTree(views.utf8), in: slot, by: "test", owner: owner)
        #expect(kiosk.hit(50, 150) == "back")
        kiosk.scene.talk(true)
        for _ in 1...4 { kiosk.play("down 100 200; to 350 200; up; wait 0.4") }
        #expect(kiosk.told.compactMap(\.view) == ["back", "home", "late", "title", "early"])
        kiosk.play("tap 50 150; wait 0.4")
        #expect(kiosk.told.last?.view == "title" && kiosk.told.last?.role == .heading && kiosk.told.last?.state == nil)
        kiosk.play("tap 50 150; tap 50 150; wait 0.4")
        #expect(kiosk.told.last?.change == .refused && kiosk.told.last?.view == "title")
    }

    @Test("57: if a publication takes the focus away, the first new element becomes it, otherwise the one at its place")
    func replacedFocus() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [400, 400]}
            views:
              - {id: home, label: Home, frame: [0, 0, 90, 90], control: button}
              - {slot: page, frame: [0, 100, 400, 300]}
            """)
        let slot = try #require(kiosk.scene.slot(named: "page")), owner = NSObject()
        func publish(_ entries: (id: String, label: String)...) throws -> [String] {
            let views = entries.enumerated().map { place, entry in
                """
                {"id": "\(entry.id)", "label": "\(entry.label)", "frame": [\(100 * place), 0, 90, 90], "control": "button"}
                """
            }
            let count = kiosk.told.count
            try kiosk.scene.publish(
                JSONTree("[\(views.joined(separator: ","))]".utf8), in: slot, by: "test", owner: owner)
            return kiosk.told.dropFirst(count).map { "\($0.change) \($0.label ?? "-")" }
        }
        #expect(try publish(("en", "English"), ("de", "Deutsch"), ("help", "Help")) == [])
        kiosk.scene.talk(true)
        kiosk.play("tap 150 150; wait 0.4")
        #expect(kiosk.told.last?.label == "Deutsch")
        // Another page, with one element that was on the former.
        #expect(try publish(("help", "Help"), ("single", "Single"), ("day", "Day")) == ["focus Single"])
        // Made again with other ids, it is the same for a visitor.
        #expect(try publish(("help", "Help"), ("one", "Single"), ("two", "Day")) == [])
        kiosk.play("down 100 200; to 350 200; up; wait 0.4")
        #expect(kiosk.told.last?.label == "Day")
        // Only removed.
        #expect(try publish(("help", "Help"), ("one", "Single")) == ["focus Single"])
        // An id may be another element's on the next page.
        #expect(try publish(("help", "Help"), ("one", "Pay now")) == ["adjusted Pay now"])
        #expect(try publish() == ["focus Home"])
        // A finger that explores hears what is under it.
        kiosk.play("down 250 150; wait 0.4")
        #expect(try publish(("en", "English"), ("de", "Deutsch"), ("help", "Help")) == ["focus Help"])
        kiosk.play("up")
        kiosk.scene.empty(slot)
        #expect(try publish(("en", "English")) == ["focus English"])
    }

    @Test("a published view that gains a button is no element any more, and one that loses it is")
    func gainsButton() throws {
        let kiosk = try LayoutKiosk(
            "screen: {size: [400, 400]}\nviews: [{slot: page, frame: [0, 0, 400, 400]}]\n")
        let slot = try #require(kiosk.scene.slot(named: "page")), owner = NSObject()
        let button = #"{"id": "buy", "label": "Buy", "frame": [0, 0, 90, 90], "control": "button"}"#
        for (inside, expected) in [("", "Card"), (button, "Buy"), ("", "Card")] {
            let card = #"[{"id": "card", "label": "Card", "frame": [0, 0, 400, 400], "views": [\#(inside)]}]"#
            try kiosk.scene.publish(JSONTree(card.utf8), in: slot, by: "test", owner: owner)
            #expect(kiosk.application.accessibilityElements(on: .main).map(\.accessibilityLabel) == [expected])
        }
    }

    @Test("the controls in a control are elements, and it is none itself")
    func nested() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [400, 400]}
            views:
              - id: pad
                private: true
                frame: [0, 0, 200, 200]
                control: button
                views: [{id: one, label: "1", frame: [0, 0, 100, 100], control: button}]
              - {id: pay, label: Pay, frame: [0, 300, 90, 90], control: button, views: [{label: Price, frame: [0, 0, 50, 50]}]}
            """)
        let elements = kiosk.application.accessibilityElements(on: kiosk.scene.windows[0].screen)
        #expect(elements.map(\.accessibilityIdentifier) == ["one", "pay"])
    }

    @Test("one finger that rests starts it; its touch is cancelled, and presses nothing")
    func startsByResting() {
        kiosk.play("down 500 700; wait 2.9")
        #expect(said == [])
        kiosk.play("wait 0.2")
        #expect(said == ["holding"])
        kiosk.play("wait 2; up")
        #expect(said == ["holding", "started", "focus Ticket machine of the city"])
        #expect(kiosk.steps == [])
        #expect(kiosk.scene.talking?.isOn == true)
    }

    @Test("only a finger or a key gives the time again, not a page that a program shows; any key does")
    func use() throws {
        kiosk.scene.talk(true)
        for page in ["tickets", "start", "tickets", "start"] {
            kiosk.play("wait 10")
            try kiosk.scene.go(to: page)
        }
        #expect(said.contains("ending"))
        kiosk.play("wait 1")
        #expect(kiosk.scene.talking?.isOn == false)
        kiosk.scene.talk(true)
        for _ in 0..<5 {
            kiosk.play("wait 15")
            // A digit, which passes.
            kiosk.keyboard.presses(2)
            kiosk.keyboard.releases(2)
        }
        #expect(kiosk.scene.talking?.isOn == true && said.last != "ending")
    }

    @Test("a toggle that was pressed says its new state")
    func toggled() throws {
        let layout = """
            screen: {size: [400, 400]}
            views: [{label: Reduced, frame: [0, 0, 90, 90], control: toggle}]
            """
        let kiosk = try LayoutKiosk(layout)
        kiosk.scene.talk(true)
        kiosk.play("tap 300 300; tap 300 300; wait 1")
        #expect(kiosk.told.last?.change == .adjusted && kiosk.told.last?.state == .on)
    }

    @Test("a private element itself has its label, but neither a value nor a state")
    func privateElement() throws {
        let layout = """
            screen: {size: [400, 400]}
            views: [{label: Test, value: positive, frame: [0, 0, 90, 90], private: true, control: toggle}]
            """
        let kiosk = try LayoutKiosk(layout)
        kiosk.scene.talk(true)
        let record = kiosk.told.last
        #expect(record?.label == "Test" && record?.value == nil && record?.state == nil)
    }

    @Test("a finger that trembles starts it, one that repeats a button does not, nor a mouse")
    func rests() throws {
        let layout = """
            screen: {size: [400, 400]}
            accessibility: {start: {hold: 5 s}}
            views: [{frame: [0, 0, 90, 90], control: {repeat: {after: 2, every: 2}}}]
            """
        var kiosk = try LayoutKiosk(layout)
        kiosk.play("down 50 50; wait 6; up; wait 1")
        kiosk.mouse.moves(to: 300, 300)
        kiosk.mouse.presses(.left)
        kiosk.advanceTime(by: 6)
        kiosk.mouse.releases(.left)
        #expect(kiosk.scene.talking == nil)
        kiosk = try LayoutKiosk(layout)
        kiosk.play("down 300 300; to 315 290; wait 4")
        // After the notice: another finger.
        kiosk.finger().taps(at: 50, 50)
        kiosk.play("up; wait 1; down 300 300; wait 6; up")
        #expect(kiosk.scene.talking?.isOn == true)
    }

    @Test("a finger that rests starts it also where a long press is recognized, which it does not prevent")
    func restsOnALongPress() throws {
        let layout = """
            screen: {size: [400, 400]}
            accessibility: {start: {hold: 5 s}}
            views: [{frame: [0, 0, 90, 90], gestures: [{long-press: {duration: 4}, on: {began: log, ended: log}}]}]
            """
        let kiosk = try LayoutKiosk(layout)
        kiosk.play("down 50 50; wait 4.5; up")
        #expect(kiosk.steps == ["began log", "ended log"])
        kiosk.play("wait 1; down 50 50; wait 5.5; up")
        #expect(kiosk.scene.talking?.isOn == true)
    }

    @Test("a key starts and ends it, and is no press")
    func startsByKey() {
        kiosk.keyboard.presses(138)
        kiosk.keyboard.releases(138)
        #expect(kiosk.scene.talking?.isOn == true)
        kiosk.keyboard.presses(138)
        #expect(kiosk.scene.talking?.isOn == false && said.last == "ended")
    }

    @Test("it ends when nobody uses it for a time; it warns before, and each finger gives the time again")
    func endsByItself() {
        kiosk.scene.talk(true)
        kiosk.play("wait 17")
        #expect(said.last != "ending")
        kiosk.play("wait 4")
        #expect(said.last == "ending")
        kiosk.play("wait 17; tap 100 1000; wait 39")
        #expect(kiosk.scene.talking?.isOn == true && said.last == "ending")
        kiosk.play("wait 2")
        #expect(kiosk.scene.talking?.isOn == false)
        kiosk.play("tap 500 700")
        #expect(kiosk.steps == ["pressed language", "pressed go"])
    }

    @Test("a view can start and end it, and say a text")
    func actions() throws {
        kiosk.play("tap 140 270")
        #expect(said == ["started", "focus Ticket machine of the city", "ended", "said Hello"])
    }
}
