import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("Accommodations for hands that tremble, are slow or weak")
struct AccommodationsTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    init() {
        for phase in [Touch.Phase.began, .moved, .ended, .cancelled] {
            stage.window.addHandler(for: phase) { [log, stage] touch, _ in
                let place = touch.location(in: nil)
                let hundredths = Int((stage.time.seconds * 100).rounded())
                log.add("\(phase) at \(Int(place.x)) \(Int(place.y)) after \(hundredths)")
            }
        }
    }

    /// Uses settings from now on; times in the log are then hundredths of a second after 1 s.
    private func use(_ settings: Accommodations.Settings) {
        stage.application.inputFilters = [Accommodations(settings, application: stage.application)]
    }

    @Test("hold: a contact counts when it has rested that long, and nothing of a shorter one arrives")
    func hold() {
        use(.init(hold: 0.3))
        let finger = stage.finger(at: 100, 100)
        stage.advanceTime(by: 0.28)
        finger.lifts()
        #expect(log.lines.isEmpty)

        finger.lands(at: 100, 100)
        stage.advanceTime(by: 0.3)
        finger.moves(to: 110, 100)
        finger.lifts()
        #expect(
            log.lines == ["began at 100 100 after 161", "moved at 110 100 after 162", "ended at 110 100 after 163"])
    }

    @Test("hold with steady: a hand that slides over keys begins where it is then")
    func slidingHand() {
        use(.init(hold: 0.3, steady: 40))
        let finger = stage.finger(at: 100, 100)
        finger.moves(to: 500, 100, over: 0.2)
        stage.advanceTime(by: 0.1)
        finger.moves(to: 530, 100)
        finger.lifts()
        #expect(log.lines == ["began at 500 100 after 131", "ended at 500 100 after 133"])
    }

    @Test("ignore-repeat: no contact of the panel counts so soon after the end of one that counted")
    func ignoreRepeat() {
        use(.init(ignoreRepeat: 0.5))
        let finger = stage.finger()
        finger.taps(at: 100, 100)
        stage.advanceTime(by: 0.4)
        finger.taps(at: 200, 100)
        stage.advanceTime(by: 0.2)
        finger.taps(at: 300, 100)

        #expect(log.lines.map { $0.split(separator: " ")[2] } == ["100", "100", "300", "300"])
    }

    @Test("ignore-repeat: a second finger beside the first counts")
    func secondFinger() {
        use(.init(ignoreRepeat: 0.5))
        stage.window.isMultipleTouchEnabled = true
        stage.finger(at: 100, 100)
        stage.finger(at: 200, 100)

        #expect(log.lines.count == 2)
    }

    @Test("steady: a smaller movement is none, and the lift is where the finger landed")
    func steady() {
        use(.init(steady: 40))
        let finger = stage.finger(at: 100, 100)
        finger.moves(to: 130, 100)
        finger.lifts()
        #expect(log.lines == ["began at 100 100 after 101", "ended at 100 100 after 103"])
    }

    @Test("steady: a larger movement passes on, also when it comes back")
    func drag() {
        use(.init(steady: 40))
        let finger = stage.finger(at: 100, 100)
        for x in [130.0, 150, 110] { finger.moves(to: x, 100) }
        finger.lifts()
        #expect(
            log.lines == [
                "began at 100 100 after 101", "moved at 150 100 after 103", "moved at 110 100 after 104",
                "ended at 110 100 after 105",
            ])
    }

    @Test("switched on and off in the middle of touches, every touch that began ends once", arguments: 1...200)
    func switching(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let fingers = [stage.finger(), stage.finger(), stage.finger()]
        stage.window.isMultipleTouchEnabled = true
        var down: Set<Int> = []
        for _ in 0..<60 {
            let index = Int.random(in: 0..<3, using: &random)
            let point = CGPoint(x: .random(in: 0..<1000, using: &random), y: .random(in: 0..<1000, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: stage.advanceTime(by: .random(in: 0..<0.4, using: &random))
            case 1: use(.init(hold: Bool.random(using: &random) ? 0.2 : 0, ignoreRepeat: 0.1, steady: 60))
            case 2: stage.application.inputFilters = []
            case 3 where Bool.random(using: &random) && !down.isEmpty: stage.application.cancelAllTouches()
            default:
                if down.contains(index) {
                    if Bool.random(using: &random) {
                        fingers[index].moves(to: point)
                    } else {
                        fingers[index].lifts()
                        down.remove(index)
                    }
                } else {
                    fingers[index].lands(at: point)
                    down.insert(index)
                }
            }
        }
        for index in down { fingers[index].lifts() }
        stage.advanceTime(by: 1)

        let phases = log.lines.map { $0.prefix(while: { $0 != " " }) }
        #expect(phases.count { $0 == "began" } == phases.count { $0 == "ended" || $0 == "cancelled" })
        #expect(stage.application.touches.active.isEmpty)
    }
}
