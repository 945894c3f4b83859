import Evdev
import Foundation

/// One state of a touch, as a device reported it.
struct TouchState {
    var timestamp: TimeInterval
    var location: CGPoint
    var sample: TouchSample
}

/// What a device says of a touch besides its place.
struct TouchSample {
    var force: CGFloat = 0
    var hasForce = false
    var majorRadius: CGFloat = 0
    var raw: RawPoint?
}

extension Touch {
    /// A copy for every state since the last delivery.
    var coalesced: [Touch] {
        var previous = previousScreenLocation
        return states.map { state in
            defer { previous = state.location }
            return copy(state, previous: previous)
        }
    }

    /// Copies of where it will be if it goes on as it did in the last change, one and two such changes ahead.
    var predicted: [Touch] {
        guard phase == .moved, let last = states.last else { return [] }
        let before = states.count > 1 ? states[states.count - 2] : lastDelivered
        // A pause says nothing about where the finger is going, nor do two changes at once: 1 to 50 ms is a stroke.
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
        copy.delivery.isPending = false
        return copy
    }
}
