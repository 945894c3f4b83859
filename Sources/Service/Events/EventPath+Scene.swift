import ControlProtocol
import Handlers
import Layout
import Logging
import Outputs
import TouchKit

/// Reports what happens in the layout besides touches: gestures, controls, pages, idle times and published messages.
extension EventPath: SceneObserver {
    package func gestureRecognized(_ recognizer: GestureRecognizer, _ trigger: HandlerBinding.Trigger) {
        let time = application.currentTime
        notify(Notice(.gesture, isStep: trigger == .changed, time: time)) {
            (.gesture(describer.describe(recognizer, trigger, time: time)), recognizer.view)
        }
    }

    package func controlChanged(_ control: Control, _ change: ControlChange, _ event: Event?) {
        let time = event?.timestamp ?? application.currentTime
        notify(Notice(.control, time: time)) {
            let own = describer.describeForPublisher(control, change, time: time)
            return (.control(describer.describe(control, change, time: time), forPublisher: own), control)
        }
    }

    package func pressDropped() { metrics.droppedPresses += 1 }

    package func pageShown(_ page: String) {
        statusChanged()
        notify(Notice(.page, time: application.currentTime)) {
            (.page(PageRecord(page: page, screen: scene?.screenName(ofPage: page))), nil)
        }
    }

    /// Reports that an idle time has passed, or that a screen is touched again.
    func idled(_ spec: IdleSpec, _ trigger: HandlerBinding.Trigger) {
        statusChanged()
        notify(Notice(.idle, time: application.currentTime)) {
            (.idle(IdleRecord(trigger: trigger.rawValue, after: spec.delay)), nil)
        }
    }

    /// Sends a handler's message to the subscribers, and reports to others that there was one. Without either, as when a
    /// layout is tried with the journal as output, it is logged.
    func publish(_ message: String, to topic: String, isPrivate: Bool) {
        subscribers.send(.published) { PublishedRecord(message, to: topic) }
        let told = isPrivate ? "(private)" : message
        notify(Notice(.published, time: application.currentTime)) {
            (.published(PublishedRecord(told, to: topic)), nil)
        }
        if !hasControlSocket, options.output == .journal || options.output == nil {
            logger.notice("published to \(topic): \(told)")
        }
    }
}
