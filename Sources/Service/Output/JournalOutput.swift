import ControlProtocol
import Foundation
import Handlers
import Layout
import TouchKit

/// Writes touches as entries in the systemd journal, one field per fact.
package final class JournalOutput: TouchOutput {
    private let sender: JournalSender
    private var hasTouches = true
    private var moves = MoveSampler(perSecond: 0)
    private var entry = JournalEntry()

    package init(_ sender: JournalSender) { self.sender = sender }

    /// Applies a layout's journal settings. Call it while no touch is down, so that each touch is written completely or
    /// not at all.
    ///
    /// - Parameter rate: The maximum number of moves per touch and second; overrides the layout's value. Nil uses the
    ///   layout's value.
    package func follow(_ spec: JournalSpec, movesPerSecond rate: Int?) {
        hasTouches = spec.hasTouches
        moves = MoveSampler(perSecond: rate ?? spec.moves)
    }

    package func accepts(_ phase: Touch.Phase, of touch: Int, at time: Double) -> Bool {
        hasTouches && (phase != .moved || moves.accepts(touch: touch, at: time))
    }

    package func write(_ facts: TouchFacts, handlers: [String]) {
        guard let identity = MessageID(facts.phase) else { return }
        if facts.phase.isLast { moves.forget(touch: facts.touch) }
        let location: CGPoint? = facts.location
        let place = location.map { " at (\(Double($0.x).hundredths), \(Double($0.y).hundredths))" } ?? ""
        entry.begin(
            message: "touch \(facts.touch) \(facts.phase.name) on \(facts.view ?? "no view")\(place)",
            priority: 6, identity: identity)
        for field in facts.fields { entry.add(field.name, field.value) }
        for handler in handlers { entry.add("TOUCHD_HANDLER", handler) }
        sender.send(entry)
    }

    /// Writes a gesture. Gestures consist of touches, so they are not written if touches are not.
    func write(_ gesture: GestureRecord, page: String?, screen: String?) {
        guard hasTouches else { return }
        entry.begin(
            message: "gesture \(gesture.name) \(gesture.trigger) on \(gesture.view ?? "no view")", priority: 6,
            identity: .gestureRecognized)
        entry.add("TOUCHD_GESTURE", gesture.name)
        entry.add("TOUCHD_TRIGGER", gesture.trigger)
        entry.add("TOUCHD_VIEW", gesture.view ?? "")
        add(page: page, screen: screen, time: gesture.timestamp)
        sender.send(entry)
    }

    /// Writes that a page is shown.
    package func write(page: String, screen: String?, time: String) {
        entry.begin(message: "page \(page)", priority: 6, identity: .pageShown)
        add(page: page, screen: screen, time: time)
        sender.send(entry)
    }

    private func add(page: String?, screen: String?, time: String) {
        if let page { entry.add("TOUCHD_PAGE", page) }
        if let screen { entry.add("TOUCHD_SCREEN", screen) }
        entry.add("TOUCHD_TIME", time)
    }

    // Gestures and pages have their own entries; the others are only for subscribers and standard output.
    package func write(words: () -> String, record: () -> some JSONWritable) {}
}

extension Touch.Phase {
    /// Whether this is the last phase of a touch.
    var isLast: Bool { self == .ended || self == .cancelled }
}

extension MessageID {
    /// The message ID for a phase; nil if the phase is not logged.
    fileprivate init?(_ phase: Touch.Phase) {
        switch phase {
        case .began: self = .touchBegan
        case .moved: self = .touchMoved
        case .ended: self = .touchEnded
        case .cancelled: self = .touchCancelled
        case .stationary: return nil
        }
    }
}
