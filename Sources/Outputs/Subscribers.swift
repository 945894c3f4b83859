import ControlProtocol

/// A client that receives events.
package protocol Subscriber: AnyObject {
    var topics: ControlTopic { get }
    var wantsMoves: Bool { get }
    /// Whether touches, gestures and controls are reported only for views that it has published.
    var wantsOwnViews: Bool { get }

    /// Sends an event's line, which ends with a newline, or drops it if the client is too far behind.
    func send(event line: [UInt8])
}

/// Sends events to the clients of the control socket. An event is written once for all of them.
package final class Subscribers: TouchListener {
    /// The maximum size of a client's unread output, in bytes; further events are dropped.
    package nonisolated static let backlogLimit = 256 * 1024

    /// The connected clients, in the order in which they came.
    package private(set) var clients: [any Subscriber] = []
    /// Writes the events, in memory that is kept.
    private var writer = JSONWriter()

    package init() {}

    package func add(_ client: any Subscriber) { clients.append(client) }

    package func remove(_ client: any Subscriber) { clients.removeAll { $0 === client } }

    package func contains(_ topic: ControlTopic) -> Bool {
        for client in clients where client.topics.contains(topic) { return true }
        return false
    }

    package func wants(_ header: EventHeader) -> Bool {
        guard let topic = header.topic else { return false }
        for client in clients where client.topics.contains(topic) && (!header.isMove || client.wantsMoves) {
            return true
        }
        return false
    }

    package func note(_ event: OutputEvent) {
        guard let topic = event.header.topic else { return }
        var shared: [UInt8]?
        for client in clients where client.topics.contains(topic) && (!event.header.isMove || client.wantsMoves) {
            if client.wantsOwnViews, event.header.isOfView, event.publisher != ObjectIdentifier(client) {
                continue
            }
            if case .control(_, let own?) = event.content, let record = own.opened(by: client) {
                client.send(event: record.line)
                continue
            }
            let line = shared ?? written(event)
            shared = line
            client.send(event: line)
        }
    }

    /// Sends an event in which nothing is concealed to the subscribers of a topic: a device, a layout, their message.
    package func send(_ topic: ControlTopic, _ event: () -> some JSONWritable) {
        guard contains(topic) else { return }
        let line = written(event())
        for client in clients where client.topics.contains(topic) { client.send(event: line) }
    }

    private func written(_ event: some JSONWritable) -> [UInt8] {
        writer.removeAll()
        event.write(to: &writer)
        writer.endLine()
        return writer.bytes
    }
}

extension EventHeader {
    /// The topic that it belongs to. A published message has none here: its addressees got it already, and others must
    /// not get one of a private view.
    fileprivate var topic: ControlTopic? {
        switch kind {
        case .touch: .touches
        case .gesture: .gestures
        case .control: .controls
        case .page: .pages
        case .idle: .idle
        case .published: nil
        }
    }

    fileprivate var isMove: Bool { isStep && kind == .touch }

    fileprivate var isOfView: Bool {
        switch kind {
        case .touch, .gesture, .control: true
        case .page, .idle, .published: false
        }
    }
}
