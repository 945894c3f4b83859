import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B10 swipe, pinch, rotation, edge pan, sequence and chord")
struct SwipePinchRotationTests: LoggingSuite {
    let stage = Stage(size: CGSize(width: 2048, height: 1024))
    let log = CallLog()

    @Test(
        "B10 each finger of a swipe moves 50 points within 0.5 s, at most 50 to the side",
        arguments: [
            (50.0, 0.0, 0.1, true), (49.999, 0, 0.1, false), (50, 50, 0.1, true), (60, 50.001, 0.1, false),
            (50, 0, 0.499999, true), (50, 0, 0.5, false), (-60, 0, 0.1, false), (0, 60, 0.1, false),
        ], [1, 2])
    func swipe(_ row: (x: Double, y: Double, seconds: Double, isRecognized: Bool), fingers: Int) {
        attach(Gesture.swipe(touches: fingers).makeRecognizer())
        // The other finger of two moves far enough.
        let landings: [Act] = [.lands(500, 500), .lands(500, 300, finger: 2)]
        let moves: [Act] = [.moves(500 + row.x, 500 + row.y), .moves(600, 300, finger: 2)]
        stage.play([
            .together(Array(landings.prefix(fingers))), .isBusy(row.seconds - 0.01),
            .together(Array(moves.prefix(fingers))),
        ])

        #expect(log.lines == (row.isRecognized ? ["ended"] : []))
    }

    @Test("B10 a swipe recognizes each of its directions, and no other")
    func directions() {
        attach(Gesture.swipe([.left, .up]).makeRecognizer())

        for (x, y, count) in [(440.0, 500.0, 1), (560, 500, 1), (500, 440, 2), (500, 560, 2)] {
            stage.play([.lands(500, 500), .moves(x, y), .lifts()])
            #expect(log.lines == Array(repeating: "ended", count: count), "to (\(x), \(y))")
        }
    }

    private nonisolated static let two: Act = .together([.lands(500, 500), .lands(600, 500, finger: 2)])
    private nonisolated static let bothLift: Act = .together([.lifts(), .lifts(finger: 2)])

    /// The second finger goes to an angle around the first.
    private nonisolated static func turns(_ degrees: Double) -> Act {
        let angle = degrees * .pi / 180
        return .moves(500 + 100 * cos(angle), 500 + 100 * sin(angle), finger: 2)
    }

