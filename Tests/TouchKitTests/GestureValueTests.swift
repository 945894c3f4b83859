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
