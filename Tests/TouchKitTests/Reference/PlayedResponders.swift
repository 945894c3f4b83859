import Foundation

@testable import TouchKit

/// The identity of a played responder.
struct Part {
    unowned let player: ReferencePlayer
    let name: String
    let plan: ViewPlan
    var passesOn: Bool { !plan.flags.contains(.silent) }
}

/// A view whose calls are logged.
protocol Played: View {
    var part: Part? { get set }
}

extension Played {
    /// Logs a call; returns whether to call super.
    func log(_ call: String, _ touches: Set<Touch>) -> Bool {
        guard let part else { return true }
        part.player.log("\(part.name) \(call)", touches)
        return part.passesOn
    }

    func allows(_ plain: Bool) -> Bool { plain && part?.plan.flags.contains(.refusing) != true }

    /// Plays a part; a window is shown later.
    func play(_ part: Part) {
        self.part = part
        if !(self is Window) { isHidden = part.plan.flags.contains(.hidden) }
        isUserInteractionEnabled = !part.plan.flags.contains(.untouchable)
        isMultipleTouchEnabled = part.plan.flags.contains(.multiple)
        isExclusiveTouch = part.plan.flags.contains(.exclusive)
        guard let control = self as? Control else { return }
        control.isEnabled = !part.plan.flags.contains(.disabled)
        for (name, event) in PlayedButton.events {
            control.addHandler(for: event) { _, _ in part.player.log("\(part.name) \(name)") }
        }
    }
}

class PlayedView: View, Played {
    var part: Part?
    override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
        allows(super.gestureRecognizerShouldBegin(recognizer))
    }
    override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
        if log("began", touches) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<Touch>, with event: Event?) {
        if log("moved", touches) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
        if log("ended", touches) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<Touch>, with event: Event?) {
        if log("cancelled", touches) { super.touchesCancelled(touches, with: event) }
    }
}

class PlayedWindow: Window, Played {
    var part: Part?
    override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
        if log("began", touches) { super.touchesBegan(touches, with: event) }
    }
    override func touchesMoved(_ touches: Set<Touch>, with event: Event?) {
        if log("moved", touches) { super.touchesMoved(touches, with: event) }
    }
    override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
        if log("ended", touches) { super.touchesEnded(touches, with: event) }
    }
    override func touchesCancelled(_ touches: Set<Touch>, with event: Event?) {
        if log("cancelled", touches) { super.touchesCancelled(touches, with: event) }
    }
}

class PlayedButton: Button, Played {
    static let events: [(String, Control.Events)] = [
        ("touchDown", .touchDown), ("touchDragInside", .touchDragInside),
        ("touchDragOutside", .touchDragOutside), ("touchDragEnter", .touchDragEnter), ("touchDragExit", .touchDragExit),
        ("touchUpInside", .touchUpInside), ("touchUpOutside", .touchUpOutside), ("touchCancel", .touchCancel),
        ("primaryActionTriggered", .primaryActionTriggered),
    ]
    var part: Part?
    override func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool {
        allows(super.gestureRecognizerShouldBegin(recognizer))
    }
    override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
        _ = log("began", touches)
        super.touchesBegan(touches, with: event)
    }
    override func touchesMoved(_ touches: Set<Touch>, with event: Event?) {
        _ = log("moved", touches)
        super.touchesMoved(touches, with: event)
    }
    override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
        _ = log("ended", touches)
        super.touchesEnded(touches, with: event)
    }
    override func touchesCancelled(_ touches: Set<Touch>, with event: Event?) {
        _ = log("cancelled", touches)
        super.touchesCancelled(touches, with: event)
    }
}

final class PlayedController: ViewController {
    var part: Part?
    override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
        if let part { part.player.log("\(part.name) began", touches) }
        super.touchesBegan(touches, with: event)
    }
}
