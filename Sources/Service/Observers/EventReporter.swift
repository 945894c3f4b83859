import ControlProtocol
import Foundation
import Handlers
import Layout
import Outputs
import TouchKit

/// Counts what is delivered, and describes for the listeners what happened; private views are concealed in it.
package final class EventReporter {
    private let context: DaemonContext
    private let listeners: Listeners
    private let describer: Describer

    /// Called when the status line may have changed.
    var statusChanged: () -> Void = {}
    /// The time at which the last touch began; nil before the first.
    private(set) var lastTouch: Date?

    package init(_ context: DaemonContext, listeners: Listeners) {
        (self.context, self.listeners) = (context, listeners)
        describer = Describer { [deviceNames = context.deviceNames] in deviceNames[$0] }
    }

    /// Applies a layout.
    func follow(_ document: LayoutDocument, _ scene: Scene) {
        describer.scene = scene
        scene.observer = self
        listeners.follow(hasTouches: document.journal.hasTouches, movesPerSecond: document.journal.moves)
    }

    private func notify(_ header: EventHeader, _ describe: () -> (OutputEvent.Content, of: View?)) {
        listeners.notify(header) {
            let (content, view) = describe()
            return OutputEvent(content, header, publisher: describer.publisher(of: view))
        }
    }

    /// Records the start of a handler.
    func begins(_ context: HandlerContext) {
        if case .touch(let touch, _) = context.cause { self.context.counts.handlerBegins(for: touch.timestamp) }
    }
}

extension EventReporter: DeliveryObserver {
    package func didDeliver(_ delivery: TouchDelivery) {
        let touch = delivery.touch, phase = delivery.phase
        if phase == .stationary { return }
        context.counts.count(phase)
        if phase == .began {
            context.counts.countTouch(on: ReportedView(touch).name)
            lastTouch = Date()
            statusChanged()
        }
        notify(EventHeader(.touch, isStep: phase == .moved, touch: touch.id, time: touch.timestamp)) { [describer] in
            (.touch(describer.describe(touch, phase, handlers: delivery.handlerNames)), touch.view)
        }
        if phase == .ended || phase == .cancelled { describer.forget(touch) }
    }
}

/// Reports what happens in the layout besides touches: gestures, controls, pages, idle times and published messages.
extension EventReporter: SceneObserver {
    package func gestureRecognized(_ recognizer: GestureRecognizer, _ trigger: GestureRecord.Trigger) {
        let time = context.application.currentTime
        notify(EventHeader(.gesture, isStep: trigger == .changed, time: time)) {
            (.gesture(describer.describe(recognizer, trigger, time: time)), recognizer.view)
        }
    }

    package func controlChanged(_ control: Control, _ change: ControlRecord.Change, _ event: Event?) {
        let time = event?.timestamp ?? context.application.currentTime
        notify(EventHeader(.control, time: time)) {
            let own = describer.describeForPublisher(control, change, time: time)
            return (.control(describer.describe(control, change, time: time), forPublisher: own), control)
        }
    }

    package func pressDropped() { context.counts.droppedPresses += 1 }

    package func pageShown(_ page: String) {
        statusChanged()
        let time = context.application.currentTime
        notify(EventHeader(.page, time: time)) {
            (.page(PageRecord(time: time, page: page, screen: describer.scene?.screenName(ofPage: page))), nil)
        }
    }

    /// Reports that an idle time has passed, or that a screen is touched again.
    func idled(_ spec: IdleSpec, _ trigger: HandlerBinding.Trigger) {
        statusChanged()
        let time = context.application.currentTime
        notify(EventHeader(.idle, time: time)) {
            (.idle(IdleRecord(time: time, trigger: trigger == .woken ? .woken : .idle, after: spec.delay)), nil)
        }
    }

    package func told(_ record: AccessibilityRecord, of view: View?) {
        notify(EventHeader(.accessibility, time: record.time)) { (.accessibility(record), view) }
    }

    /// Sends a handler's message to the subscribers, and reports to others that there was one.
    func publish(_ message: String, to topic: String, isPrivate: Bool) {
        let time = context.application.currentTime
        listeners.subscribers.send(.published) { PublishedRecord(time: time, message, to: topic) }
        notify(EventHeader(.published, time: time)) {
            (.published(PublishedRecord(time: time, isPrivate ? "(private)" : message, to: topic)), nil)
        }
    }
}