    @Test(
        "B10 a pinch, a rotation, an edge pan or a chord",
        arguments: [
            GestureRule(
                "a pinch begins at 8 points outwards", .pinch, [two, .moves(608, 500, finger: 2)], "began 2: 1.08"),
            .init("a pinch begins at 8 points inwards", .pinch, [two, .moves(592, 500, finger: 2)], "began 2: 0.92"),
            .init(
                "it is 8 points at each distance", .pinch,
                [.together([.lands(500, 500), .lands(532, 500, finger: 2)]), .moves(540, 500, finger: 2)],
                "began 2: 1.25"),
            .init(
                "it is not less at a small distance", .pinch,
                [.together([.lands(500, 500), .lands(532, 500, finger: 2)]), .moves(539.999, 500, finger: 2)]),
            .init("a pinch does not begin earlier outwards", .pinch, [two, .moves(607.999, 500, finger: 2)]),
            .init("a pinch does not begin earlier inwards", .pinch, [two, .moves(592.001, 500, finger: 2)]),
            .init(
                "a third finger is not part of a pinch, and does not reset its movement", .pinch,
                [
                    two, .together([.moves(700, 500, finger: 2), .lands(900, 900, finger: 3)]),
                    .moves(100, 900, finger: 3), .lifts(finger: 3),
                ],
                "began 2: 2"),
            .init(
                "a pinch continues with a new second finger, and ends when both lift", .pinch,
                [
                    two, .moves(700, 500, finger: 2), .moves(900, 500, finger: 2), .lifts(finger: 2),
                    .moves(550, 500), .lands(650, 500, finger: 2), .moves(600, 500, finger: 2), bothLift,
                ],
                "began 2: 2", "changed 2: 4", "changed 2: 2", "ended 2: 2"),
            .init(
                "a pinch continues without a jump if one finger lifts and another lands in one report", .pinch,
                [
                    two, .moves(700, 500, finger: 2), .together([.lifts(finger: 2), .lands(550, 500, finger: 3)]),
                    .moves(600, 500, finger: 3), .together([.lifts(), .lifts(finger: 3)]),
                ],
                "began 2: 2", "changed 2: 4", "ended 2: 4"),

            .init("a rotation begins at 0.1 radians", .rotation, [two, turns(5.73)], "began 2: 0.100007"),
            .init("a rotation begins in both directions", .rotation, [two, turns(-5.73)], "began 2: -0.100007"),
            .init("a rotation does not begin earlier", .rotation, [two, turns(5.72)]),
            .init("a rotation does not begin earlier in the other direction", .rotation, [two, turns(-5.72)]),
            .init(
                "a rotation past 180 degrees continues", .rotation, [two, turns(170), turns(190)],
                "began 2: 2.96706", "changed 2: 3.31613"),
            .init(
                "a rotation past -180 degrees continues", .rotation, [two, turns(-170), turns(-190)],
                "began 2: -2.96706", "changed 2: -3.31613"),
            .init(
                "a rotation continues with a new second finger, and ends when both lift", .rotation,
                [
                    two, .moves(600, 600, finger: 2), .moves(500, 600, finger: 2), .lifts(finger: 2),
                    .moves(300, 500), .lands(400, 500, finger: 2), .moves(300, 600, finger: 2), bothLift,
                ],
                "began 2: 0.785398", "changed 2: 1.5708", "changed 2: 3.14159", "ended 2: 3.14159"),

            .init(
                "an edge pan ignores every touch beyond the first", .edgePan(.left),
                [
                    .lands(5, 500), .lands(500, 500, finger: 2), .moves(900, 500, finger: 2), .moves(25, 500), .lifts(),
                ],
                "began 1: 20 0", "ended 0: 20 0"),

            .init(
                "a chord is held for its time after its last finger, and each finger moves at most 20 points",
                .chord(touches: 2, duration: 2),
                [.lands(100, 100), .waits(1), .lands(200, 100, finger: 2), .moves(200, 120, finger: 2), .waits(1.99)],
                "ended 2: 150 110"),
            .init(
                "a chord is not held long enough", .chord(touches: 2, duration: 2),
                [.lands(100, 100), .waits(1), .lands(200, 100, finger: 2), .waits(1.98), bothLift, .waits(5)]),
            .init(
                "a chord's finger moves too far", .chord(touches: 2, duration: 2),
                [two, .moves(600, 520.001, finger: 2), .waits(5)]),
            .init(
                "a chord has a finger too many", .chord(touches: 2, duration: 2),
                [two, .lands(700, 500, finger: 3), .waits(5)]),
        ])
    func rule(_ rule: GestureRule) { #expect(rule.played(on: stage) == rule.actions, "\(rule.testDescription)") }

    @Test(
        "B10 an edge pan begins within 13 points of its edge and moves 10 inwards",
        arguments: [
            (.left, 13.0, 500.0, 10.0, 0.0, true), (.left, 13.001, 500, 10, 0, false),
            (.right, 2035, 500, -10, 0, true), (.right, 2034.999, 500, -10, 0, false),
            (.top, 500, 13, 0, 10, true), (.top, 500, 13.001, 0, 10, false),
            (.bottom, 500, 1011, 0, -10, true), (.bottom, 500, 1010.999, 0, -10, false),
            (.left, 5, 500, 9.999, 0, false), (.left, 5, 500, -5, 0, false),
            (.left, 5, 500, 20, 19.999, true), (.left, 5, 500, 20, 20, false),
            (.top, 500, 5, -19.999, 20, true), (.top, 500, 5, -20, 20, false),
            (.right, 5, 500, 10, 0, false), ([], 0, 500, 50, 0, false),
        ] as [(RectEdge, Double, Double, Double, Double, Bool)])
    func edgePan(edge: RectEdge, x: Double, y: Double, byX: Double, byY: Double, begins: Bool) {
        attach(Gesture.edgePan(edge).makeRecognizer())
        stage.play([.lands(x, y), .moves(x + byX, y + byY)])

        #expect(log.lines == (begins ? ["began"] : []))
    }

    @Test(
        "an edge pan may have another margin and another movement",
        arguments: [(30.0, 5.0, true), (30.001, 5, false), (30, 4.999, false)])
    func edgePanWithin30(x: Double, by: Double, begins: Bool) {
        let pan = ScreenEdgePanGestureRecognizer()
        (pan.edges, pan.edgeMargin, pan.minimumMovement) = (.left, 30, 5)
        attach(pan)
        stage.play([.lands(x, 500), .moves(x + by, 500)])

        #expect(log.lines == (begins ? ["began"] : []))
    }

    @Test("B10 a hover begins over the view and ends on leave or device removal")
    func hover() {
        let outer = View(frame: CGRect(x: 912, y: 400, width: 300, height: 300))
        let inner = View(frame: CGRect(x: 100, y: 0, width: 200, height: 300))
        outer.addSubview(inner)
        stage.window.addSubview(outer)
        for (name, view) in [("outer", outer), ("inner", inner)] {
            view.addGestureRecognizer(
                HoverGestureRecognizer { [log] in log.add("\(name) \($0.state) \($0.location(in: outer).x)") })
        }

        stage.mouse.moves(by: 1, 0)
        stage.mouse.moves(by: -100, 0)
        stage.mouse.moves(by: 0, 10)
        stage.unplug(.mouse)

        #expect(
            log.lines == [
                "inner began 113.0", "outer began 113.0", "inner ended 13.0", "outer changed 13.0",
                "outer changed 13.0", "outer ended 13.0",
            ])
    }

    /// Adds a recognizer of taps on the left, on the right and on the left within 3 s.
    private func attachSequence() {
        let places = [0.0, 900, 0].map { CGRect(x: $0, y: 0, width: 100, height: 100) }
        attach(SequenceGestureRecognizer(places: places, within: 3))
    }

    @Test("A sequence leaves the touches to their views")
    func sequenceAndView() {
        attachSequence()
        show("view")

        for x in [50.0, 950, 50] { stage.taps(at: x, 50) }

        #expect(
            log.lines == [
                "view.began 1", "view.ended 1", "view.began 1", "view.ended 1", "view.began 1", "ended", "view.ended 1",
            ])
    }

    @Test(
        "A sequence accepts taps in order, on their places, from the first down to the last up in its time",
        arguments: [
            ([50.0, 950, 50], 0.1, true), ([50, 950, 950], 0.1, false), ([99.999, 950, 50], 0.1, true),
            ([100, 950, 50], 0.1, false), ([50, 950, 50], 1.474999, true), ([50, 950, 50], 1.475001, false),
        ])
    func sequence(places: [Double], pause: TimeInterval, isRecognized: Bool) {
        attachSequence()

        stage.play(places.flatMap { [.lands($0, 50), .lifts(), .isBusy(pause)] as [Act] } + [.waits(5)])
        #expect(log.lines == (isRecognized ? ["ended"] : []))
        log.clear()
        stage.play([50, 950, 50].flatMap { [.lands($0, 50), .lifts()] as [Act] })

        #expect(log.lines == ["ended"], "it can be recognized again")
    }
}
