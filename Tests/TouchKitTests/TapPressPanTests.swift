import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B10 tap, long press and pan")
struct TapPressPanTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    private nonisolated static func taps(_ places: [Double], pause: TimeInterval) -> [Act] {
        places.flatMap { [.lands($0, 100), .lifts(), .isBusy(pause - 0.01)] }
    }

    private nonisolated static let two: Act = .together([.lands(100, 100), .lands(200, 100, finger: 2)])

    private nonisolated static func bothMove(down y: Double) -> Act {
        .together([.moves(100, y), .moves(200, y, finger: 2)])
    }

    @Test(
        "B10 a tap, a long press or a pan",
        arguments: [
            GestureRule(
                "a tap may last 0.75 s and move 45 points", .tap(),
                [.lands(100, 100), .moves(145, 100), .isBusy(0.729999), .lifts()], "ended 1: 145 100"),
            .init("a tap may not last longer", .tap(), [.lands(100, 100), .isBusy(0.740001), .lifts()]),
            .init("a tap may not move further", .tap(), [.lands(100, 100), .moves(145.001, 100), .lifts()]),
            .init(
                "nor come back from there", .tap(),
                [.lands(100, 100), .moves(145.001, 100), .moves(100, 100), .lifts()]),
            .init(
                "fingers of a two-finger tap may land and lift one after the other", .tap(touches: 2),
                [.lands(100, 100), .lands(200, 100, finger: 2), .lifts(), .waits(0.04), .lifts(finger: 2)],
                "ended 2: 150 100"),
            .init(
                "two taps are not a two-finger tap", .tap(touches: 2),
                [.lands(100, 100), .lifts(), .lands(200, 100), .lifts()]),
            .init(
                "three fingers are not a two-finger tap", .tap(touches: 2),
                [
                    .lands(100, 100), .lands(100, 100, finger: 2), .lands(100, 100, finger: 3), .lifts(),
                    .lifts(finger: 2), .lifts(finger: 3),
                ]),
            .init(
                "taps of a triple tap are at most 0.35 s and 45 points apart", .tap(taps: 3),
                taps([100, 100, 145], pause: 0.349999), "ended 1: 100 100"),
            .init("a longer pause ends a triple tap", .tap(taps: 3), taps([100, 100, 100], pause: 0.350001)),
            .init("a tap further away ends a triple tap", .tap(taps: 3), taps([100, 100, 145.001], pause: 0.1)),

            .init("a press begins after 0.5 s", .press(), [.lands(100, 100), .waits(0.5)], "began 1: 100 100"),
            .init("a press does not begin earlier", .press(), [.lands(100, 100), .waits(0.499999)]),
            .init(
                "a press changes with its finger and ends when that lifts", .press(),
                [.lands(100, 100), .waits(1), .moves(300, 100), .lifts()],
                "began 1: 100 100", "changed 1: 300 100", "ended 1: 300 100"),
            .init("a press fails on an early lift", .press(), [.lands(100, 100), .lifts(), .waits(1)]),
            .init(
                "a press may move 10 points, and is cancelled with its touch", .press(),
                [.lands(100, 100), .moves(110, 100), .waits(1), .cancelsAll],
                "began 1: 110 100", "cancelled 1: 110 100"),
            .init("a press may not move further", .press(), [.lands(100, 100), .moves(110.001, 100), .waits(1)]),
            .init(
                "a press continues when a finger lifts that came later", .press(),
                [.lands(100, 100), .waits(1), .lands(300, 300, finger: 2), .lifts(finger: 2)], "began 1: 100 100"),
            .init(
                "a press begins before a late frame, because timers follow the frames", .press(),
                [.lands(100, 100), .isBusy(10), .lifts()], "began 1: 100 100", "ended 1: 100 100"),
            .init(
                "a press after a tap needs the tap", .press(taps: 1),
                [.lands(100, 100), .waits(1), .cancelsAll, .waits(1)]),
            .init(
                "a press after a tap begins", .press(taps: 1),
                [.lands(100, 100), .lifts(), .lands(100, 100), .waits(1)], "began 1: 100 100"),
            .init(
                "a two-finger press counts from its second finger", .press(touches: 2),
                [
                    .lands(100, 100), .waits(0.4), .lands(200, 100, finger: 2), .waits(0.4),
                    .moves(210, 100, finger: 2), .waits(0.09), .together([.lifts(), .lifts(finger: 2)]),
                ],
                "began 2: 155 100", "ended 2: 155 100"),
            .init(
                "a two-finger press does not begin earlier", .press(touches: 2),
                [.lands(100, 100), .waits(0.4), .lands(200, 100, finger: 2), .waits(0.499999)]),
            .init(
                "neither finger of a two-finger press may move further", .press(touches: 2),
                [two, .moves(210.001, 100, finger: 2), .waits(1)]),

            .init(
                "a pan begins after 10 points, counts from where it landed, and has no touches at its end", .pan(),
                [.lands(100, 100), .moves(110, 100), .moves(130, 140), .lifts()],
                "began 1: 10 0", "changed 1: 30 40", "ended 0: 30 40"),
            .init("a pan does not begin earlier", .pan(), [.lands(100, 100), .moves(109.999, 100)]),
            .init(
                "a pan begins when the center of its fingers has moved 10 points", .pan(),
                [two, .moves(100, 120)], "began 2: 0 10"),
            .init("a pan of two does not begin earlier", .pan(), [two, .moves(100, 119.998)]),
            .init(
                "a pan has the touches that are left when one lifts", .pan(),
                [two, bothMove(down: 150), .together([.moves(100, 160), .lifts(finger: 2)]), .lifts()],
                "began 2: 0 50", "changed 1: 0 55", "ended 0: 0 55"),
            .init(
                "a pan of two does not jump when one of three fingers lifts", .pan(2...9),
                [
                    two, bothMove(down: 120), .lands(900, 900, finger: 3),
                    .together([.moves(100, 150), .moves(200, 150, finger: 2), .moves(900, 930, finger: 3)]),
                    .lifts(finger: 3), .lifts(), .lifts(finger: 2),
                ],
                "began 2: 0 20", "changed 3: 0 50", "ended 0: 0 50"),
            .init(
                "a pan of two changes while two are down, and ends when the last lifts", .pan(2...9),
                [
                    two, bothMove(down: 120), .lifts(finger: 2), .moves(100, 300), .lands(200, 300, finger: 2),
                    bothMove(down: 310), .lifts(finger: 2), .lifts(),
                ],
                "began 2: 0 20", "changed 2: 0 30", "ended 0: 0 30"),
            .init("a pan with too many fingers fails", .pan(1...1), [two, bothMove(down: 200)]),
            .init(
                "a later finger too many is ignored", .pan(1...1),
                [.lands(100, 100), .moves(100, 120), .lands(900, 900, finger: 2), .moves(100, 900, finger: 2)],
                "began 1: 0 20"),
        ])
    func rule(_ rule: GestureRule) { #expect(rule.played(on: stage) == rule.actions, "\(rule.testDescription)") }

    @Test("B10 a tap subclass that ignores a touch counts only the next one")
    func tapThatIgnores() {
        let tap = LoggingTap("tap", log: log)
        stage.window.addGestureRecognizer(tap)
        tap.afterBegan = { [unowned tap] touches, event in for touch in touches { tap.ignore(touch, for: event) } }
        stage.taps(at: 100, 100)
        #expect(!log.lines.contains("tap.action"))
        tap.afterBegan = nil
        stage.advanceTime(by: 1)

        stage.taps(at: 100, 100)

        #expect(log.lines.contains("tap.action"))
    }

    @Test("B10 the location of a double tap is the center of its first tap's fingers, that of a swipe its start")
    func locations() {
        for (gesture, way) in [(Gesture.tap(taps: 2, touches: 2), 0.0), (.swipe(touches: 2), 60)] {
            let recognizer = attach(gesture.makeRecognizer())
            var locations: [CGPoint] = []
            recognizer.addHandler { recognizer in
                locations = [recognizer.location(in: nil), recognizer.location(in: recognizer.view)]
                locations += (0..<2).map { recognizer.location(ofTouch: $0, in: nil) }
            }
            for x in [100.0, 120] {
                let (first, second) = stage.fingers(at: (x, 100), (x + 100, 100))
                stage.send(first.moving(to: x + way, 100), second.moving(to: x + way + 100, 100))
                stage.send(first.lifting(), second.lifting())
                if way > 0 { break }
            }
            #expect(locations.map(\.x) == [150, 150, 100, 200] && locations.allSatisfy { $0.y == 100 }, "\(gesture)")
            stage.window.removeGestureRecognizer(recognizer)
        }
    }

    @Test("B10 a long press without a duration begins with its touch; one of infinite duration never")
    func durations() {
        for duration in [0, .infinity, 1e10] {
            let press = LongPressGestureRecognizer { [log] in log.add("\(duration) \($0.state)") }
            press.minimumPressDuration = duration
            stage.window.addGestureRecognizer(press)
        }
        stage.play([.lands(50, 50), .waits(100), .lifts()])
        #expect(log.lines == ["0.0 began", "0.0 ended"])
    }

    @Test("B10 a finger that rests does not make a recognizer keep every later touch")
    func restingFinger() {
        let pan = PanGestureRecognizer()
        pan.minimumNumberOfTouches = 3
        stage.window.addGestureRecognizer(pan)
        stage.finger(at: 50, 50)
        for _ in 0..<200 { stage.taps(at: 300, 300) }
        #expect(pan.sequenceTouches.count < 40)
    }

    @Test("B10 translation, scale and angle count from where the fingers landed, also in shouldBegin")
    func valuesInShouldBegin() {
        let answers = Answers()
        let values: [(GestureRecognizer, (GestureRecognizer) -> CGFloat?)] = [
            (PanGestureRecognizer(), { ($0 as? PanGestureRecognizer)?.translation(in: nil).y }),
            (PinchGestureRecognizer(), { ($0 as? PinchGestureRecognizer)?.scale }),
            (RotationGestureRecognizer(), { ($0 as? RotationGestureRecognizer)?.rotation }),
        ]
        var asked: [CGFloat] = []
        answers.shouldBegin = { recognizer in
            asked += values.compactMap { $0.1(recognizer) }
            return true
        }
        answers.simultaneously = { _, _ in true }
        for (recognizer, _) in values {
            recognizer.delegate = answers
            attach(recognizer)
        }

        stage.play([Self.two, .moves(100, 250, finger: 2)])

        #expect(log.lines == ["began", "began", "began"])
        #expect(asked == [75, 1.5, .pi / 2])
    }

    @Test("taps may have another interval between them", arguments: [(0.599999, true), (0.600001, false)])
    func interval(pause: TimeInterval, isRecognized: Bool) {
        let tap = attach(TapGestureRecognizer())
        (tap.numberOfTapsRequired, tap.maximumIntervalBetweenTaps) = (2, 0.6)
        stage.play(Self.taps([100, 100], pause: pause))

        #expect(log.lines == (isRecognized ? ["ended"] : []))
    }

    @Test("a pan may begin after another movement", arguments: [(30.0, true), (29.999, false)])
    func movement(by distance: Double, begins: Bool) {
        attach(PanGestureRecognizer()).minimumMovement = 30
        stage.play([.lands(100, 100), .moves(100 + distance, 100)])

        #expect(log.lines == (begins ? ["began"] : []))
    }

    @Test(
        "B28 setTranslation holds in a rotated and scaled view's coordinates, and counts on",
        arguments: [30.0, 90, 200])
    func setTranslation(_ degrees: Double) {
        let view = View(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
        view.transform = CGAffineTransform(rotationAngle: degrees * .pi / 180).scaledBy(x: 2, y: 0.5)
        stage.window.addSubview(view)
        let pan = attach(PanGestureRecognizer())
        let finger = stage.finger(at: 200, 200)
        finger.moves(to: 230, 210)
        pan.setTranslation(CGPoint(x: 3, y: -4), in: view)
        let translation = pan.translation(in: view)
        #expect(abs(translation.x - 3) < 1e-9 && abs(translation.y + 4) < 1e-9)

        pan.setTranslation(.zero, in: nil)
        finger.moves(to: 231, 212)
        #expect(pan.translation(in: nil) == CGPoint(x: 1, y: 2))
    }
}
