import Foundation

@testable import TouchKit

/// An application that checks the views of new touches before the event is delivered.
final class ChaosApplication: Application {
    weak var chaos: Chaos?

    override func sendEvent(_ event: Event) {
        chaos?.checkViews(of: event)
        super.sendEvent(event)
    }
}

/// A view that reports its calls to its chaos.
final class ChaosView: View {
    private unowned let chaos: Chaos
    private let passesOn: Bool

    init(number: Int, chaos: Chaos) {
        self.chaos = chaos
        passesOn = number % 2 == 0
        let side = 1024 - 20 * number
        super.init(frame: CGRect(x: 5 * number, y: 5 * number, width: side, height: side))
        identifier = "view \(number)"
        isMultipleTouchEnabled = number % 3 != 0
        isExclusiveTouch = number % 13 == 0
    }

    override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
        chaos.note(.began, touches, on: self, event)
        if passesOn { super.touchesBegan(touches, with: event) }
    }

    override func touchesMoved(_ touches: Set<Touch>, with event: Event?) {
        chaos.note(.moved, touches, on: self, event)
        if passesOn { super.touchesMoved(touches, with: event) }
    }

    override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
        chaos.note(.ended, touches, on: self, event)
        if passesOn { super.touchesEnded(touches, with: event) }
    }

    override func touchesCancelled(_ touches: Set<Touch>, with event: Event?) {
        chaos.note(.cancelled, touches, on: self, event)
        if passesOn { super.touchesCancelled(touches, with: event) }
    }
}
