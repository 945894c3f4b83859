import ControlProtocol
import Evdev
import Foundation
import Layout
import Testing
import TouchKit
import TouchKitTesting

/// Layouts whose handlers turn accommodations and the talking mode on and off, go to pages and hide views, while
/// fingers are on two panels of one screen and on one of another; reloads come in the middle of touches.
@Suite("Random visitors in the talking mode")
struct RandomTalkingTests {
    /// 200 visits from seed 1 by default; `make test-reference` sets others.
    private static let runs = number("TOUCHD_FILTER_RUNS") ?? 200
    private static let seed = number("TOUCHD_FILTER_SEED") ?? 1

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }

    @Test("each touch ends once, only activations begin on the screen that talks, and what is said fits")
    func randomVisits() throws {
        var (touches, activations, reloads) = (0, 0, 0)
        // In visit 7503 a handler ends the mode before it has begun.
        for seed in [7503] + Array(Self.seed..<(Self.seed + Self.runs)) {
            let visit = try TalkingVisit(seed: UInt64(seed))
            let failures = try visit.run()
            touches += visit.touchCount
            activations += visit.activationCount
            reloads += visit.reloadsWhileTalking
            guard failures.isEmpty else {
                Issue.record("seed \(seed): \(failures.joined(separator: "\n"))")
                return
            }
        }
        // The visitors do something; of a few seeds, some do not.
        guard Self.runs >= 100 else { return }
        #expect(
            touches > 5 * Self.runs && activations > Self.runs / 5 && reloads > Self.runs / 5,
            "\(touches) touches, \(activations) activations, \(reloads) reloads in the mode")
    }
}

private final class TalkingVisit {
    private static let panels = [1, 7, 8].map { DeviceID(rawValue: $0) }
    private static let commands = [
        "talk: on", "talk: off", "accommodate: on", "accommodate: off", "go: start", "go: more", "go: side", "go: wing",
        "hide: a", "show: a", "hide: b", "disable: c", "enable: c", "toggle: d", "language: de", "language: en",
        "reset: start", "say: Hello",
    ]

    private(set) var (touchCount, activationCount, reloadsWhileTalking) = (0, 0, 0)
    private var failures: [String] = []
    private var random: Generator
    private var kiosk: LayoutKiosk
    private let application: Application
    private var lastContact: UInt32 = 0
    private var contacts: [DeviceID: [UInt32: SurfacePoint]] = [:]
    private var phases: [Int: Touch.Phase] = [:]
    /// Whether the mode was on before the current frame, and how often it had been turned on or off.
    private var (wasTalking, turns) = (false, 0)
    /// The activations that the layouts before the last have announced.
    private var announced = 0
    /// The contacts that came down on the screen and can be counted.
    private var landed = 0
    private let hasAccommodations: Bool

