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

    @Test("taps far apart are single taps, each")
    func farApart() {
        for x in stride(from: 20, through: 380, by: 60) {
            stage.taps(at: CGFloat(x), 100)
            stage.advanceTime(by: 0.1)
        }
        stage.advanceTime(by: 1)
        #expect(log.lines == stride(from: 20, through: 380, by: 60).map { "single at \($0)" })
    }

    @Test("two taps in one place are a double tap alone")
    func double() {
        stage.taps(at: 100, 100)
        stage.taps(at: 102, 100)
        stage.advanceTime(by: 1)
        #expect(log.lines == ["double at 100"])
    }

    @Test("a tap before a drag, and before a finger that stays, is a single tap", arguments: [true, false])
    func tapThen(_ drags: Bool) {
        stage.taps(at: 100, 100)
        let finger = stage.finger(at: 100, 100)
        if drags { finger.moves(to: 300, 100, over: 0.1) } else { stage.advanceTime(by: 1) }
        #expect(log.lines == ["single at 100"])
        finger.lifts()
        stage.advanceTime(by: 1)
        #expect(log.lines == ["single at 100"])
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
