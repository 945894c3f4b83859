import Foundation

@testable import TouchKit

/// The rules that must hold for every sequence of the generator.
extension Chaos {
    /// Every new touch is on the view that the reference finds before any handler of its event runs.
    func checkViews(of event: Event) {
        for touch in event.touches where touch.phase == .began && !closed.contains(touch.id) && open[touch.id] == nil {
            // A handler may send the event again after changing the tree.
            guard checked.insert(touch.id).inserted else { continue }
            let expected = reference(touch.screenLocation)
            if expected !== touch.view { violate("touch \(touch.id) is on \(name(touch.view)), not \(name(expected))") }
        }
    }

    func note(_ phase: Touch.Phase, _ touches: Set<Touch>, on view: ChaosView, _ event: Event?) {
        for touch in touches.sorted(by: { $0.id < $1.id }) where touch.view === view {
            let what = "touch \(touch.id) \(phase) on \(name(view))"
            if touch.phase != phase { violate("\(what), but its phase is \(touch.phase)") }
            switch phase {
            case .began:
                if open[touch.id] != nil || closed.contains(touch.id) { violate("\(what) a second time") }
                checkSharing(touch, view, what)
                open[touch.id] = (touch, view)
                beganCount += 1
            case .moved, .stationary:
                if open[touch.id]?.view !== view { violate("\(what) without a beginning, or after the end") }
            case .ended, .cancelled:
                if open[touch.id]?.view !== view { violate("\(what) without a beginning, or a second time") }
                open[touch.id] = nil
                closed.insert(touch.id)
                if phase == .ended { endedCount += 1 } else { cancelledCount += 1 }
            }
            if view.window == nil { violate("\(what), which is in no window") }
        }
        actInHandler(event)
    }

    private func checkSharing(_ touch: Touch, _ view: ChaosView, _ what: String) {
        // A lifted touch blocks no other, although a recognizer may still delay its end.
        for (other, (held, holder)) in open where other < touch.id && !held.isOver {
            if holder === view && !view.isMultipleTouchEnabled { violate("\(what) beside touch \(other)") }
            guard holder !== view, holder.window === view.window else { continue }
            if holder.isExclusiveTouch || view.isExclusiveTouch { violate("\(what) in spite of touch \(other)") }
        }
    }

    func note(_ delivery: TouchDelivery) {
        let id = delivery.touch.id
        let before = reported[id]
        if (before == nil) != (delivery.phase == .began) && delivery.phase != .cancelled {
            violate("touch \(id) was reported \(delivery.phase) after \(before.map { "\($0)" } ?? "nothing")")
        }
        if before == .ended || before == .cancelled { violate("touch \(id) was reported after its end") }
        reported[id] = delivery.phase
    }

    func compareHitTest() {
        let point = point()
        let found = application.hitTest(point, on: screen, with: nil)
        let expected = reference(point)
        if found !== expected { violate("\(point) hits \(name(found)), not \(name(expected))") }
    }

    private func reference(_ point: CGPoint) -> View? {
        for window in application.windows.reversed() {
            if let found = referenceHitTest(window, point) { return found }
        }
        return nil
    }

    private func name(_ view: View?) -> String { view?.identifier ?? "nothing" }
}
