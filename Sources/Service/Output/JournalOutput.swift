import Handlers
import TouchKit

/// Touches as entries in the systemd journal, a field for each fact.
final class JournalOutput: TouchOutput {
    let wantsMoves = false
    private var entry = JournalEntry()

    func write(_ facts: TouchFacts, handlers: [String]) {
        guard let identity = MessageID(facts.phase) else { return }
        let place = facts.location.map {
            " at (\(TouchFacts.coordinate($0.x)), \(TouchFacts.coordinate($0.y)))"
        }
        entry.removeAll()
        entry.add("MESSAGE", "touch \(facts.touch) \(facts.phase.word) on \(facts.view ?? "no view")\(place ?? "")")
        entry.add("MESSAGE_ID", identity.rawValue)
        entry.add("PRIORITY", "6")
        for field in facts.fields { entry.add(field.name, field.value) }
        for handler in handlers { entry.add("TOUCHD_HANDLER", handler) }
        // An entry that journald does not take has nowhere else to go, and the touch must go on.
        _ = entry.send()
    }
}

extension MessageID {
    /// The identity of the entry for a phase, or nil where the phase has no entry of its own.
    fileprivate init?(_ phase: Touch.Phase) {
        switch phase {
        case .began: self = .touchBegan
        case .ended: self = .touchEnded
        case .cancelled: self = .touchCancelled
        case .moved, .stationary: return nil
        }
    }
}
