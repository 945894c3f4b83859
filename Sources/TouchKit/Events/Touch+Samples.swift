import Foundation

extension Touch {
    /// A copy of the touch for every state since the last delivery.
    var coalesced: [Touch] {
        var previous = previousScreenLocation
        return states.map { state in
            defer { previous = state.location }
            return copy(state, previous: previous)
        }
    }

    /// Copies of the touch at extrapolated locations, one and two steps of the last change ahead.
    var predicted: [Touch] {
        guard phase == .moved, let last = states.last else { return [] }
        let before = states.count > 1 ? states[states.count - 2] : lastDelivered
        // A pause does not predict a direction, and neither do two changes at once: a stroke has 1 to 50 ms between
        // changes.
        let step = last.timestamp - before.timestamp
        guard (0.001...0.05).contains(step) else { return [] }
        let (x, y) = (last.location.x - before.location.x, last.location.y - before.location.y)
        return [1.0, 2.0].map { ahead in
            var state = last
            state.timestamp += ahead * step
            state.location = CGPoint(x: last.location.x + ahead * x, y: last.location.y + ahead * y)
            let previous = CGPoint(x: state.location.x - x, y: state.location.y - y)
            return copy(state, previous: previous)
        }
    }

    private func copy(_ state: TouchState, previous: CGPoint) -> Touch {
        let copy = Touch(
            id: id, device: device, contact: contact, type: type, screen: screen, state: state)
        copy.previousScreenLocation = previous
        copy.phase = phase
        copy.tapCount = tapCount
        copy.view = view
        copy.window = window
        copy.pending = []
        return copy
    }
}
