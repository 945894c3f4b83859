import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B delivery beyond what Apple documents")
struct TouchDeliveryTests {
    let stage = Stage()
    let log = CallLog()

    private func view(_ name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> RecordingView {
        RecordingView(name, CGRect(x: x, y: y, width: width, height: height), log: log)
    }

    @Test("B1 a view without isMultipleTouchEnabled receives only the first touch")
    func singleTouch() {
        let view = view("view", 0, 0, 100, 100)
        stage.window.addSubview(view)
        let (first, second, third) = (stage.finger(), stage.finger(), stage.finger())
        var firstTouches: [Int] = []
        view.onTouches = { phase, touches, _ in if phase == .began { firstTouches += touches.map(\.id) } }

        first.lands(at: 1, 1)
        second.lands(at: 2, 2)
        first.lifts(at: 1, 1)
        third.lands(at: 3, 3)
        second.lifts(at: 2, 2)
        third.lifts(at: 3, 3)
        stage.finger(at: 4, 4)

        #expect(log.lines == ["view.began 1", "view.ended 1", "view.began 1"])
        #expect(firstTouches == [1, 4])
    }

    @Test("A4.1 B1 a window receives two fingers as two touches, regardless of isMultipleTouchEnabled")
    func windowsTakeSeveralTouches() {
        var began: [Int] = []
        stage.window.addHandler(for: .began) { touch, _ in began.append(touch.id) }
        #expect(!stage.window.isMultipleTouchEnabled)

        stage.finger(at: 1, 1)
        stage.finger().lands(at: 2, 2)

        #expect(began == [1, 2])
    }

    @Test("B1 while an exclusive view has a touch, other views receive none")
    func exclusiveTouch() {
        let (exclusive, other) = (view("exclusive", 0, 0, 100, 100), view("other", 100, 0, 100, 100))
        exclusive.isExclusiveTouch = true
        stage.window.addSubview(exclusive)
        stage.window.addSubview(other)
        let (first, second) = (stage.finger(at: 1, 1), stage.finger(at: 101, 1))
        second.lifts(at: 101, 1)
        first.lifts(at: 1, 1)
        stage.taps(at: 101, 1)

        #expect(log.lines == ["exclusive.began 1", "exclusive.ended 1", "other.began 1", "other.ended 1"])
    }

    @Test("B2 a view removed during a touch gets touchesCancelled once")
    func removal() {
        let (outer, inner) = (view("outer", 0, 0, 100, 100), view("inner", 0, 0, 100, 100))
        outer.addSubview(inner)
        stage.window.addSubview(outer)
        let finger = stage.finger(at: 1, 1)
        log.clear()

        inner.removeFromSuperview()
        finger.moves(to: 2, 2)
        finger.lifts(at: 2, 2)

        #expect(log.lines == ["inner.cancelled 1", "outer.cancelled 1"])
        #expect(inner.window == nil && inner.superview == nil)
    }

    @Test("B2 a view moved to another superview of its window keeps its touch")
    func reparenting() {
        let (left, right, card) = (view("l", 0, 0, 100, 100), view("r", 100, 0, 100, 100), view("card", 0, 0, 50, 50))
        left.passesOn = false
        right.passesOn = false
        left.addSubview(card)
        stage.window.addSubview(left)
        stage.window.addSubview(right)
        let finger = stage.finger(at: 1, 1)
        log.clear()

        right.addSubview(card)
        finger.lifts(at: 1, 1)

        #expect(log.lines == ["card.ended 1", "r.ended 1"])
    }

    @Test("B3 fingers that did not move are stationary in an event's allTouches")
    func stationary() {
        var phases: [Int: Touch.Phase] = [:]
        stage.window.addHandler(for: .moved) { _, event in
            for touch in event.allTouches ?? [] { phases[touch.id] = touch.phase }
        }
        let (_, second) = (stage.finger(at: 1, 1), stage.finger(at: 2, 2))

        second.moves(to: 3, 3)

        #expect(phases == [1: .stationary, 2: .moved])
    }

    @Test("A1.5 B12 ignoring nests, and cancels the touches already delivered; those that begin stay ignored")
    func ignoringNests() {
        stage.window.addSubview(view("view", 0, 0, 100, 100))
        let (finger, ignored) = (stage.finger(at: 1, 1), stage.finger())

        stage.application.beginIgnoringInteractionEvents()
        stage.application.beginIgnoringInteractionEvents()
        stage.application.endIgnoringInteractionEvents()
        finger.lifts(at: 1, 1)
        stage.taps(at: 1, 1)
        ignored.lands(at: 1, 1)
        #expect(stage.application.isIgnoringInteractionEvents)
        stage.application.endIgnoringInteractionEvents()
        ignored.lifts()
        stage.finger(at: 1, 1)

        #expect(log.lines == ["view.began 1", "view.cancelled 1", "view.began 1"])
    }

    @Test("B17 a touch goes to the front window whose hit test returns a view")
    func windows() {
        let alert = Window(
            frame: CGRect(x: 0, y: 0, width: 100, height: 100), application: stage.application, screen: stage.screen)
        alert.windowLevel = .alert
        alert.addSubview(view("alert", 0, 0, 100, 100))
        stage.window.addSubview(view("normal", 0, 0, 1024, 1024))
        alert.isHidden = false
        let other = stage.newWindow()
        other.addSubview(view("other", 0, 0, 1024, 1024))
        other.isHidden = false
        other.isUserInteractionEnabled = false
        let (first, second) = (stage.finger(at: 1, 1), stage.finger(at: 500, 500))
        second.moves(to: 1, 1)
        first.moves(to: 500, 500)
        alert.isHidden = true
        second.lifts(at: 1, 1)

        #expect(
            log.lines == [
                "alert.began 1", "normal.began 1", "normal.moved 1", "alert.moved 1", "alert.cancelled 1",
                "normal.ended 1",
            ])
    }

    @Test("B a touch cancelled before delivery is logged as began and cancelled")
    func cancelledBeforeDelivery() {
        stage.window.addSubview(view("view", 0, 0, 100, 100))
        var reports: [String] = []
        stage.application.onDelivery {
            reports.append("\($0.touch.id) \($0.phase) \($0.touch.view?.identifier ?? "-")")
        }
        stage.application.beforeDelivery { [application = stage.application] _ in application.cancelAllTouches() }
        let finger = stage.finger(at: 1, 1)
        finger.moves(to: 2, 2)
        stage.application.observers.removeFirst()
        finger.lifts(at: 2, 2)

        #expect(reports == ["1 began view", "1 cancelled view"])
        #expect(log.lines == [])
    }

    @Test("B closures for a finished touch are released")
    func lateRuns() {
        let view = view("view", 0, 0, 100, 100)
        let (double, single) = (TapGestureRecognizer(), TapGestureRecognizer())
        double.numberOfTapsRequired = 2
        single.require(toFail: double)
        var runs = 0
        single.addHandler(name: "single") { _ in runs += 1 }
        for recognizer in [double, single] { view.addGestureRecognizer(recognizer) }
        stage.window.addSubview(view)
        stage.application.onDelivery { _ in }

        for _ in 0..<100 {
            stage.taps(at: 10, 10)
            stage.advanceTime(by: 1)
        }

        #expect(runs == 100)
        #expect(stage.application.touches.event.handlerRuns?.isEmpty != false)
    }
}
