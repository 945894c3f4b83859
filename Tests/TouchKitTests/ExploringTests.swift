import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

/// A screen of 1,024 points with three buttons in a column, `a`, `b` and `c`, a dimmed one, `d`, and the talking mode.
private final class TalkingStage: Stage {
    /// What is reported and what the buttons receive, in order.
    let log = CallLog()
    private(set) lazy var exploring = Exploring(on: screen, of: application) { [unowned self] in
        log.add(text($0))
    }
    private(set) var buttons: [String: Button] = [:]

    init() {
        super.init(size: CGSize(width: 1024, height: 1024))
        for (row, name) in ["a", "b", "c", "d"].enumerated() {
            let button = Button(frame: CGRect(x: 200, y: 100 + 200 * Double(row), width: 600, height: 100))
            button.accessibilityIdentifier = name
            for phase in [Touch.Phase.began, .moved, .ended, .cancelled] {
                button.addHandler(for: phase) { [log, unowned self] touch, event in
                    let place = touch.location(in: nil)
                    log.add("\(name) \(phase) \(Int(place.x)) \(Int(place.y))\(self.isTimed ? " \(self.clock)" : "")")
                }
            }
            button.isEnabled = name != "d"
            window.addSubview(button)
            buttons[name] = button
        }
        talk()
        // Starts at 1 s.
        time = InputTimestamp(microseconds: 1_000_000)
    }

    var isTimed = false
    private var clock: Int { Int((application.currentTime * 1000).rounded()) }

    func talk(_ isOn: Bool = true) { application.inputFilters = isOn ? [exploring] : [] }

    private func text(_ report: Exploring.Report) -> String {
        func name(_ view: View) -> String { view.accessibilityIdentifier ?? "-" }
        return switch report {
        case .focused(let view): "focus \(name(view))"
        case .nothing: "nothing"
        case .activated(let view): "activate \(name(view))"
        case .refused(let view): "refuse \(name(view))"
        case .adjusted(let view): "adjust \(name(view))"
        case .swiped(let view, let isUp): "\(isUp ? "up" : "down") \(name(view))"
        case .end: "end"
        case .quiet: "quiet"
        }
    }

    /// Puts the focus on a button without logging it.
    func focus(_ name: String) {
        exploring.setFocus(buttons[name])
        log.clear()
    }

    /// What was told and received, without the silence at each landing.
    var told: [String] { log.lines.filter { $0 != "quiet" } }
}

@Suite("The talking mode: exploring by touch; the numbers are those of the scenarios of ChromeVox and TalkBack")
struct ExploringTests {
    private let stage = TalkingStage()
    var log: CallLog { stage.log }

    private func finger() -> Finger { stage.finger() }
    private func waits(_ seconds: TimeInterval) { stage.advanceTime(by: seconds) }

    @Test("1, 44: a finger that rests explores where it landed")
    func rest() {
        finger().lands(at: 500, 150)
        waits(0.28)
        #expect(stage.told == [])
        waits(0.02)
        #expect(stage.told == ["focus a"])
    }

    @Test("2, 45: movement within the slop is none; beyond it, when it is slow, explores, and tells each element once")
    func slowMovement() {
        let finger = finger()
        finger.lands(at: 500, 150)
        finger.moves(to: 510, 150)
        waits(0.16)
        #expect(stage.told == [])
        finger.moves(to: 520, 150)
        finger.moves(to: 530, 150)
        finger.moves(to: 500, 250)
        finger.moves(to: 500, 260)
        finger.moves(to: 500, 350)
        #expect(stage.told == ["focus a", "nothing", "focus b"])
    }

    @Test("3: a tap tells what is under it after the pause, and no touch passes")
    func tap() {
        finger().taps(at: 500, 350)
        waits(0.29)
        #expect(stage.told == [])
        waits(0.02)
        #expect(stage.told == ["focus b"])
    }

