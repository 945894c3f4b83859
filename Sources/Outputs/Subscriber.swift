import ControlProtocol

/// A client that receives events, and which of them.
package final class Subscriber {
    package var topics: ControlTopic = []
    package var wantsMoves = false
    /// Whether touches, gestures, controls and the talking mode are reported only for views that it has published.
    package var wantsOwnViews = false
    /// Whether the focus of the talking mode is one of its views.
    private var hasFocus = false

    /// The client, as the publisher of views.
    let client: ObjectIdentifier
    /// Sends an event's line, which ends with a newline, or drops it if the client is too far behind.
    let send: (_ line: [UInt8]) -> Void

    /// Creates a subscriber of nothing.
    package init(_ client: AnyObject, send: @escaping (_ line: [UInt8]) -> Void) {
        (self.client, self.send) = (ObjectIdentifier(client), send)
    }

    /// Whether an event is described for it.
    func wants(_ header: EventHeader) -> Bool {
        guard let topic = header.topic else { return false }
        return topics.contains(topic) && (!header.isMove || wantsMoves)
    }

    /// The part of the talking mode that it gets with `wantsOwnViews`: of other views only that the focus has left its own.
    func part(of record: AccessibilityRecord, of publisher: ObjectIdentifier?) -> AccessibilityRecord? {
        let hadFocus = hasFocus
        let isChange = [.started, .ended].contains(record.change)
        if isChange || record.change == .focus { hasFocus = publisher == client }
        if publisher == client { return record }
        return isChange || hadFocus && !hasFocus ? AccessibilityRecord(time: record.time, change: record.change) : nil
    }

    /// Whether it gets an event.
    func wants(_ event: OutputEvent) -> Bool {
        wants(event.header) && (!wantsOwnViews || !event.header.isOfView || event.publisher == client)
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
        case .accessibility: .accessibility
        }
    }

    fileprivate var isMove: Bool { isStep && kind == .touch }

    fileprivate var isOfView: Bool {
        switch kind {
        case .touch, .gesture, .control: true
        case .page, .idle, .published, .accessibility: false
        }
    }
}
