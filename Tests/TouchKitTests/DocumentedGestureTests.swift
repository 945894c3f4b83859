import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("UIKit's class references for its recognizers")
struct DocumentedGestureTests: GestureSuite {
    let stage = Stage()
    let log = CallLog()

    @Test("B10 the location of a double tap is the center of its first tap's fingers")
    func placeOfTap() {
        let tap = attach(TapGestureRecognizer())
        tap.numberOfTapsRequired = 2
        tap.numberOfTouchesRequired = 2
        var places: [CGPoint] = []
        tap.addHandler { _ in
            places = [
                tap.location(in: nil), tap.location(ofTouch: 0, in: nil), tap.location(ofTouch: 1, in: nil),
            ]
        }
        func tapOfTwo(_ x: Double) {
            let (first, second) = (stage.finger(), stage.finger())
            stage.send(first.landing(at: x, 100), second.landing(at: x + 100, 100))
            stage.send(first.lifting(at: x, 100), second.lifting(at: x + 100, 100))
        }

        tapOfTwo(100)
        tapOfTwo(120)

        #expect(log.lines == ["ended"])
        #expect(places == [CGPoint(x: 150, y: 100), CGPoint(x: 100, y: 100), CGPoint(x: 200, y: 100)])
    }

    @Test("B10 the location of a swipe is its start")
    func placeOfSwipe() {
        let swipe = attach(SwipeGestureRecognizer())
        swipe.numberOfTouchesRequired = 2
        var places: [CGPoint] = []
        swipe.addHandler { [window = stage.window] _ in
            places = [swipe.location(in: nil), swipe.location(in: window), swipe.location(ofTouch: 1, in: nil)]
        }
        let (first, second) = (stage.finger(), stage.finger())

        stage.send(first.landing(at: 100, 100), second.landing(at: 100, 200))
        stage.send(first.moving(to: 160, 100), second.moving(to: 160, 200))

        #expect(log.lines == ["ended"])
        #expect(places == [CGPoint(x: 100, y: 150), CGPoint(x: 100, y: 150), CGPoint(x: 100, y: 200)])
    }

    @Test("B10 a pan changes while enough fingers are down, and ends when the last lifts")
    func endOfPan() {
        let pan = attach(PanGestureRecognizer())
        pan.minimumNumberOfTouches = 2
        let (first, second, third) = (stage.finger(), stage.finger(), stage.finger())
        stage.send(first.landing(at: 100, 100), second.landing(at: 200, 100))
        stage.send(first.moving(to: 100, 120), second.moving(to: 200, 120))

        second.lifts(at: 200, 120)
        first.moves(to: 100, 300)
        #expect(log.lines == ["began"] && pan.translation(in: nil) == .zero)
        third.lands(at: 200, 300)
        stage.send(first.moving(to: 100, 310), third.moving(to: 200, 310))
        #expect(log.lines == ["began", "changed"] && pan.translation(in: nil) == CGPoint(x: 0, y: 10))
        third.lifts(at: 200, 310)
        #expect(log.lines.last == "changed")
        first.lifts(at: 100, 310)

        #expect(log.lines == ["began", "changed", "ended"])
    }

    @Test("B10 a pinch continues with a new second finger, and ends when both lift")
    func endOfPinch() {
        let pinch = attach(PinchGestureRecognizer())
        let (first, second, third) = (stage.finger(), stage.finger(), stage.finger())
        stage.send(first.landing(at: 100, 100), second.landing(at: 200, 100))
        second.moves(to: 300, 100)
        second.moves(to: 500, 100)

        second.lifts(at: 500, 100)
        first.moves(to: 150, 100)
        #expect(log.lines == ["began", "changed"] && pinch.scale == 2)
        third.lands(at: 250, 100)
        third.moves(to: 200, 100)
        #expect(log.lines == ["began", "changed", "changed"] && pinch.scale == 1)
        stage.send(first.lifting(at: 150, 100), third.lifting(at: 200, 100))

        #expect(log.lines == ["began", "changed", "changed", "ended"])
    }

    @Test("B10 a rotation continues with a new second finger, and ends when both lift")
    func endOfRotation() {
        let rotation = attach(RotationGestureRecognizer())
        let (first, second, third) = (stage.finger(), stage.finger(), stage.finger())
        stage.send(first.landing(at: 500, 500), second.landing(at: 600, 500))
        second.moves(to: 600, 600)
        second.moves(to: 500, 600)

        second.lifts(at: 500, 600)
        first.moves(to: 300, 500)
        #expect(log.lines == ["began", "changed"] && abs(rotation.rotation - .pi / 4) < 1e-9)
        third.lands(at: 400, 500)
        third.moves(to: 300, 600)
        #expect(log.lines == ["began", "changed", "changed"] && abs(rotation.rotation - .pi * 3 / 4) < 1e-9)
        first.lifts(at: 300, 500)
        third.lifts(at: 300, 600)

        #expect(log.lines == ["began", "changed", "changed", "ended"])
    }