    @Test("4: a mouse is not explored with, and presses as ever")
    func mouse() {
        stage.mouse.moves(to: 500, 150)
        stage.mouse.presses()
        stage.mouse.releases()
        #expect(log.lines == ["a began 500 150", "a ended 500 150"])
    }

    @Test("5: a finger that is down when the mode begins stays its view's, and the next is explored")
    func beginsInTheMiddle() {
        stage.talk(false)
        let first = finger()
        first.lands(at: 500, 150)
        stage.talk()
        let second = finger()
        second.lands(at: 500, 350)
        waits(0.3)
        first.moves(to: 510, 150)
        first.lifts()
        #expect(stage.told == ["a began 500 150", "focus b", "a moved 510 150", "a ended 510 150"])
    }

    @Test("6: a second finger later than the pause finds the first exploring, even if the timer was late")
    func lateTimer() {
        finger().lands(at: 500, 150)
        stage.time.microseconds += 1_000_000
        finger().lands(at: 500, 350)
        #expect(stage.told == ["focus a"])
    }

    @Test("7: two taps that are too far apart are two, each told at its place")
    func twoTaps() {
        finger().taps(at: 500, 150)
        stage.time.microseconds += 301_000
        finger().taps(at: 500, 350)
        waits(0.4)
        #expect(stage.told == ["focus a", "focus b"])
    }

    @Test("8, 10: a double tap anywhere activates the focus with one touch of 50 ms in its middle")
    func doubleTap() {
        stage.focus("c")
        stage.isTimed = true
        finger().taps(at: 500, 150)
        waits(0.1)
        finger().taps(at: 20, 900)
        waits(1)
        #expect(stage.told == ["activate c", "c began 500 550 1140", "c ended 500 550 1190"])
    }

    @Test("9: the second tap may come just before the pause is over, and be lifted after it")
    func doubleTapTiming() {
        stage.focus("a")
        finger().taps(at: 500, 900)
        waits(0.265)
        let second = finger()
        second.lands(at: 500, 900)
        waits(0.04)
        second.lifts()
        waits(0.1)
        #expect(stage.told == ["activate a", "a began 500 150", "a ended 500 150"])
    }

    @Test("11: a second tap that is held is passed on at the focus, with its movements; other fingers are not")
    func passing() {
        stage.focus("b")
        finger().taps(at: 100, 900)
        let (leader, other) = (finger(), finger())
        leader.lands(at: 100, 900)
        waits(0.3)
        leader.moves(to: 130, 910)
        other.lands(at: 500, 150)
        other.moves(to: 500, 300)
        leader.lifts()
        other.lifts()
        waits(1)
        #expect(stage.told == ["activate b", "b began 500 350", "b moved 530 360", "b ended 530 360"])
        // Only now it is idle again.
        finger().taps(at: 500, 150)
        waits(0.3)
        #expect(stage.told.last == "focus a")
    }

    @Test("11: a finger that had moved before it is passed on has moved when it lifts")
    func passedMovement() {
        stage.focus("b")
        finger().taps(at: 100, 900)
        let leader = finger()
        leader.lands(at: 100, 900)
        leader.moves(to: 140, 900)
        leader.lifts()
        #expect(stage.told.map { $0.prefix(7) } == ["activat", "b began", "b moved", "b ended"])
    }

    @Test("12: the press of a held second tap is as long as it was held after the pause")
    func longPress() {
        stage.focus("b")
        stage.isTimed = true
        finger().taps(at: 100, 900)
        let second = finger()
        second.lands(at: 100, 900)
        waits(0.8)
        second.lifts()
        #expect(stage.told == ["activate b", "b began 500 350 1330", "b ended 500 350 1840"])
    }

    @Test("13, 39, 40: neither the lift of an exploring finger nor a tap soon after it activates anything")
    func tapAfterExploring() {
        let explorer = finger()
        explorer.lands(at: 500, 150)
        waits(0.3)
        explorer.lifts()
        waits(0.25)
        finger().taps(at: 500, 150)
        waits(1)
        #expect(stage.told == ["focus a", "focus a"])
    }

