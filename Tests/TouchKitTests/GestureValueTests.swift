import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B10, B28 what a pan, a press and taps give")
struct GestureValueTests {
    private let stage = Stage(size: CGSize(width: 400, height: 400))

    @Test("a pan's translation counts from where the finger landed, also in shouldBegin")
    func translation() {
        let answers = Answers()
        var seen: [CGPoint] = []
        let pan = PanGestureRecognizer { seen.append(($0 as? PanGestureRecognizer)?.translation(in: nil) ?? .zero) }
        answers.shouldBegin = { recognizer in
            seen.append((recognizer as? PanGestureRecognizer)?.translation(in: nil) ?? .zero)
            return true
        }
        pan.delegate = answers
        stage.window.addGestureRecognizer(pan)
        let finger = stage.finger(at: 50, 50)
        finger.moves(to: 70, 50)
        finger.moves(to: 75, 55)
        pan.setTranslation(.zero, in: nil)
        finger.moves(to: 76, 57)
        let rounded = seen.map { CGPoint(x: $0.x.rounded(), y: $0.y.rounded()) }
        #expect(rounded == [CGPoint(x: 20, y: 0), CGPoint(x: 20, y: 0), CGPoint(x: 25, y: 5), CGPoint(x: 1, y: 2)])
    }

    @Test("a pinch's scale and a rotation's angle count from where the fingers landed, also in shouldBegin")
    func scaleAndAngle() {
        let answers = Answers()
        var seen: [String] = []
        func see(_ recognizer: GestureRecognizer) {
            if let pinch = recognizer as? PinchGestureRecognizer { seen.append("scale \(pinch.scale)") }
            if let rotation = recognizer as? RotationGestureRecognizer {
                seen.append("angle \((rotation.rotation * 180 / .pi).rounded())")
            }
        }
        answers.shouldBegin = {
            see($0)
            return true
        }
        answers.simultaneously = { _, _ in true }
        for recognizer in [PinchGestureRecognizer { see($0) }, RotationGestureRecognizer { see($0) }] {
            recognizer.delegate = answers
            stage.window.addGestureRecognizer(recognizer)
        }
        let (_, second) = stage.fingers(at: (100, 100), (200, 100))
        second.moves(to: 100, 250)
        #expect(seen == ["scale 1.5", "angle 90.0", "scale 1.5", "angle 90.0"])
    }

    @Test("a pinch continues without a jump if one finger lifts and another lands in one report")
    func exchangedFinger() {
        let pinch = PinchGestureRecognizer { _ in }
        stage.window.addGestureRecognizer(pinch)
        let third = stage.finger()
        let (first, second) = stage.fingers(at: (100, 100), (200, 100))
        second.moves(to: 300, 100)
        stage.send(second.lifting(), third.landing(at: 150, 100))
        #expect(pinch.scale == 2 && pinch.state == .began)
        third.moves(to: 200, 100)
        #expect(pinch.scale == 4)
        stage.send(first.lifting(), third.lifting())
        #expect(pinch.state == .possible)
    }

    @Test("a pan has no touches when its last finger lifts, and the others when one of them lifts")
    func touchesOfPan() {
        var counts: [Int] = []
        stage.window.addGestureRecognizer(PanGestureRecognizer { counts.append($0.numberOfTouches) })
        let (first, second) = stage.fingers(at: (100, 100), (200, 100))
        stage.send(first.moving(to: 100, 150), second.moving(to: 200, 150))
        stage.send(first.moving(to: 100, 160), second.lifting(at: 200, 150))
        first.lifts()
        #expect(counts == [2, 1, 0])
    }

    @Test("setTranslation holds in a rotated and scaled view's coordinates", arguments: [30.0, 90, 200])
    func rotated(_ degrees: Double) {
        let view = View(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
        view.transform = CGAffineTransform(rotationAngle: degrees * .pi / 180).scaledBy(x: 2, y: 0.5)
        stage.window.addSubview(view)
        let pan = PanGestureRecognizer { _ in }
        stage.window.addGestureRecognizer(pan)
        let finger = stage.finger(at: 200, 200)
        finger.moves(to: 230, 210)
        pan.setTranslation(CGPoint(x: 3, y: -4), in: view)
        let translation = pan.translation(in: view)
        #expect(abs(translation.x - 3) < 1e-9 && abs(translation.y + 4) < 1e-9)
    }

    @Test("a long press without a duration begins with its touch; one of infinite duration never")
    func durations() {
        let log = CallLog()
        for duration in [0, .infinity, 1e10] {
            let press = LongPressGestureRecognizer { log.add("\(duration) \($0.state)") }
            press.minimumPressDuration = duration
            press.delegate = nil
            stage.window.addGestureRecognizer(press)
        }
        let finger = stage.finger(at: 50, 50)
        #expect(log.lines == ["0.0 began"])
        stage.advanceTime(by: 100)
        finger.lifts()
        #expect(log.lines == ["0.0 began", "0.0 ended"])
    }

    @Test("a tap of two fingers that lift one after the other has two touches")
    func twoFingers() {
        var count = 0
        let tap = TapGestureRecognizer { count = $0.numberOfTouches }
        tap.numberOfTouchesRequired = 2
        stage.window.isMultipleTouchEnabled = true
        stage.window.addGestureRecognizer(tap)
        let (first, second) = (stage.finger(at: 50, 50), stage.finger(at: 80, 50))
        first.lifts()
        stage.advanceTime(by: 0.04)
        second.lifts()
        #expect(count == 2)
    }

    @Test("a finger that rests does not make a recognizer keep every later touch")
    func restingFinger() {
        let pan = PanGestureRecognizer { _ in }
        pan.minimumNumberOfTouches = 3
        stage.window.addGestureRecognizer(pan)
        _ = stage.finger(at: 50, 50)
        for _ in 0..<200 { stage.taps(at: 300, 300) }
        #expect(pan.sequenceTouches.count < 40)
    }
}
