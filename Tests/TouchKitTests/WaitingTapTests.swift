import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B7, B21 taps that wait for a double tap")
struct WaitingTapTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()
    private let view: View

    init() {
        view = View(frame: stage.screen.bounds)
        stage.window.addSubview(view)
        let gestures = [("single", Gesture.tap), ("double", .doubleTap)].map { name, gesture in
            let recognizer = gesture.makeRecognizer()
            recognizer.addHandler { [log] in log.add("\(name) at \(Int($0.location(in: nil).x))") }
            return recognizer
        }
        gestures[0].require(toFail: gestures[1])
        view.gestureRecognizers = gestures
    }

    @Test(
        "a tap that waits for a second one",
        arguments: [
            (
                "taps far apart are single taps, each",
                [20, 80, 140].flatMap { [.lands($0, 100), .lifts(), .waits(0.1)] } + [.waits(1)],
                ["single at 20", "single at 80", "single at 140"]
            ),
            (
                "two taps in one place are a double tap alone",
                [.lands(100, 100), .lifts(), .lands(102, 100), .lifts(), .waits(1)], ["double at 100"]
            ),
            (
                "a tap before a drag is a single tap as soon as the finger moves",
                [.lands(100, 100), .lifts(), .lands(100, 100), .moves(300, 100)], ["single at 100"]
            ),
            (
                "the drag after it is no tap",
                [.lands(100, 100), .lifts(), .lands(100, 100), .moves(300, 100), .lifts(), .waits(1)],
                ["single at 100"]
            ),
            (
                "a tap before a finger that stays is a single tap",
                [.lands(100, 100), .lifts(), .lands(100, 100), .waits(1), .lifts(), .waits(1)], ["single at 100"]
            ),
        ] as [(String, [Act], [String])])
    func waiting(rule: String, acts: [Act], actions: [String]) {
        stage.play(acts)
        #expect(log.lines == actions, "\(rule)")
    }

    @Test(
        "nothing acts later if the view is removed, its window hidden, events are ignored or touches cancelled",
        arguments: 0..<4)
    func takenAway(_ way: Int) {
        stage.taps(at: 100, 100)
        switch way {
        case 0: view.removeFromSuperview()
        case 1: stage.window.isHidden = true
        case 2: stage.application.beginIgnoringInteractionEvents()
        default: stage.application.cancelAllTouches()
        }
        stage.advanceTime(by: 1)
        #expect(log.lines.isEmpty)
    }

    @Test("a tap whose panel is unplugged was completed")
    func unplugged() {
        stage.taps(at: 100, 100)
        stage.unplug(.touchscreen)
        stage.advanceTime(by: 1)
        #expect(log.lines == ["single at 100"])
    }

    @Test("B22 a circle of requirements is broken, and reported once")
    func circle() {
        let names = ["a", "b", "c"]
        let taps = names.map { name in TapGestureRecognizer(name: nil) { [log] _ in log.add(name) } }
        for (index, tap) in taps.enumerated() {
            tap.name = names[index]
            tap.require(toFail: taps[(index + 1) % 3])
        }
        view.gestureRecognizers = taps
        var reports: [String] = []
        stage.application.didReport = { if case .failureCircle = $0 { reports.append("\($0)") } }
        for _ in 0..<2 {
            stage.taps(at: 100, 100)
            stage.advanceTime(by: 1)
        }
        #expect(log.lines.count == 2)
        #expect(reports.count == 1 && names.allSatisfy { reports[0].contains("'\($0)'") })
    }
}
