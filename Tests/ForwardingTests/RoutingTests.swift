import Evdev
import Testing
import TouchKit
import TouchKitTesting

@testable import Service

@Suite("Which touches reach the program that draws") struct RoutingTests {
    private static let layout = """
        screen: {size: [1000, 500]}
        devices: [{match: {name: "*"}, forward: true}]
        views:
          - id: corner
            frame: [0, 0, 100, 100]
            forward: false
            views:
              - {id: hole, frame: [50, 50, 50, 50], forward: true}
              - {id: inside, frame: [0, 50, 50, 50]}

        """

    @Test(
        "a touch goes through unless its view, or the nearest ancestor with forward, keeps it",
        arguments: [Rotation.none, .quarter, .half])
    func views(rotation: Rotation) throws {
        let kiosk = try ForwardedKiosk(Self.layout, panel: .panel(rotation: rotation))
        for (x, y) in [(500.0, 300.0), (10, 10), (60, 60), (10, 60)] { kiosk.taps(at: x, y) }
        #expect(kiosk.received() == ["began 500 300", "ended 500 300", "began 60 60", "ended 60 60"])
        #expect(kiosk.router.counts.kept == ["view": 2])
    }

    @Test("forward: false of the layout keeps touches outside views with forward: true")
    func defaults() throws {
        let kiosk = try ForwardedKiosk(Self.layout + "forward: false")
        kiosk.finger(at: 500, 300)
        kiosk.finger(at: 60, 60)
        #expect(kiosk.received() == ["began 60 60"])
    }

    @Test("a finger that rests until the talking mode is on is cancelled in the program that draws")
    func restingFinger() throws {
        let kiosk = try ForwardedKiosk(Self.layout + "accessibility: {language: en, start: {hold: 5 s}}\n")
        kiosk.finger(at: 500, 300)
        kiosk.advanceTime(by: 6)
        #expect(kiosk.received() == ["began 500 300", "cancelled 500 300"])
    }

    @Test("of two fingers in one frame one goes through, and keeps its decision outside its view")
    func twoFingers() throws {
        let kiosk = try ForwardedKiosk(Self.layout)
        let (kept, through) = (kiosk.finger(), kiosk.finger())
        kiosk.send(kept.landing(at: 10, 10), through.landing(at: 500, 300))
        kiosk.send(kept.moving(to: 500, 400), through.moving(to: 20, 20))
        kiosk.send(kept.lifting(), through.lifting())
        #expect(kiosk.received() == ["began 500 300", "moved 20 20", "ended 20 20"])
    }

    @Test("a finger that lands as another lifts has another slot: a program may read only a slot's last change")
    func newSlot() throws {
        let kiosk = try ForwardedKiosk(Self.layout)
        let (first, second) = (kiosk.finger(at: 500, 300), kiosk.finger())
        // Not `send`, which puts the end first: the two would be two frames.
        kiosk.application.enqueue(
            InputFrame(
                device: .touchscreen, timestamp: kiosk.tick(),
                contacts: [second.landing(at: 600, 300), first.lifting()]))
        kiosk.application.drainEvents()
        #expect(kiosk.reader.take().map(\.slot) == [0, 0, 1])
    }

    @Test("while touches are ignored none goes through; those that are down are cancelled and begin nowhere")
    func ignoring() throws {
        let kiosk = try ForwardedKiosk(Self.layout)
        let before = kiosk.finger(at: 500, 300)
        kiosk.application.beginIgnoringInteractionEvents()
        #expect(kiosk.received() == ["began 500 300", "cancelled 500 300"])
        let ignored = kiosk.finger(at: 600, 300)
        kiosk.application.endIgnoringInteractionEvents()
        for finger in [before, ignored] { finger.moves(to: 610, 300) }
        for finger in [before, ignored] { finger.lifts() }
        #expect(kiosk.received() == [])
        kiosk.finger(at: 600, 300)
        #expect(kiosk.received() == ["began 600 300"])
    }

    @Test("with lift-cancelled a touch that is taken back is lifted, for compositors that ignore cancelled touches")
    func lifted() throws {
        let kiosk = try ForwardedKiosk(Self.layout)
        kiosk.router.liftsCancelled = true
        kiosk.finger(at: 500, 300)
        kiosk.application.beginIgnoringInteractionEvents()
        #expect(kiosk.received() == ["began 500 300", "ended 500 300"])
        #expect(kiosk.router.counts.cancelled == 1)
    }

    @Test("the touch that ends an idle time with forward: false reaches nobody else, and the next one does")
    func idle() throws {
        let kiosk = try ForwardedKiosk(Self.layout)
        let before = kiosk.finger(at: 500, 300)
        kiosk.router.suspend()
        #expect(kiosk.received() == ["began 500 300", "cancelled 500 300"])
        // As `IdleWatch` does it: in the event, before the touch is decided.
        kiosk.application.beforeDelivery { [router = kiosk.router] _ in router.resume(swallowing: true) }
        kiosk.taps(at: 600, 300)
        before.lifts()
        #expect(kiosk.received() == [])
        kiosk.finger(at: 600, 300)
        #expect(kiosk.received() == ["began 600 300"])
    }

    @Test("within the cooldown after a lift no touch begins, but a second finger beside the first one does")
    func cooldown() throws {
        let kiosk = try ForwardedKiosk(Self.layout + "forward: {cooldown: 500 ms}")
        let (first, second) = (kiosk.finger(at: 500, 300), kiosk.finger(at: 600, 300))
        first.lifts()
        kiosk.taps(at: 500, 300)
        second.lifts()
        #expect(kiosk.received().count == 6)
        kiosk.advanceTime(by: 0.4)
        kiosk.taps(at: 500, 300)
        #expect(kiosk.received() == [])
        kiosk.advanceTime(by: 0.2)
        kiosk.finger(at: 500, 300)
        #expect(kiosk.received() == ["began 500 300"])
        #expect(kiosk.router.counts.kept == ["cooldown": 1])
    }

