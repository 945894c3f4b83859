/// An event that carries presses (`UIPressesEvent`).
@MainActor @preconcurrency public final class PressesEvent: Event {
    /// Every press that is held or ends in this event.
    public internal(set) var allPresses: Set<Press> = []

    init(application: Application?) { super.init(type: .presses, application: application) }

    /// The presses that a responder receives.
    public func presses(for responder: Responder) -> Set<Press> { allPresses.filter { $0.responder === responder } }
}

extension PressesEvent {
    /// Delivers each responder's presses; once, however often the event is sent.
    func deliver() {
        for press in allPresses where press.isPending {
            press.isPending = false
            switch press.phase {
            case .began:
                press.hasBegun = true
                press.responder.pressesBegan([press], with: self)
            case .changed where press.hasBegun: press.responder.pressesChanged([press], with: self)
            case .ended where press.hasBegun: press.responder.pressesEnded([press], with: self)
            default: break
            }
        }
    }
}
