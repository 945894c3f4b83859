import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B24 what views see of a delayed touch")
struct DelayedTouchTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()
    private let tap = TapGestureRecognizer()

    /// Logs where the touches of each call were and are, whether they are in the event, and the event's touches of the view.
    init() {
        tap.delaysTouchesBegan = true
        let view = View(frame: stage.screen.bounds)
        view.addGestureRecognizer(tap)
        stage.window.addSubview(view)
        for phase in [Touch.Phase.began, .moved, .ended] {
            view.addHandler(for: phase) { [log] touch, event in
                let places = "\(Int(touch.previousLocation(in: nil).x)) \(Int(touch.location(in: nil).x))"
                let isInEvent = event.allTouches?.contains(touch) == true
                log.add("\(phase) \(places) \(isInEvent) \(event.touches(for: view)?.count ?? 0)")
            }
        }
    }

    @Test("a delayed touchesBegan shows the landing, and touchesMoved the current location")
    func landing() {
        stage.play([.lands(50, 50), .moves(60, 50), .moves(150, 50), .moves(160, 50), .lifts()])
        #expect(
            log.lines == [
                "began 50 50 true 1", "moved 50 150 true 1", "moved 150 160 true 1", "ended 160 160 true 1",
            ])
    }

    @Test("a delayed touchesBegan of a touch that has ended is in its event")
    func ended() {
        tap.numberOfTapsRequired = 2
        stage.play([.lands(50, 50), .moves(60, 50), .lifts()])
        #expect(log.lines.isEmpty)
        stage.advanceTime(by: 1)
        #expect(log.lines.count == 2)
        #expect(log.lines.first == "began 50 50 true 1")
        #expect(log.lines.last?.hasSuffix("60 true 1") == true)
    }

    @Test("an older touch whose end is delayed is not one of the event's touches")
    func olderTouch() {
        tap.numberOfTapsRequired = 2
        tap.delaysTouchesBegan = false
        stage.play([.lands(50, 50), .lifts(), .lands(52, 50)])
        #expect(log.lines == ["began 50 50 true 1", "began 52 52 true 1"])
    }
}