    /// The generator of random numbers of the tests of TouchKit.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ (state >> 29)) &* 0xBF58_476D_1CE4_E5B9
        }
        mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
    }

    init(seed: UInt64) throws {
        random = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15)
        hasAccommodations = random.chance(50)
        kiosk = LayoutKiosk(try Self.document(&random, hasAccommodations))
        application = kiosk.application
        application.onDelivery { [unowned self] in note($0) }
        assignScreens()
    }

    private static func document(_ random: inout Generator, _ hasAccommodations: Bool) throws -> LayoutDocument {
        let commands = commands.filter { hasAccommodations || !$0.hasPrefix("accommodate") }
        func on(_ triggers: [String]) -> String {
            let handlers = triggers.map { trigger in
                let steps = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
                    "{\(commands[Int.random(in: 0..<commands.count, using: &random)])}"
                }
                return "\(trigger): [\(steps.joined(separator: ", "))]"
            }
            let used = handlers.filter { !$0.hasSuffix("[]") }
            return used.isEmpty ? "" : ", on: {\(used.joined(separator: ", "))}"
        }
        let touches = ["began", "moved", "ended", "cancelled"]
        let controls = ["held", "pressed", "released", "cancelled"]
        func page(_ name: String, _ screen: String, _ views: String) -> String {
            "  \(name): {screen: \(screen)\(on(["appeared", "disappeared"])), views: \(views)}\n"
        }
        let settings = [
            "hold: 200ms", "ignore-repeat: 300ms", "steady: 40", "hold: 100ms, ignore-repeat: 200ms, steady: 20",
        ][Int.random(in: 0..<4, using: &random)]
        let text = """
            screens: {main: {size: [1000, 1000]}, left: {size: [500, 500]}}
            accessibility:
              screen: main
              language: en
              start: {hold: 2 s, key: KEY_HELP}
              end: {idle: 40}
            \(hasAccommodations ? "accommodations: {enabled: \(random.chance(50)), \(settings)}" : "")
            views:
              - {id: a, screen: main, label: {en: A, de: AA}, frame: [0, 0, 1000, 200], control: button\(on(controls))}
            pages:
            \(page("start", "main", """
                [{id: b, label: B, frame: [0, 200, 1000, 300], multiple-touch: true\(on(touches))},
                      {id: c, label: C, frame: [0, 500, 1000, 200], control: button\(on(controls)),
                        gestures: [{long-press: {}\(on(["began", "ended", "cancelled"]))}]},
                      {id: d, label: D, frame: [0, 700, 1000, 300], control: toggle}]
                """))
            \(page("more", "main", """
                [{id: e, label: E, frame: [0, 200, 1000, 800], multiple-touch: true\(on(touches)),
                        gestures: [{pan: {}\(on(["began", "ended", "cancelled"]))}]}]
                """))
            \(page("side", "left", "[{id: f, frame: [0, 0, 500, 500], multiple-touch: true\(on(touches))}]"))
            \(page("wing", "left", "[{id: g, frame: [0, 0, 500, 500], control: button\(on(controls))}]"))

            """
        return try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"])
    }

    private func assignScreens() {
        for (panel, window) in zip(Self.panels, [0, 0, 1]) {
            application.setScreen(kiosk.scene.windows[window].screen, for: panel)
        }
        application.panels = Set(Self.panels)
    }

    func run() throws -> [String] {
        for _ in 0..<50 where failures.isEmpty { try step() }
        for panel in Self.panels { for contact in down(on: panel) { send(contact, .ended, on: panel) } }
        kiosk.advanceTime(by: 3)
        kiosk.advanceTime(by: 45)
        kiosk.advanceTime(by: 45)
        expect(kiosk.scene.talking?.isOn != true, "the mode does not end by itself")
        expect(application.touchesDown.isEmpty, "touches are left")
        let unfinished = phases.filter { $0.value != .ended && $0.value != .cancelled }.keys
        expect(unfinished.isEmpty, "the ends of touches \(unfinished.sorted()) are not reported")
        checkWords()
        let counted = kiosk.scene.talking?.contacts ?? 0
        expect(
            hasAccommodations ? counted <= landed : counted == landed,
            "\(landed) contacts landed, \(counted) are counted")
        return failures
    }

    private func expect(_ isTrue: Bool, _ failure: @autoclosure () -> String) {
        if !isTrue { failures.append(failure()) }
    }

    // MARK: Steps

    private func down(on panel: DeviceID) -> [UInt32] { contacts[panel, default: [:]].keys.sorted() }

    private func step() throws {
        (wasTalking, turns) = (kiosk.scene.talking?.isOn == true, changes.count)
        let panel = Self.panels[Int.random(in: 0..<3, using: &random)]
        let contact = down(on: panel).randomElement(using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: kiosk.advanceTime(by: [0.02, 0.1, 0.2, 0.35, 2.5, 12][Int.random(in: 0..<6, using: &random)])
        case 2 where random.chance(40): try reload()
        case 3:
            let key = [UInt16(138), 106, 28, 105][Int.random(in: 0..<4, using: &random)]
            kiosk.keyboard.presses(key)
            kiosk.keyboard.releases(key)
        case 4 where random.chance(30):
            contacts[panel] = [:]
            kiosk.unplug(panel)
            application.panels.insert(panel)
        case 5 where contact == nil:
            for _ in 0..<2 {
                let contact = land(on: panel)
                // The second may be held, and is passed on.
                if contacts[panel]?[contact] != nil, random.chance(80) { send(contact, .ended, on: panel) }
            }
            kiosk.advanceTime(by: 0.3)
        case 6...11 where down(on: panel).count < 3: land(on: panel)
        case 12: if let contact { send(contact, .cancelled, on: panel) }
        case 13...16: if let contact { send(contact, .moved, on: panel) }
        default: if let contact { send(contact, .ended, on: panel) }
        }
    }

    /// Another layout takes the place of this one, with the fingers down.
    private func reload() throws {
        let wasOn = kiosk.scene.talking?.isOn == true
        let former = kiosk
        let next = LayoutKiosk(try Self.document(&random, hasAccommodations), replacing: former)
        announced += former.told.count { $0.change == .activated }
        checkWords()
        kiosk = next
        if wasOn { reloadsWhileTalking += 1 }
        assignScreens()
    }

    @discardableResult
    private func land(on panel: DeviceID) -> UInt32 {
        lastContact += 1
        // Timers that are due may end the mode.
        kiosk.advanceTime(by: 0.01)
        (wasTalking, turns) = (kiosk.scene.talking?.isOn == true, changes.count)
        // Accommodations may let through later what landed before.
        if wasTalking || hasAccommodations, panel != Self.panels[2] { landed += 1 }
        send(lastContact, .began, on: panel)
        return lastContact
    }

    private func send(_ contact: UInt32, _ phase: Contact.Phase, on panel: DeviceID) {
        let former = contacts[panel]?[contact]
        var place = SurfacePoint(x: .random(in: 0..<1, using: &random), y: .random(in: 0..<1, using: &random))
        if let former, random.chance(60) { place = SurfacePoint(x: former.x + 0.005, y: former.y) }
        let isOver = phase == .ended || phase == .cancelled
        contacts[panel, default: [:]][contact] = isOver ? nil : place
        if phase != .began { kiosk.advanceTime(by: 0.01) }
        let change = Contact(id: contact, phase: phase, position: isOver ? former ?? place : place)
        application.enqueue(InputFrame(device: panel, timestamp: kiosk.time, contacts: [change]))
        application.drainEvents()
    }

    // MARK: Rules

    private var changes: [AccessibilityRecord.Change] {
        kiosk.told.map(\.change).filter { [.started, .ended].contains($0) }
    }

    private func note(_ delivery: TouchDelivery) {
        let (touch, phase) = (delivery.touch, delivery.phase)
        let before = phases.updateValue(phase, forKey: touch.id)
        let isOver = before == .ended || before == .cancelled
        expect(
            (before == nil) == (phase == .began) && !isOver, "touch \(touch.id) is \(phase) after \(before as Any)")
        guard phase == .began else { return }
        touchCount += 1
        // A handler may have turned the mode off and on since.
        guard wasTalking, turns == changes.count, touch.screen === kiosk.scene.windows[0].screen else { return }
        activationCount += 1
        let announced = announced + kiosk.told.count { $0.change == .activated }
        expect(activationCount <= announced, "touch \(touch.id) begins, and is no activation")
    }

    /// The mode starts and ends in turns, and the last of them tells whether it is on.
    private func checkWords() {
        for (index, change) in changes.enumerated() {
            expect(change == (index % 2 == 0 ? .started : .ended), "the mode changes so: \(changes)")
        }
        expect((changes.last == .started) == (kiosk.scene.talking?.isOn == true), "the mode is not what was said last")
    }
}