    @Test("14: a double tap before anything was explored does nothing")
    func nothingExplored() {
        finger().taps(at: 500, 900)
        finger().taps(at: 500, 900)
        waits(1)
        #expect(stage.told == [])
    }

    @Test("15: a second finger that taps while the first explores activates, and exploring continues")
    func splitTap() {
        let first = finger()
        first.lands(at: 500, 150)
        waits(0.3)
        finger().taps(at: 800, 900)
        waits(0.1)
        first.moves(to: 500, 350)
        #expect(stage.told == ["focus a", "activate a", "a began 500 150", "a ended 500 150", "focus b"])
    }

    @Test("16: it activates also if the exploring finger is lifted first")
    func splitTapRelease() {
        let (first, second) = (finger(), finger())
        first.lands(at: 500, 150)
        waits(0.3)
        second.lands(at: 800, 900)
        first.lifts()
        #expect(stage.told == ["focus a"])
        second.lifts()
        waits(0.1)
        #expect(stage.told == ["focus a", "activate a", "a began 500 150", "a ended 500 150"])
    }

    @Test("17: a third finger ends it until all are lifted")
    func thirdFinger() {
        let fingers = [finger(), finger(), finger()]
        fingers[0].lands(at: 500, 150)
        waits(0.3)
        fingers[1].lands(at: 800, 900)
        fingers[2].lands(at: 800, 950)
        for finger in fingers { finger.lifts() }
        waits(1)
        #expect(stage.told == ["focus a"])
    }

    @Test("18, 19: if either finger moves far, nothing is activated", arguments: [0, 1])
    func splitTapMoves(index: Int) {
        let fingers = [finger(), finger()]
        fingers[0].lands(at: 500, 150)
        waits(0.3)
        fingers[1].lands(at: 800, 900)
        fingers[index].moves(to: index == 0 ? 540 : 840, index == 0 ? 150 : 900)
        fingers[index].moves(to: index == 0 ? 550 : 850, index == 0 ? 150 : 900)
        for finger in fingers { finger.lifts() }
        waits(1)
        #expect(stage.told == ["focus a"])
    }

    @Test("20: a swift movement may become a swipe; held past the pause, it explores")
    func swiftMovement() {
        let finger = finger()
        finger.lands(at: 500, 150)
        finger.moves(to: 560, 150)
        #expect(stage.told == [])
        waits(0.3)
        #expect(stage.told == ["focus a"])
    }

    @Test("21, 22, 26: swipes to the right and left focus the next and previous element; at the end they say so")
    func swipes() {
        func swipes(_ x: CGFloat) {
            let finger = finger()
            finger.lands(at: 500, 900)
            finger.moves(to: 500 + x, 900, over: 0.1)
            finger.lifts()
        }
        swipes(100)
        swipes(100)
        swipes(-100)
        swipes(-100)
        for _ in 0..<4 { swipes(100) }
        #expect(stage.told == ["focus a", "focus b", "focus a", "end", "focus b", "focus c", "focus d", "end"])
    }

    @Test("21: a swipe may last longer than 150 ms if it began swiftly; one that began slowly explores")
    func longSwipes() {
        stage.focus("a")
        let swift = finger()
        swift.lands(at: 500, 900)
        swift.moves(to: 700, 900, over: 0.25)
        swift.lifts()
        #expect(stage.told == ["focus b"])
        let slow = finger()
        slow.lands(at: 500, 900)
        waits(0.16)
        slow.moves(to: 700, 900, over: 0.1)
        slow.lifts()
        #expect(stage.told == ["focus b", "nothing"])
    }

