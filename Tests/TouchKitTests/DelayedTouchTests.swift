import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("B24 what views see of a delayed touch")
struct DelayedTouchTests {
    /// Logs the touches of its calls, those of the event, and where they are.
    private final class Seeing: View {
        let log = CallLog()

        private func add(_ call: String, _ touches: Set<Touch>, _ event: Event?) {
            let places = touches.map { "\(Int($0.previousLocation(in: nil).x)) \(Int($0.location(in: nil).x))" }
            let isInEvent = touches.isSubset(of: event?.allTouches ?? [])
            log.add("\(call) \(places.joined(separator: ", ")) \(isInEvent) \(event?.touches(for: self)?.count ?? 0)")
        }
        override func touchesBegan(_ touches: Set<Touch>, with event: Event?) { add("began", touches, event) }
        override func touchesMoved(_ touches: Set<Touch>, with event: Event?) { add("moved", touches, event) }
        override func touchesEnded(_ touches: Set<Touch>, with event: Event?) { add("ended", touches, event) }
    }

    private let stage = Stage()
    private let view = Seeing(frame: CGRect(x: 0, y: 0, width: 400, height: 400))
    private let tap = TapGestureRecognizer()

    init() {
        stage.window.addSubview(view)
        tap.delaysTouchesBegan = true
        view.addGestureRecognizer(tap)
    }

    @Test("a delayed touchesBegan shows the landing, and touchesMoved the current location")
    func landing() {
        stage.play([.lands(50, 50), .moves(60, 50), .moves(150, 50), .moves(160, 50), .lifts()])
        #expect(
            view.log.lines == [
                "began 50 50 true 1", "moved 50 150 true 1", "moved 150 160 true 1", "ended 160 160 true 1",
            ])
    }

    @Test("a delayed touchesBegan of a touch that has ended is in its event")
    func ended() {
        tap.numberOfTapsRequired = 2
        stage.play([.lands(50, 50), .moves(60, 50), .lifts()])
        #expect(view.log.lines.isEmpty)
        stage.advanceTime(by: 1)
        #expect(view.log.lines.count == 2)
        #expect(view.log.lines.first == "began 50 50 true 1")
        #expect(view.log.lines.last?.hasSuffix("60 true 1") == true)
    }

    @Test("an older touch whose end is delayed is not one of the event's touches")
    func olderTouch() {
        tap.numberOfTapsRequired = 2
        tap.delaysTouchesBegan = false
        stage.taps(at: 50, 50)
        _ = stage.finger(at: 52, 50)
        #expect(view.log.lines == ["began 50 50 true 1", "began 52 52 true 1"])
    }
}
