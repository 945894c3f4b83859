import Evdev
import Foundation
import Testing
import TouchKit
import TouchKitTesting

@Suite("Fingers on a stage")
struct StageTests {
    @Test("fingers and a tablet are where a test puts them, on a screen whose origin is not zero, too")
    func origin() {
        let screen = Screen(bounds: CGRect(x: 1024, y: -512, width: 512, height: 512))
        let stage = Stage(Application(), screen: screen)
        let window = Window(frame: screen.bounds, application: stage.application, screen: screen)
        var locations: [CGPoint] = []
        for phase in [Touch.Phase.began, .moved] {
            window.addHandler(for: phase) { touch, _ in locations.append(touch.location(in: nil)) }
        }
        window.makeKeyAndVisible()

        stage.finger(at: 1030, -500).moves(to: 1040, -490)
        stage.mouse.moves(to: 1050, -480)
        stage.mouse.presses()

        #expect(locations == [CGPoint(x: 6, y: 12), CGPoint(x: 16, y: 22), CGPoint(x: 26, y: 32)])
    }

    @Test("B25 in one frame ends come before moves, and moves before beginnings, as in a panel's report")
    func order() {
        let stage = Stage()
        let view = View(frame: stage.screen.bounds)
        stage.window.addSubview(view)
        var began: [CGFloat] = []
        view.addHandler(for: .began) { touch, _ in began.append(touch.location(in: nil).x) }
        let (first, second) = (stage.finger(at: 1, 1), stage.finger())

        // The view takes one touch at a time.
        stage.send(second.landing(at: 2, 2), first.lifting())

        #expect(began == [1, 2])
    }

    /// Not in the bodies of the exit tests, where each line has the number of the first.
    private enum Mistake {
        static let contact = Contact(id: 1, phase: .moved, position: SurfacePoint(x: 0, y: 0))
        static let line = #line
        static func moves() { Stage().finger().moves(to: 1, 1) }
        static func lifts() { Stage().finger().lifts() }
        static func landsTwice() { Stage().finger(at: 1, 1).lands(at: 2, 2) }
        static func changesTwice() { Stage().send(contact, contact) }
    }

    @Test("A finger that moves or lifts without having landed, or lands or changes twice, is an error with its line")
    func mistakes() async {
        let exits = [
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { await Mistake.moves() },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { await Mistake.lifts() },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                await Mistake.landsTwice()
            },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                await Mistake.changesTwice()
            },
        ]
        let errors = [
            "the finger is not down; call lands(at:) first (lifting, a palm and unplug end a touch)",
            "the finger is not down; call lands(at:) first (lifting, a palm and unplug end a touch)",
            "the finger is down already; lift it first", "a contact changes twice in one frame; send two frames",
        ]
        for (index, (exit, error)) in zip(exits, errors).enumerated() {
            let text = String(decoding: exit?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("StageTests.swift:\(Mistake.line + 1 + index): Fatal error: \(error)"))
        }
    }

    @Test("A finger lands again after its device was unplugged")
    func unplugged() {
        let stage = Stage()
        var count = 0
        stage.window.addHandler(for: .began) { _, _ in count += 1 }
        let finger = stage.finger(at: 1, 1)

        stage.unplug(.touchscreen)
        finger.taps(at: 1, 1)

        #expect(count == 2)
    }
}
