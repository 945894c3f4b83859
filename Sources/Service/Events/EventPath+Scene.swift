import ControlProtocol
import EventLoop
import Foundation
import Handlers
import Layout
import Logging
import TouchKit

/// Reports what happens in the layout besides touches: gestures, controls, pages, idle times and published messages.
extension EventPath {
    /// Reports the gestures and controls of a scene from now on, whether or not handlers run for them.
    func observe(_ scene: Scene) {
        scene.actions.didRecognize = { [unowned self] recognizer, trigger in recognized(recognizer, trigger) }
        scene.actions.didChangeControl = { [unowned self] control, change, event in changed(control, change, event) }
    }

    /// The client that has published a view; nil for a view of the layout file.
    func publisher(of view: View?) -> ControlSession? { scene?.slot(of: view)?.owner as? ControlSession }

    private func recognized(_ recognizer: GestureRecognizer, _ trigger: HandlerBinding.Trigger) {
        let isReported = subscribers?.hasSubscribers(to: .gestures) ?? false
        // A line or an entry for each step of a pinch would hide all others.
        let isWritten = output != nil && (trigger != .changed || options.output == .json)
        guard isReported || isWritten else { return }
        let record = GestureRecord(recognizer, trigger, time: application.currentTime)
        if isReported { subscribers?.publish(.gestures, publisher: publisher(of: recognizer.view)) { record } }
        guard isWritten else { return }
        if let journalOutput {
            let place = recognizer.view
            journalOutput.write(record, page: scene?.page(of: place), screen: scene?.screenName(of: place))
        }
        output?.write(words: { record.words }, record: { record })
    }

    private func changed(_ control: Control, _ change: ControlChange, _ event: Event?) {
        let isReported = subscribers?.hasSubscribers(to: .controls) ?? false
        guard isReported || output != nil else { return }
        let time = event?.timestamp ?? application.currentTime
        let record = ControlRecord(control, change, time: time)
        if isReported {
            subscribers?.publish(
                .controls, publisher: publisher(of: control),
                publishersEvent: { ControlRecord(control, change, time: time, isForPublisher: true) }
            ) { record }
        }
        output?.write(words: { record.words }, record: { record })
    }

    /// Reports that a page is shown.
    func shown(_ page: String) {
        let time = FactValue.moment(application.currentTime).text
        journalOutput?.write(page: page, screen: scene?.screenName(ofPage: page), time: time)
        report(.pages, words: { "page \(page)" }) { PageRecord(page: page) }
    }

    /// Reports that an idle time has passed, or that a screen is touched again.
    func idled(_ spec: IdleSpec, _ trigger: HandlerBinding.Trigger) {
        statusChanged()
        report(.idle, words: { "\(trigger.rawValue) (after \(spec.delay) s)" }) {
            IdleRecord(trigger: trigger.rawValue, after: spec.delay)
        }
    }

    private func report(_ topic: ControlTopic, words: () -> String, _ record: () -> some JSONWritable) {
        subscribers?.publish(topic, record)
        output?.write(
            words: { String(format: "%10.3f s  ", application.currentTime) + words() }, record: record)
    }
}

extension EventPath: Publisher {
    /// Sends a handler's message to the subscribers, and writes it. Without either, as when a layout is tried with the
    /// journal as output, it is logged.
    package func publish(_ message: String, to topic: String, isPrivate: Bool) {
        subscribers?.publish(message, to: topic, isPrivate: isPrivate)
        let record = PublishedRecord(isPrivate ? "(private)" : message, to: topic)
        if options.output == .text || options.output == .json {
            output?.write(
                words: { String(format: "%10.3f s  ", application.currentTime) + record.words },
                record: { record })
        } else if subscribers == nil {
            logger.notice("\(record.words)")
        }
    }
}
