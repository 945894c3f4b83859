import ControlProtocol
import EventLoop
import Foundation
import Handlers
import Layout
import Outputs
import TouchKit

/// Counts each delivered touch, and notifies the listeners.
extension EventPath: DeliveryObserver {
    /// Starts to report and count touches. Returns the observer that flushes the output before the loop sleeps, if any.
    package func observeDeliveries() -> RunLoopObserver? {
        // What is kept comes before what is shown: a client that reacts finds the entry.
        listeners = [makeOutput(), subscribers].compactMap(\.self)
        arrangeObservers()
        return writesToStandardOutput ? standardOutput.flushFromLoop() : nil
    }

    /// Sets who sees the real touches, in order.
    func arrangeObservers() {
        let observers: [(any DeliveryObserver)?] = [
            // First: a handler of `woken` may cancel the touch, which then never reaches the program that draws.
            idle,
            // Before all that report whether a touch was forwarded.
            forwarder.observer,
            inspection, tuio, self,
        ]
        application.observers = observers.compactMap(\.self)
    }

    private func makeOutput() -> (any TouchListener)? {
        switch options.output {
        case .text: return StreamListener(standardOutput, moves: MoveSampler(perSecond: options.movesPerSecond ?? 0))
        case .json: return StreamListener(standardOutput, moves: nil)
        case .journal:
            journalListener = journal.map { JournalListener($0) }
            // A layout's `journal:` replaces this.
            journalListener?.follow(hasTouches: true, movesPerSecond: options.movesPerSecond ?? 0)
            return journalListener
        case nil: return nil
        }
    }

    private var writesToStandardOutput: Bool { options.output == .text || options.output == .json }

    package func didDeliver(_ delivery: TouchDelivery) {
        let touch = delivery.touch, phase = delivery.phase
        if phase == .stationary { return }
        metrics.count(phase)
        if phase == .began {
            lastTouch = Date()
            statusChanged()
        }
        if let history { updatePrivacy(delivery, for: history) }
        notify(Notice(.touch, isStep: phase == .moved, touch: touch.id, time: touch.timestamp)) { [describer] in
            (.touch(describer.describe(touch, phase, handlers: delivery.handlerNames)), touch.view)
        }
        if phase == .ended || phase == .cancelled { describer.forget(touch) }
    }

    /// Notifies all listeners that want it; it is described once, and not at all if none does.
    func notify(_ notice: Notice, _ describe: () -> (Happening.Content, of: View?)) {
        for index in listeners.indices where listeners[index].wants(notice) {
            let (content, view) = describe()
            let happening = Happening(content, notice, publisher: describer.publisher(of: view))
            return notify(happening, listeners[index], then: listeners[(index + 1)...])
        }
    }

    private func notify(_ happening: Happening, _ first: any TouchListener, then others: ArraySlice<any TouchListener>)
    {
        first.note(happening)
        for listener in others where listener.wants(happening.notice) { listener.note(happening) }
    }

    /// Writes the remaining output. Entries that the reader does not accept are lost; their number is reported.
    func finishOutput() {
        tuio?.finish()
        if writesToStandardOutput { standardOutput.finish() }
        if let lost = journal?.finish(), lost > 0 {
            StandardError.write(line: "touchd: \(lost) journal entries are lost, because journald did not accept them")
        }
    }

    /// Records the start of a handler.
    func begins(_ occasion: Occasion) {
        if case .touch(let touch, _) = occasion.cause { metrics.handlerBegins(for: touch.timestamp) }
    }
}
