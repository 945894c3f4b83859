import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("A4 touches")
struct TouchTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    @Test("A4.2 A4.3 two fingers at the same time are one call with two touches, in separate frames two calls")
    func together() {
        show("view").isMultipleTouchEnabled = true
        stage.play([
            .together([.lands(1, 1), .lands(2, 2, finger: 2)]), .together([.moves(3, 3), .moves(4, 4, finger: 2)]),
            .together([.lifts(), .lifts(finger: 2)]), .lands(1, 1), .lands(2, 2, finger: 2),
        ])

        #expect(log.lines == ["view.began 2", "view.moved 2", "view.ended 2", "view.began 1", "view.began 1"])
    }

    @Test("A4.3 a lift and a new finger in the same frame are two touches in order")
    func inOneFrame() {
        show("view")
        stage.play([
            .lands(1, 1), .together([.lifts(), .lands(1, 1, finger: 2)]),
            .together([.lands(2, 2, finger: 3), .lifts(finger: 2)]),
        ])

        #expect(log.lines == ["view.began 1", "view.ended 1", "view.began 1", "view.ended 1", "view.began 1"])
    }

    @Test("A4.4 a finger's Touch object is updated in place until the finger lifts")
    func updatedInPlace() {
        var seen: [ObjectIdentifier] = []
        var phases: [Touch.Phase] = []
        for phase in [Touch.Phase.began, .moved, .ended] {
            stage.window.addHandler(for: phase) { touch, _ in
                seen.append(ObjectIdentifier(touch))
                phases.append(touch.phase)
            }
        }
        var last: Touch?
        stage.application.onDelivery { last = $0.touch }
        let finger = stage.finger(at: 1, 1)
        finger.moves(to: 2, 2)
        finger.lifts()
        stage.send(Contact(id: finger.contact, phase: .moved, position: SurfacePoint(x: 0.5, y: 0.5)))

        #expect(Set(seen).count == 1)
        #expect(phases == [.began, .moved, .ended])
        #expect(last?.phase == .ended && last?.location(in: nil) == CGPoint(x: 2, y: 2))
    }

    @Test("A4.5 a touch has a window, view, timestamp in seconds, phase, device and kind")
    func properties() throws {
        let view = View(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        stage.window.addSubview(view)
        var touch: Touch?
        view.addHandler(for: .began) { began, _ in touch = began }

        stage.time.microseconds = 4_990_000
        stage.finger(at: 1, 1)

        let found = try #require(touch)
        #expect(found.window === stage.window && found.view === view)
        #expect(found.timestamp == 5 && found.phase == .began && found.tapCount == 1)
        #expect(found.device == .touchscreen && found.type == .direct)
    }

    @Test("A4.6 locations are in the view's coordinates, or the window's for nil")
    func locations() throws {
        stage.window.frame = CGRect(x: 100, y: 0, width: 900, height: 900)
        let view = View(frame: CGRect(x: 50, y: 50, width: 100, height: 100))
        stage.window.addSubview(view)
        var touch: Touch?
        view.addHandler(for: .began) { began, _ in touch = began }
        let finger = stage.finger(at: 160, 70)
        let found = try #require(touch)
        #expect(found.location(in: view) == CGPoint(x: 10, y: 20))
        #expect(found.location(in: nil) == CGPoint(x: 60, y: 70))
        #expect(found.previousLocation(in: view) == CGPoint(x: 10, y: 20))
        finger.moves(to: 170, 90)
        finger.moves(to: 190, 95)

        #expect(found.location(in: view) == CGPoint(x: 40, y: 45))
        #expect(found.previousLocation(in: view) == CGPoint(x: 20, y: 40))
    }

    @Test("A4 a mouse pointer starts at the screen's center or is where it reports; its button is a touch")
    func mouse() {
        var lines: [String] = []
        for phase in [Touch.Phase.began, .moved, .ended] {
            stage.window.addHandler(for: phase) { touch, _ in
                let place = touch.location(in: nil)
                lines.append("\(touch.type) \(phase) \(place.x) \(place.y)")
            }
        }

        // The motion of a report is before its button.
        stage.application.enqueue(
            InputFrame(
                device: .mouse, timestamp: stage.tick(), pointer: .by(x: 10, y: -12),
                keys: [KeyChange(code: Mouse.Button.left.rawValue, action: .pressed)]))
        stage.mouse.moves(by: 5000, 0)
        stage.mouse.releases()
        stage.mouse.moves(to: 256, 512)
        stage.mouse.presses()

        #expect(
            lines == [
                "indirectPointer began 522.0 500.0", "indirectPointer moved 1023.0 500.0",
                "indirectPointer ended 1023.0 500.0", "indirectPointer began 256.0 512.0",
            ])
    }
}
