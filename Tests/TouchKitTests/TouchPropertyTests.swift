import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B touch properties")
struct TouchPropertyTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    /// The tap counts of the touches that began, in order.
    private func countTaps() -> Box<[Int]> {
        let counts = Box<[Int]>([])
        stage.window.addHandler(for: .began) { touch, _ in counts.value.append(touch.tapCount) }
        return counts
    }

    @Test("B4 tapCount increases for taps at most 0.35 s and 45 points apart")
    func tapCount() {
        let counts = countTaps()

        stage.taps(at: 100, 100)
        stage.time.microseconds += 340_000
        stage.taps(at: 145, 100)
        stage.taps(at: 145, 100)
        stage.time.microseconds += 340_001
        stage.taps(at: 145, 100)
        stage.taps(at: 145, 145.001)

        #expect(counts.value == [1, 2, 3, 1, 1])
    }

    @Test("B4 tapCount increases only with the same number of fingers")
    func tapCountOfTwoFingers() {
        let counts = countTaps()
        func tapWithTwo() {
            let (first, second) = stage.fingers(at: (100, 100), (200, 100))
            stage.send(first.lifting(), second.lifting())
        }

        for _ in 1...2 { tapWithTwo() }
        stage.taps(at: 100, 100)
        tapWithTwo()

        #expect(counts.value == [1, 1, 2, 2, 1, 1, 1])
    }

    @Test("B4 the second finger of a two-finger tap raises the first's count")
    func tapCountOfTwoFingersApart() {
        let counts = countTaps()
        var last: [Int: Int] = [:]
        stage.window.addHandler(for: .ended) { touch, _ in last[touch.id] = touch.tapCount }
        for _ in 1...2 {
            let (first, second) = (stage.finger(at: 100, 100), stage.finger(at: 200, 100))
            first.lifts()
            second.lifts()
        }

        #expect(counts.value == [1, 1, 1, 2])
        #expect(last == [1: 1, 2: 1, 3: 2, 4: 2])
    }

    @Test("B4 a touch that moved too far or was cancelled is not a tap")
    func noTap() {
        let counts = countTaps()

        stage.finger(at: 100, 100).lifts(at: 100, 146)
        // Near the place where the dragged finger came down.
        stage.finger(at: 100, 100).becomesPalm()
        stage.taps(at: 100, 100)
        // The cancelled touch is over: the next tap follows one tap.
        stage.taps(at: 100, 100)

        #expect(counts.value == [1, 1, 1, 2])
    }

    @Test("B4 two fingers are not a tap if one of them is cancelled")
    func noTapOfTwoFingers() {
        let counts = countTaps()
        let (lifted, cancelled) = stage.fingers(at: (100, 100), (200, 100))
        // Before the lift, which starts the pause between taps.
        cancelled.becomesPalm()
        lifted.lifts()
        _ = stage.fingers(at: (100, 100), (200, 100))

        #expect(counts.value == [1, 1, 1, 1])
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
