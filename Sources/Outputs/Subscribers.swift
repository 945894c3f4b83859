import ControlProtocol

/// Sends events to the clients of the control socket. An event is written once for all of them.
package final class Subscribers: TouchListener {
    /// The maximum size of a client's unread output, in bytes; further events are dropped.
    package nonisolated static let backlogLimit = 256 * 1024

    /// The connected clients, in the order in which they came.
    private var subscribers: [Subscriber] = []
    /// Writes the events, in memory that is kept.
    private var writer = JSONWriter()

    package init() {}

    package func add(_ subscriber: Subscriber) { subscribers.append(subscriber) }

    package func remove(_ subscriber: Subscriber) { subscribers.removeAll { $0 === subscriber } }

    package func contains(_ topic: ControlTopic) -> Bool {
        for subscriber in subscribers where subscriber.topics.contains(topic) { return true }
        return false
    }

    package func wants(_ header: EventHeader) -> Bool {
        for subscriber in subscribers where subscriber.wants(header) { return true }
        return false
    }

    package func note(_ event: OutputEvent) {
        var shared: [UInt8]?
        for subscriber in subscribers where subscriber.wants(event) {
            if case .control(_, let own?) = event.content, let record = own.opened(by: subscriber.client) {
                subscriber.send(record.line)
                continue
            }
            if subscriber.wantsOwnViews, case .accessibility(let record) = event.content {
                if let part = subscriber.part(of: record, of: event.publisher) { subscriber.send(part.line) }
                continue
            }
            let line = shared ?? written(event)
            shared = line
            subscriber.send(line)
        }
    }

    /// Sends an event in which nothing is concealed to the subscribers of a topic: a device, a layout, their message.
    package func send(_ topic: ControlTopic, _ event: () -> some JSONWritable) {
        guard contains(topic) else { return }
        let line = written(event())
        for subscriber in subscribers where subscriber.topics.contains(topic) { subscriber.send(line) }
    }

    private func written(_ event: some JSONWritable) -> [UInt8] {
        writer.removeAll()
        event.write(to: &writer)
        writer.endLine()
        return writer.bytes
    }
}