    @Test("23, 24: swipes up and down adjust an element that can be adjusted, and no other")
    func adjusting() {
        final class Dial: View {
            var value = 5
            override func accessibilityIncrement() { value += 1 }
            override func accessibilityDecrement() { value -= 1 }
        }
        let dial = Dial(frame: CGRect(x: 0, y: 0, width: 50, height: 50))
        dial.isAccessibilityElement = true
        dial.accessibilityTraits = .adjustable
        stage.window.addSubview(dial)
        func swipes(_ y: CGFloat) {
            let finger = finger()
            finger.lands(at: 500, 600)
            finger.moves(to: 500, 600 + y, over: 0.1)
            finger.lifts()
        }
        stage.focus("a")
        swipes(-100)
        stage.exploring.setFocus(dial)
        swipes(-100)
        swipes(-100)
        swipes(100)
        #expect(dial.value == 6)
        #expect(stage.told == ["up a", "focus -", "adjust -", "adjust -", "adjust -"])
    }

    @Test(
        "25, 42, 47, 50, 51, 53, 54, 55, 58: movements and taps of two to four fingers reach nobody",
        arguments: [2, 3, 4])
    func severalFingers(count: Int) {
        stage.focus("a")
        for moves: [CGPoint] in [[], [CGPoint(x: 200, y: 0)], [CGPoint(x: 0, y: 200), CGPoint(x: 0, y: -200)]] {
            let fingers = (0..<count).map { _ in finger() }
            for (index, finger) in fingers.enumerated() { finger.lands(at: 300 + 50 * Double(index), 350) }
            for (index, finger) in fingers.enumerated() where !moves.isEmpty {
                let move = moves[index % moves.count]
                finger.moves(to: finger.location.x + move.x, finger.location.y + move.y, over: 0.1)
            }
            for finger in fingers { finger.lifts() }
            waits(1)
        }
        #expect(stage.told == [])
    }

    @Test("28: a second finger after a possible swipe, past the pause: neither a swipe nor exploring")
    func swipeWithSecondFinger() {
        let (first, second) = (finger(), finger())
        first.lands(at: 500, 150)
        first.moves(to: 560, 150)
        second.lands(at: 500, 350)
        waits(0.4)
        first.moves(to: 800, 150)
        first.lifts()
        second.lifts()
        waits(1)
        #expect(stage.told == [])
    }

    @Test("32: a finger that rests at the edge explores, and does not tap there")
    func edge() {
        stage.buttons["a"]?.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        finger().taps(at: 3, 50)
        waits(0.4)
        #expect(stage.told == [])
        finger().lands(at: 3, 50)
        waits(0.3)
        #expect(stage.told == ["focus a"])
    }

    @Test("29, 30, 31: a finger that slides along the edge explores as elsewhere")
    func slideAlongTheEdge() {
        let finger = finger()
        finger.lands(at: 1022, 150)
        waits(0.3)
        finger.moves(to: 1022, 800, over: 1)
        finger.moves(to: 700, 750, over: 1)
        finger.moves(to: 1022, 750, over: 1)
        finger.lifts()
        #expect(stage.told == ["nothing", "focus d", "nothing"])
    }

    @Test("33 to 36: two fingers that tap, rest or move only silence the speech", arguments: 0...3)
    func twoFingers(index: Int) {
        let fingers = [finger(), finger()]
        stage.send(fingers[0].landing(at: 500, 150), fingers[1].landing(at: 500, 350))
        if index == 2 { waits(0.3) } else if index < 2 { fingers[index].moves(to: 600, 350) }
        for finger in fingers { finger.lifts() }
        waits(1)
        #expect(log.lines == ["quiet"])
    }

    @Test("37: an element that allows direct interaction takes the fingers that land on it")
    func directInteraction() {
        stage.buttons["b"]?.accessibilityTraits = [.button, .allowsDirectInteraction]
        finger().taps(at: 500, 350)
        #expect(log.lines == ["b began 500 350", "b ended 500 350"])
        // It counts as use of the mode.
        #expect(stage.exploring.lastUse > 0.9)
    }