    @Test("a touch from before the panel was grabbed, which the program received itself, does not go through")
    func beforeGrab() throws {
        let kiosk = try ForwardedKiosk(Self.layout)
        kiosk.panel.lose()
        kiosk.finger(at: 500, 300).moves(to: 510, 300)
        #expect(kiosk.received() == [])
        #expect(kiosk.router.counts.kept == ["not-grabbed": 1])
    }

    @Test("with every slot in use a further finger does not go through")
    func slots() throws {
        let kiosk = try ForwardedKiosk(Self.layout)
        let fingers = (1...11).map { kiosk.finger(at: 500 + Double($0), 300) }
        #expect(kiosk.received().count == 10)
        fingers[0].lifts()
        fingers[10].lifts()
        #expect(kiosk.received() == ["ended 501 300"])
        #expect(kiosk.router.counts.kept == ["slots": 1])
    }
}

@Suite("Gestures that take forwarded touches back") struct TakingBackTests {
    private func kiosk(_ gesture: String) throws -> ForwardedKiosk {
        try ForwardedKiosk(
            """
            screen: {size: [1000, 500]}
            devices: [{match: {name: "*"}, forward: true}]
            views:
              - id: wall
                frame: [0, 0, 1000, 500]
                multiple-touch: true
                gestures: [\(gesture)]
            """)
    }

    @Test("a gesture with cancels-forwarded cancels the touch when it is recognized")
    func cancels() throws {
        let kiosk = try kiosk("{long-press: {duration: 0.5}, cancels-forwarded: true, run: log}")
        let finger = kiosk.finger(at: 500, 300)
        kiosk.advanceTime(by: 0.6)
        #expect(kiosk.received() == ["began 500 300", "cancelled 500 300"])
        finger.moves(to: 600, 300)
        finger.lifts()
        #expect(kiosk.received() == [])
    }

    @Test("a cancelled contact is a palm in a frame before its lift, and its slot has a finger again afterwards")
    func palm() throws {
        let kiosk = try kiosk("{long-press: {duration: 0.5}, cancels-forwarded: true, run: log}")
        kiosk.finger(at: 500, 300)
        let before = kiosk.reader.events.count
        kiosk.advanceTime(by: 0.6)
        let events = kiosk.reader.events[before...].map { "\($0.type) \($0.code) \($0.value)" }
        // libinput takes the tool of the slot's next contact from the state before its tracking ID.
        #expect(
            events == [
                "3 47 0", "3 55 2", "1 330 1", "3 0 500", "3 1 300", "0 0 0", "3 47 0", "3 57 -1", "3 55 0", "1 330 0",
                "0 0 0",
            ])
    }

    @Test("a gesture that is recognized by the lift takes the touch back before the lift is sent")
    func cancelsAtLift() throws {
        let kiosk = try kiosk("{tap: {}, cancels-forwarded: true, run: log}")
        kiosk.taps(at: 500, 300)
        #expect(kiosk.received() == ["began 500 300", "cancelled 500 300"])
    }

    @Test("a touch that joins a gesture in progress is left alone")
    func joins() throws {
        let kiosk = try kiosk("{pan: {}, cancels-forwarded: true, run: log}")
        kiosk.finger(at: 500, 300).moves(to: 600, 300)
        #expect(kiosk.received().last == "cancelled 600 300")
        kiosk.finger(at: 700, 300).lifts()
        #expect(kiosk.received() == ["began 700 300", "ended 700 300"])
    }

    @Test("a failed gesture with cancels-forwarded leaves the touch alone")
    func fails() throws {
        let kiosk = try kiosk("{tap: {}, cancels-forwarded: true, run: log}")
        let finger = kiosk.finger(at: 500, 300)
        finger.moves(to: 700, 300)
        finger.lifts()
        #expect(kiosk.received() == ["began 500 300", "moved 700 300", "ended 700 300"])
    }

    @Test("with delays-forwarded the touch begins where it began, after the gesture has failed")
    func delays() throws {
        let kiosk = try kiosk("{long-press: {duration: 0.5}, delays-forwarded: true, run: log}")
        let finger = kiosk.finger(at: 500, 300)
        finger.moves(to: 502, 300)
        #expect(kiosk.received() == [])
        finger.moves(to: 600, 300)
        #expect(kiosk.received() == ["began 500 300", "moved 600 300"])
        finger.lifts()
        #expect(kiosk.received() == ["ended 600 300"])
    }

    @Test("with delays-forwarded a recognized gesture, or an idle time, keeps its touch")
    func delaysAndRecognizes() throws {
        let kiosk = try kiosk("{long-press: {duration: 0.5}, delays-forwarded: true, run: log}")
        let finger = kiosk.finger(at: 500, 300)
        kiosk.advanceTime(by: 0.6)
        finger.lifts()
        let second = kiosk.finger(at: 500, 300)
        kiosk.router.suspend()
        second.moves(to: 600, 300)
        #expect(kiosk.received() == [])
        #expect(kiosk.router.counts.kept == ["gesture": 1, "idle": 1])
    }

    @Test("a tap that waits for a second one is sent whole when that does not come")
    func delayedTap() throws {
        let kiosk = try kiosk("{tap: {taps: 2}, delays-forwarded: true, run: log}")
        kiosk.taps(at: 500, 300)
        #expect(kiosk.received() == [])
        kiosk.advanceTime(by: 1)
        #expect(kiosk.received() == ["began 500 300", "ended 500 300"])
    }
}