    @Test("B10 setting the scale of a pinch resets its velocity, which counts from there")
    func velocityOfPinch() {
        let pinch = attach(PinchGestureRecognizer())
        let (first, second) = (stage.finger(), stage.finger())
        stage.send(first.landing(at: 100, 100), second.landing(at: 200, 100))
        second.moves(to: 300, 100)
        second.moves(to: 500, 100)
        #expect(abs(pinch.velocity - 100) < 1e-6)

        pinch.scale = 1
        #expect(pinch.velocity == 0)
        second.moves(to: 540, 100)

        #expect(abs(pinch.velocity - 10) < 1e-6)
    }

    @Test("B10 setting a rotation resets its velocity")
    func velocityOfRotation() {
        let rotation = attach(RotationGestureRecognizer())
        let (first, second) = (stage.finger(), stage.finger())
        func turn(_ angle: Double) { second.moves(to: 500 + 100 * cos(angle), 500 + 100 * sin(angle)) }
        stage.send(first.landing(at: 500, 500), second.landing(at: 600, 500))
        turn(0.2)
        turn(0.4)
        #expect(abs(rotation.velocity - 20) < 1e-6)

        rotation.rotation = 0
        #expect(rotation.velocity == 0)
        turn(0.3)

        #expect(abs(rotation.velocity + 10) < 1e-6)
    }

    @Test("B10 an edge pan ignores every touch beyond the first")
    func firstTouchOfEdgePan() {
        let pan = attach(ScreenEdgePanGestureRecognizer())
        pan.edges = .left
        let (first, second) = (stage.finger(), stage.finger())

        first.lands(at: 5, 500)
        second.lands(at: 500, 500)
        second.moves(to: 900, 500)
        #expect(log.lines.isEmpty)
        first.moves(to: 25, 500)
        #expect(log.lines == ["began"] && pan.numberOfTouches == 1)
        first.lifts(at: 25, 500)

        #expect(log.lines == ["began", "ended"])
    }

    @Test("B6 delayed begins or ends of two fingers in one event are delivered in one call")
    func heldTogether() {
        let view = RecordingView("view", stage.screen.bounds, log: log)
        view.isMultipleTouchEnabled = true
        view.passesOn = false
        stage.window.addSubview(view)
        let puppet = Puppet("p")
        puppet.delaysTouchesBegan = true
        puppet.awaits = true
        view.addGestureRecognizer(puppet)
        let (first, second, third) = (stage.finger(), stage.finger(), stage.finger())
        stage.send(first.landing(at: 1, 1), second.landing(at: 2, 2))
        third.lands(at: 3, 3)
        stage.send(first.lifting(at: 1, 1), second.lifting(at: 2, 2))
        third.lifts(at: 3, 3)
        #expect(log.lines.isEmpty)

        puppet.state = .failed

        #expect(log.lines == ["view.began 2", "view.ended 2", "view.began 1", "view.ended 1"])
    }

    @Test(
        "B6 a delegate or subclass may refuse an event, and is asked once")
    func shouldReceiveEvent() {
        final class Delegate: GestureRecognizerDelegate {
            var answer = true
            let log: CallLog
            init(_ log: CallLog) { self.log = log }
            func gestureRecognizer(_ recognizer: GestureRecognizer, shouldReceive event: Event) -> Bool {
                log.add("event \(event.allTouches?.count ?? 0)")
                return answer
            }
            func gestureRecognizer(_ recognizer: GestureRecognizer, shouldReceive touch: Touch) -> Bool {
                log.add("touch")
                return true
            }
        }
        final class Refusing: TapGestureRecognizer {
            override func shouldReceive(_ event: Event) -> Bool { false }
        }
        let delegate = Delegate(log)
        let tap = attach(TapGestureRecognizer())
        tap.numberOfTouchesRequired = 2
        tap.delegate = delegate
        _ = attach(Refusing())
        func tapOfTwo() {
            let (first, second) = (stage.finger(), stage.finger())
            stage.send(first.landing(at: 100, 100), second.landing(at: 200, 100))
            stage.send(first.lifting(at: 100, 100), second.lifting(at: 200, 100))
        }

        tapOfTwo()
        #expect(log.lines == ["event 2", "touch", "touch", "ended"])
        log.clear()
        delegate.answer = false
        tapOfTwo()

        #expect(log.lines == ["event 2"])
    }
}