    @Test("while touches are ignored, what lands neither explores nor adjusts; one that explored continues")
    func ignoring() {
        let explorer = finger()
        explorer.lands(at: 500, 150)
        waits(0.3)
        stage.application.beginIgnoringInteractionEvents()
        stage.buttons["a"]?.accessibilityTraits = [.button, .adjustable]
        let cloth = finger()
        cloth.lands(at: 500, 800)
        for y in stride(from: 780.0, to: 400, by: -40) { cloth.moves(to: 500, y) }
        cloth.lifts()
        stage.keyboard.presses(KeyCode.nextElement[0])
        waits(1)
        #expect(stage.told == ["focus a"])
        stage.application.endIgnoringInteractionEvents()
        explorer.moves(to: 500, 350)
        explorer.lifts()
        finger().taps(at: 500, 550)
        waits(1)
        #expect(stage.told.last == "focus c")
    }

    @Test("38: a finger that explores before it reaches such an element explores this, too; its lift counts")
    func exploresDirectInteraction() {
        stage.buttons["b"]?.accessibilityTraits = [.button, .allowsDirectInteraction]
        let explorer = finger()
        explorer.lands(at: 500, 150)
        waits(0.3)
        explorer.moves(to: 500, 350)
        explorer.lifts()
        finger().lands(at: 500, 550)
        waits(0.3)
        #expect(stage.told == ["focus a", "focus b", "focus c"])
    }

    @Test("41: the lift of a finger whose landing was never seen changes nothing")
    func unseenLanding() {
        stage.focus("a")
        finger().taps(at: 500, 900)
        stage.send(Contact(id: 99, phase: .ended, position: SurfacePoint(x: 0.5, y: 0.5)))
        finger().taps(at: 500, 900)
        waits(1)
        #expect(stage.told == ["activate a", "a began 500 150", "a ended 500 150"])
    }

    @Test("43: a finger that rests for a long time does no more than explore")
    func longRest() {
        let finger = finger()
        finger.lands(at: 500, 150)
        waits(6)
        finger.lifts()
        waits(1)
        #expect(stage.told == ["focus a"])
    }

    @Test("46: a press that is cancelled leaves nothing to the next exploration")
    func cancelledPress() {
        stage.focus("b")
        finger().taps(at: 100, 900)
        let palm = finger()
        palm.lands(at: 100, 900)
        waits(0.3)
        palm.becomesPalm()
        let next = finger()
        next.lands(at: 500, 150)
        waits(0.3)
        #expect(stage.told == ["activate b", "b began 500 350", "b cancelled 500 350", "focus a"])
    }

    @Test("48, 49: a short movement tells what is under its end at once")
    func flick() {
        let finger = finger()
        finger.lands(at: 500, 190)
        finger.moves(to: 500, 165)
        finger.lifts()
        #expect(stage.told == ["focus a"])
    }

    @Test("52: a removed panel ends what was passed on")
    func removedPanel() {
        stage.focus("b")
        finger().taps(at: 100, 900)
        finger().lands(at: 100, 900)
        waits(0.3)
        stage.unplug(.touchscreen)
        #expect(stage.told == ["activate b", "b began 500 350", "b cancelled 500 350"])
    }

    @Test("56: what stopped being a gesture reaches nobody until every finger is lifted")
    func stoppedGesture() {
        stage.focus("a")
        let (first, second) = (finger(), finger())
        first.lands(at: 500, 350)
        second.lands(at: 700, 350)
        second.moves(to: 800, 350)
        second.lifts()
        finger().taps(at: 700, 350)
        first.moves(to: 500, 600, over: 1)
        waits(1)
        first.lifts()
        #expect(stage.told == [])
        finger().lands(at: 500, 350)
        waits(0.3)
        #expect(stage.told == ["focus b"])
    }

    @Test("59: of a stroke with two segments only its ends count")
    func bentStroke() {
        stage.focus("a")
        for corner in [CGPoint(x: 500, y: 860), CGPoint(x: 640, y: 900)] {
            let finger = finger()
            finger.lands(at: 500, 900)
            finger.moves(to: corner, over: 0.1)
            finger.moves(to: 640, 860, over: 0.1)
            finger.lifts()
        }
        #expect(stage.told == ["focus b", "focus c"])
    }

