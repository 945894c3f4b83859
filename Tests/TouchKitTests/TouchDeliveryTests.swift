import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B delivery beyond what Apple documents")
struct TouchDeliveryTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    @Test("B1 a view without isMultipleTouchEnabled receives only the first touch")
    func singleTouch() {
        var firstTouches: [Int] = []
        show("view").onTouches = { phase, touches, _ in if phase == .began { firstTouches += touches.map(\.id) } }

        stage.play([
            .lands(1, 1), .lands(2, 2, finger: 2), .lifts(), .lands(3, 3, finger: 3), .lifts(finger: 2),
            .lifts(finger: 3), .lands(4, 4),
        ])

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
        show("other")
        show("exclusive", 0, 0, 100, 100).isExclusiveTouch = true
        stage.play([.lands(1, 1), .lands(101, 1, finger: 2), .lifts(finger: 2), .lifts()])
        stage.taps(at: 101, 1)

        #expect(log.lines == ["exclusive.began 1", "exclusive.ended 1", "other.began 1", "other.ended 1"])
    }

    @Test("B2 a view removed during a touch gets touchesCancelled once")
    func removal() {
        let inner = show("inner", in: show("outer"))
        let finger = stage.finger(at: 1, 1)
        log.clear()

        inner.removeFromSuperview()
        finger.moves(to: 2, 2)
        finger.lifts()

        #expect(log.lines == ["inner.cancelled 1", "outer.cancelled 1"])
        #expect(inner.window == nil && inner.superview == nil)
    }

    @Test("B2 a view moved to another superview of its window keeps its touch")
    func reparenting() {
        let (left, right) = (show("l", 0, 0, 100, 100), show("r", 100, 0, 100, 100))
        let card = show("card", 0, 0, 50, 50, in: left)
        let finger = stage.finger(at: 1, 1)
        log.clear()

        right.addSubview(card)
        finger.lifts()

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
        show("view")
        let (finger, ignored) = (stage.finger(at: 1, 1), stage.finger())

        for _ in 1...2 { stage.application.beginIgnoringInteractionEvents() }
        stage.application.endIgnoringInteractionEvents()
        finger.lifts()
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
        let (alert, other) = (stage.newWindow(), stage.newWindow())
        alert.frame.size = CGSize(width: 100, height: 100)
        alert.windowLevel = .alert
        other.isUserInteractionEnabled = false
        for (name, window) in [("alert", alert), ("normal", stage.window), ("other", other)] {
            show(name, in: window)
            window.isHidden = false
        }
        let (first, second) = (stage.finger(at: 1, 1), stage.finger(at: 500, 500))
        second.moves(to: 1, 1)
        first.moves(to: 500, 500)
        alert.isHidden = true
        second.lifts()

        #expect(
            log.lines == [
                "alert.began 1", "normal.began 1", "normal.moved 1", "alert.moved 1", "alert.cancelled 1",
                "normal.ended 1",
            ])
    }

    @Test("B a touch cancelled before delivery is logged as began and cancelled")
    func cancelledBeforeDelivery() {
        show("view")
        var reports: [String] = []
        stage.application.onDelivery {
            reports.append("\($0.touch.id) \($0.phase) \($0.touch.view?.accessibilityIdentifier ?? "-")")
        }
        stage.application.beforeDelivery { [application = stage.application] _ in application.cancelAllTouches() }
        let finger = stage.finger(at: 1, 1)
        finger.moves(to: 2, 2)
        stage.application.observers.removeFirst()
        finger.lifts()

        #expect(reports == ["1 began view", "1 cancelled view"])
        #expect(log.lines == [])
    }

    @Test("B closures for a finished touch are released")
    func lateRuns() {
        let (double, single) = (Gesture.tap(taps: 2).makeRecognizer(), TapGestureRecognizer())
        single.require(toFail: double)
        var runs = 0
        single.addHandler(name: "single") { _ in runs += 1 }
        show("view").gestureRecognizers = [double, single]
        stage.application.onDelivery { _ in }

        for _ in 0..<100 {
            stage.taps(at: 10, 10)
            stage.advanceTime(by: 1)
        }

        #expect(runs == 100)
        #expect(stage.application.touches.event.handlerRuns?.isEmpty != false)
    }
}
