import ControlProtocol

/// What happened, with what is private concealed.
package struct OutputEvent: Sendable {
    package enum Content: Sendable {
        case touch(TouchRecord), gesture(GestureRecord), page(PageRecord), idle(IdleRecord), published(PublishedRecord)
        case accessibility(AccessibilityRecord)
        /// A control; with more about it for the client that has published it.
        case control(ControlRecord, forPublisher: ForPublisher<ControlRecord>?)
    }

    package let content: Content
    package let header: EventHeader
    /// The client that has published the view; nil for a view of the layout file, and for what has no view.
    package let publisher: ObjectIdentifier?

    package init(_ content: Content, _ header: EventHeader, publisher: ObjectIdentifier? = nil) {
        (self.content, self.header, self.publisher) = (content, header, publisher)
    }
}

extension OutputEvent: JSONWritable {
    /// Writes the record as everybody gets it.
    package nonisolated func write(to writer: inout JSONWriter) {
        switch content {
        case .touch(let record): record.write(to: &writer)
        case .gesture(let record): record.write(to: &writer)
        case .control(let record, _): record.write(to: &writer)
        case .page(let record): record.write(to: &writer)
        case .idle(let record): record.write(to: &writer)
        case .published(let record): record.write(to: &writer)
        case .accessibility(let record): record.write(to: &writer)
        }
    }
}