    @Test("two panels of one screen number their contacts alike, and a passed finger ends with its own")
    func twoPanels() {
        let other = DeviceID(rawValue: 7)
        stage.application.setScreen(stage.screen, for: other)
        stage.focus("b")
        finger().taps(at: 100, 900)
        let leader = finger()
        leader.lands(at: 100, 900)
        waits(0.3)
        for phase in [Contact.Phase.began, .moved, .ended] {
            stage.send(
                Contact(id: leader.contact, phase: phase, position: SurfacePoint(x: 0.5, y: 0.15)), device: other)
        }
        leader.lifts()
        #expect(stage.told == ["activate b", "b began 500 350", "b ended 500 350"])
    }

    @Test("an element that ends the mode when it activates itself leaves no touch down")
    func endsTheModeItself() {
        final class Ending: Button {
            override func accessibilityActivate() -> Bool {
                window?.application?.inputFilters = []
                return false
            }
        }
        let ending = Ending(frame: CGRect(x: 900, y: 0, width: 50, height: 50))
        stage.window.addSubview(ending)
        stage.exploring.setFocus(ending)
        finger().taps(at: 500, 900)
        finger().taps(at: 500, 900)
        waits(1)
        #expect(stage.application.touches.active.isEmpty)
    }

    @Test("a program that ends the mode when a held tap is announced leaves no touch down")
    func endedByTheReport() {
        let exploring = Exploring(on: stage.screen, of: stage.application) { [stage] report in
            if case .activated = report { stage.application.inputFilters = [] }
        }
        stage.application.inputFilters = [exploring]
        exploring.setFocus(stage.buttons["b"])
        finger().taps(at: 100, 900)
        let held = finger()
        held.lands(at: 100, 900)
        waits(0.3)
        held.lifts()
        #expect(log.lines == [] && stage.application.touches.active.isEmpty)
    }

    @Test("the end of the mode ends what was passed on, and a finger that is down reaches nothing until it lifts")
    func endOfTheMode() {
        stage.focus("b")
        finger().taps(at: 100, 900)
        let finger = finger()
        finger.lands(at: 500, 150)
        waits(0.3)
        stage.talk(false)
        finger.moves(to: 510, 150)
        finger.lifts()
        #expect(stage.told == ["activate b", "b began 500 350", "b cancelled 500 350"])
        finger.taps(at: 500, 150)
        #expect(stage.told.suffix(2) == ["a began 500 150", "a ended 500 150"])
    }

    @Test("a dimmed element behind a view that takes touches is neither said nor in the order")
    func dimmedBehind() {
        let dialog = View(frame: CGRect(x: 0, y: 600, width: 1024, height: 424))
        stage.window.addSubview(dialog)
        finger().taps(at: 500, 750)
        waits(0.4)
        #expect(stage.told == ["nothing"])
        #expect(stage.application.accessibilityElements(on: stage.screen).count == 3)
        // One in the dialog is.
        let button = Button(frame: CGRect(x: 0, y: 100, width: 1024, height: 100))
        (button.isEnabled, button.accessibilityIdentifier) = (false, "e")
        dialog.addSubview(button)
        finger().taps(at: 500, 750)
        waits(0.4)
        #expect(stage.told.last == "focus e")
        // Another window in front covers all of it.
        let window = Window(frame: stage.screen.bounds, application: stage.application, screen: stage.screen)
        window.makeKeyAndVisible()
        finger().taps(at: 500, 750)
        waits(0.4)
        #expect(stage.told.last == "nothing" && stage.application.accessibilityElements(on: stage.screen).isEmpty)
    }

    @Test("a dimmed element is focused, and refuses")
    func dimmed() {
        finger().taps(at: 500, 750)
        waits(0.4)
        finger().taps(at: 100, 900)
        finger().taps(at: 100, 900)
        waits(1)
        #expect(stage.told == ["focus d", "refuse d"])
    }

