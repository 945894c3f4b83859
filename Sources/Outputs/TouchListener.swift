import ControlProtocol

/// Reports what happened: to the journal, standard output, clients.
///
/// Its module knows neither views nor touches, so a listener cannot report what is private: it gets records in which
/// that is concealed already. Everything is called on the main thread: for touches and pages after the handlers, for
/// gestures, controls and idle times before the layout's steps.
package protocol TouchListener: AnyObject {
    /// Whether it wants what is about to be described. If no listener does, nothing is made.
    func wants(_ notice: Notice) -> Bool

    /// Reports what happened; called only if it wanted it.
    func note(_ happening: Happening)
}

/// What is known before anything is described.
package struct Notice: Sendable {
    package enum Kind: Sendable {
        case touch, gesture, control, page, idle, published
    }

    package let kind: Kind
    /// Whether it is one of many steps between a beginning and an end: a moved touch, a changed gesture.
    package let isStep: Bool
    /// The number of the touch; 0 without one.
    package let touch: Int
    /// In seconds, on the clock of the devices' frames.
    package let time: Double

    package init(_ kind: Kind, isStep: Bool = false, touch: Int = 0, time: Double) {
        (self.kind, self.isStep, self.touch, self.time) = (kind, isStep, touch, time)
    }
}

/// What happened, with what is private concealed.
package struct Happening: Sendable {
    package enum Content: Sendable {
        case touch(TouchRecord), gesture(GestureRecord), page(PageRecord), idle(IdleRecord), published(PublishedRecord)
        /// A control; with more about it for the client that has published it.
        case control(ControlRecord, forPublisher: ForPublisher<ControlRecord>?)
    }

    package let content: Content
    package let notice: Notice
    /// The client that has published the view; nil for a view of the layout file, and for what has no view.
    package let publisher: ObjectIdentifier?

    package init(_ content: Content, _ notice: Notice, publisher: ObjectIdentifier? = nil) {
        (self.content, self.notice, self.publisher) = (content, notice, publisher)
    }
}

extension Happening: JSONWritable {
    /// Writes the record as everybody gets it.
    package nonisolated func write(to writer: inout JSONWriter) {
        switch content {
        case .touch(let record): record.write(to: &writer)
        case .gesture(let record): record.write(to: &writer)
        case .control(let record, _): record.write(to: &writer)
        case .page(let record): record.write(to: &writer)
        case .idle(let record): record.write(to: &writer)
        case .published(let record): record.write(to: &writer)
        }
    }
}
