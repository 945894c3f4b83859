import ControlProtocol
import Foundation

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

/// Writes what happened to a stream: as readable lines, or as JSON objects, one per line.
package final class StreamListener: TouchListener {
    private let stream: StandardStream
    /// Limits the moves in readable lines; nil for JSON, which has all of them.
    private var moves: MoveSampler?
    private var line = JSONWriter()

    /// Creates a listener for readable lines with some of the moves, or, without a sampler, for JSON.
    package init(_ stream: StandardStream, moves: MoveSampler?) {
        self.stream = stream
        self.moves = moves
    }

    package func wants(_ header: EventHeader) -> Bool {
        // A line for each step of a pinch would hide all others.
        guard header.isStep, moves != nil else { return true }
        return header.kind == .touch && moves?.accepts(touch: header.touch, at: header.time) == true
    }

    package func note(_ event: OutputEvent) {
        guard moves == nil else {
            if case .touch(let touch) = event.content, touch.phase.isLast { moves?.forget(touch: touch.touch) }
            return stream.append(line: event.words)
        }
        line.removeAll()
        event.write(to: &line)
        line.endLine()
        stream.append(line.bytes)
    }
}

extension OutputEvent {
    fileprivate var words: String {
        let time = String(format: "%10.3f s  ", header.time)
        return switch content {
        case .touch(let touch): touch.summary
        case .gesture(let gesture):
            time + (gesture.id.map { "\(gesture.gesture) '\($0)'" } ?? gesture.gesture)
                + " \(gesture.trigger.rawValue) on \(gesture.view ?? "no view")"
        case .control(let control, _):
            time + "\(control.view ?? "a control") "
                + (control.on.map { "switched \($0 ? "on" : "off")" } ?? control.control.rawValue)
        case .page(let page): time + "page \(page.page)"
        case .idle(let idle): time + "\(idle.trigger.rawValue) (after \(idle.after) s)"
        case .published(let message): time + "published to \(message.topic): \(message.message)"
        }
    }
}
