import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B touch properties")
struct TouchPropertyTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    private nonisolated static func tap(_ x: Double, _ y: Double = 100) -> [Act] { [.lands(x, y), .lifts()] }
    private nonisolated static let two: Act = .together([.lands(100, 100), .lands(200, 100, finger: 2)])
    private nonisolated static let tapOfTwo: [Act] = [two, .together([.lifts(), .lifts(finger: 2)])]
    private nonisolated static let fingersInTurn: [Act] = [
        .lands(100, 100), .lands(200, 100, finger: 2), .lifts(), .lifts(finger: 2),
    ]

    /// A rule, what fingers do, and the tap counts of the touches that begin and that end.
    typealias TapCounts = (rule: String, acts: [[Act]], began: [Int], ended: [Int])

    @Test(
        "B4 tapCount",
        arguments: [
            (
                "it increases for taps at most 0.35 s and 45 points apart",
                [tap(100), [.isBusy(0.34)], tap(145), tap(145), [.isBusy(0.340001)], tap(145), tap(145, 145.001)],
                [1, 2, 3, 1, 1], [1, 2, 3, 1, 1]
            ),
            (
                "it increases only with the same number of fingers", [tapOfTwo, tapOfTwo, tap(100), tapOfTwo],
                [1, 1, 2, 2, 1, 1, 1], [1, 1, 2, 2, 1, 1, 1]
            ),
            (
                "the second finger of a two-finger tap raises the first's count", [fingersInTurn, fingersInTurn],
                [1, 1, 1, 2], [1, 1, 2, 2]
            ),
            (
                // The cancelled touch is over, so the second tap follows one tap.
                "a touch that moved too far or was cancelled is not a tap",
                [
                    [.lands(100, 100), .moves(100, 146), .lifts()], [.lands(100, 100), .becomesPalm()], tap(100),
                    tap(100),
                ],
                [1, 1, 1, 2], [1, 1, 2]
            ),
            (
                // The cancellation is before the lift, which starts the pause between taps.
                "two fingers are not a tap if one of them is cancelled",
                [[two, .becomesPalm(finger: 2), .lifts(), two]], [1, 1, 1, 1], [1]
            ),
        ] as [TapCounts])
    func tapCount(_ row: TapCounts) {
        var (began, ended): ([Int], [Int]) = ([], [])
        stage.window.addHandler(for: .began) { touch, _ in began.append(touch.tapCount) }
        stage.window.addHandler(for: .ended) { touch, _ in ended.append(touch.tapCount) }

        stage.play(row.acts.flatMap(\.self))

        #expect(began == row.began && ended == row.ended, "\(row.rule)")
    }

    @Test("B14 coalesced touches are every device sample since the last delivery")
    func coalesced() throws {
        var seen: [[CGPoint]] = []
        var previous: [[CGPoint]] = []
        var moves = 0
        stage.window.addHandler(for: .moved) { touch, event in
            moves += 1
            let coalesced = event.coalescedTouches(for: touch) ?? []
            seen.append(coalesced.map { $0.location(in: nil) })
            previous.append(coalesced.map { $0.previousLocation(in: nil) })
            #expect(coalesced.last?.location(in: nil) == touch.location(in: nil))
            #expect(coalesced.last?.timestamp == touch.timestamp)
            #expect(!coalesced.contains(touch))
        }
        let finger = stage.finger(at: 0, 0)

        for x in [1.0, 2, 3] { stage.enqueue([finger.moving(to: x, 0)]) }
        stage.application.drainEvents()
        finger.moves(to: 4, 0)

        #expect(moves == 2)
        #expect(seen == [[1, 2, 3].map { CGPoint(x: $0, y: 0) }, [CGPoint(x: 4, y: 0)]])
        #expect(previous == [[0, 1, 2].map { CGPoint(x: $0, y: 0) }, [CGPoint(x: 3, y: 0)]])
    }

    @Test("B14 moves fold, but never over a touch that begins or ends")
    func foldingKeepsOrder() {
        show("view").isMultipleTouchEnabled = true
        let (first, second) = (stage.finger(), stage.finger())

        for contact in [
            first.landing(at: 0, 0), first.moving(to: 1, 0), first.moving(to: 2, 0), second.landing(at: 5, 5),
            first.moving(to: 3, 0), second.moving(to: 6, 5), first.lifting(), second.lifting(),
        ] { stage.enqueue([contact]) }
        stage.application.drainEvents()

        #expect(
            log.lines == [
                "view.began 1", "view.moved 1", "view.began 1", "view.moved 2", "view.ended 1", "view.ended 1",
            ])
    }

    @Test("B14 predicted touches continue the last movement, and are never delivered")
    func predicted() {
        var guesses: [CGPoint] = []
        var delivered: [CGPoint] = []
        stage.window.addHandler(for: .moved) { touch, event in
            delivered.append(touch.location(in: nil))
            guesses = (event.predictedTouches(for: touch) ?? []).map { $0.location(in: nil) }
        }
        let finger = stage.finger(at: 0, 0)
        finger.moves(to: 10, 5)
        finger.moves(to: 20, 10)

        #expect(guesses == [CGPoint(x: 30, y: 15), CGPoint(x: 40, y: 20)])
        #expect(delivered == [CGPoint(x: 10, y: 5), CGPoint(x: 20, y: 10)])
    }

    @Test("B14 a full queue coalesces the moves of each touch and keeps the order")
    func fullQueue() {
        stage.application.queue = EventQueue(capacity: 8)
        for phase in [Touch.Phase.began, .moved, .ended] {
            stage.window.addHandler(for: phase) { touch, _ in
                log.add("\(touch.id) \(phase) \(touch.location(in: nil).x) at \(touch.timestamp)")
            }
        }
        let (first, second) = (stage.finger(), stage.finger())
        let other = DeviceID(rawValue: 9)
        stage.application.setScreen(stage.screen, for: other)

        stage.enqueue([first.landing(at: 0, 0)])
        stage.enqueue([second.landing(at: 500, 0)], device: other)
        for x in 1...50 {
            stage.enqueue([first.moving(to: Double(x), 0)])
            stage.enqueue([second.moving(to: Double(500 + x), 0)], device: other)
        }
        stage.enqueue([second.lifting(at: 550, 0)], device: other)
        for x in 51...100 { stage.enqueue([first.moving(to: Double(x), 0)]) }
        stage.enqueue([first.lifting(at: 100, 0)])

        #expect(stage.application.queuedFrameCount <= 16)
        #expect(stage.application.coalescedMoveCount > 100)
        #expect(stage.application.oldestQueuedTimestamp == 1.01)
        stage.application.drainEvents()
        #expect(
            log.lines == [
                "1 began 0.0 at 1.01", "2 began 500.0 at 1.02", "1 moved 50.0 at 2.01", "2 moved 550.0 at 2.02",
                "2 ended 550.0 at 2.03", "1 moved 100.0 at 2.53", "1 ended 100.0 at 2.54",
            ])
        #expect(stage.application.queuedFrameCount == 0)
    }
}