    @Test("an element that activates itself needs no touch")
    func activatesItself() {
        final class Own: Button {
            override func accessibilityActivate() -> Bool { true }
        }
        let own = Own(frame: CGRect(x: 900, y: 0, width: 50, height: 50))
        own.accessibilityIdentifier = "own"
        own.addHandler(for: .began) { [log] _, _ in log.add("touched") }
        stage.window.addSubview(own)
        stage.exploring.setFocus(own)
        finger().taps(at: 500, 900)
        finger().taps(at: 500, 900)
        waits(1)
        #expect(stage.told == ["focus own", "activate own"])
    }

    @Test("a covered element is touched at a point that reaches it; one that is covered wholly is no element")
    func covered() {
        stage.window.addSubview(View(frame: CGRect(x: 400, y: 100, width: 200, height: 100)))
        stage.window.addSubview(View(frame: CGRect(x: 200, y: 300, width: 600, height: 100)))
        stage.focus("a")
        finger().taps(at: 500, 900)
        finger().taps(at: 500, 900)
        waits(1)
        #expect(stage.told == ["activate a", "a began 260 150", "a ended 260 150"])
        let names = stage.application.accessibilityElements(on: stage.screen).map(\.accessibilityIdentifier)
        #expect(names == ["a", "c", "d"])
    }

    @Test("elements are read row by row")
    func rows() {
        for (name, x, y) in [("e", 820.0, 110.0), ("f", 10, 120), ("g", 820, 230)] {
            let button = Button(frame: CGRect(x: x, y: y, width: 100, height: 60))
            button.accessibilityIdentifier = name
            stage.window.addSubview(button)
        }
        let names = stage.application.accessibilityElements(on: stage.screen).compactMap(\.accessibilityIdentifier)
        #expect(names == ["f", "a", "e", "g", "b", "c", "d"])
    }

    @Test("when the focus disappears, the next swipe focuses the element at its place")
    func lostFocus() {
        stage.focus("b")
        stage.buttons["b"]?.isHidden = true
        let finger = finger()
        finger.lands(at: 500, 900)
        finger.moves(to: 600, 900, over: 0.1)
        finger.lifts()
        #expect(stage.told == ["focus c"])
    }

    @Test("a keypad walks in the same order, and its other keys pass")
    func keypad() {
        let keys = stage.keyboard
        for code: UInt16 in [106, 108, 105, 28, 2] {
            keys.presses(code)
            keys.releases(code)
        }
        waits(0.1)
        #expect(stage.told == ["focus a", "focus b", "focus a", "activate a", "a began 500 150", "a ended 500 150"])
    }

    @Test("27: any sequence of three fingers, with palms and pauses, ends with no touch down", arguments: 1...200)
    func sequences(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let fingers = [finger(), finger(), finger()]
        var down: Set<Int> = []
        var isOn = true
        for _ in 0..<80 {
            let index = Int.random(in: 0..<3, using: &random)
            let point = CGPoint(x: .random(in: 0..<1024, using: &random), y: .random(in: 0..<1024, using: &random))
            switch Int.random(in: 0..<8, using: &random) {
            case 0: waits(.random(in: 0..<0.5, using: &random))
            case 1 where random.chance(20):
                isOn.toggle()
                stage.talk(isOn)
            case 2 where random.chance(20): stage.application.cancelAllTouches()
            case 3 where down.contains(index):
                fingers[index].becomesPalm()
                down.remove(index)
            case 4, 5, 6:
                if down.insert(index).inserted {
                    fingers[index].lands(at: point)
                } else {
                    fingers[index].moves(to: point)
                }
            default:
                if down.remove(index) != nil { fingers[index].lifts() }
            }
        }
        for index in down { fingers[index].lifts() }
        waits(1)

        func count(_ phase: String) -> Int { log.lines.count { $0.contains(" \(phase) ") } }
        #expect(count("began") == count("ended") + count("cancelled"))
        #expect(stage.application.touches.active.isEmpty)
        // It is idle: a finger explores.
        stage.talk()
        log.clear()
        finger().lands(at: 500, 150)
        waits(0.3)
        #expect(stage.told == ["focus a"])
    }
}
