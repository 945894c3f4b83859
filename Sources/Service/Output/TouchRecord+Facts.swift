import ControlProtocol
import Handlers

extension TouchRecord {
    /// Creates the record from a touch's facts.
    @MainActor init(_ facts: TouchFacts, handlers: [String]) {
        self.init(
            time: facts.time, device: facts.device, touch: facts.touch, phase: facts.phase.name, screen: facts.screen,
            x: facts.location.map { Double($0.x) }, y: facts.location.map { Double($0.y) }, view: facts.view,
            forwarded: facts.forwarded, handlers: handlers)
    }
}
