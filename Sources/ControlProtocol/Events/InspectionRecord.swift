import Foundation

/// The effects of one touch event, or of a recognizer's timeout between two events, for the inspector.
///
/// It is an event of the control socket's topic `inspection`. For a private view it reports as much as `touch` and
/// `gesture` do (docs/control-protocol.md): that it was touched, but neither the location nor the subview.
package struct InspectionRecord: JSONWritable, Codable, Equatable, Sendable {
    /// The queue between devices and views, after the event.
    package struct Queue: Codable, Equatable, Sendable {
        /// How many frames were queued.
        package var frames: Int
        /// How long the oldest frame had been queued, in seconds; 0 for a recording.
        package var age: Double

        /// Creates the state of a queue.
        package init(frames: Int, age: Double) { (self.frames, self.age) = (frames, age) }
    }

    /// An event of a touch.
    package struct Touch: Codable, Equatable, Sendable {
        /// The touch's number, counted from 1 since touchd started.
        package var touch: Int
        /// The number of its device in `devices`.
        package var source: UInt32
        /// `began`, `moved`, `ended` or `cancelled`; `stationary` in a snapshot for a new subscriber.
        package var phase: String
        /// The location in device units, before rotation, calibration and mapping; nil in a private view and for a
        /// mouse.
        package var raw: [Int32]?
        /// The location in points of the screen; nil in a private view.
        package var x, y: Double?
        /// The screen's name, if the layout has several screens.
        package var screen: String?
        /// The nearest view with an id, or the outermost private view.
        package var view: String?
        /// Whether the program that draws received it, as in `TouchRecord`; nil if its device's touches are not forwarded.
        package var forwarded: String?
        /// The handlers that ran for it, in order; includes those of omitted moves before it, each once.
        package var handlers: [String]
        /// The facts that do not change while the touch is down; reported once, and again to each new subscriber.
        package var attachment: Attachment?

        /// Creates an event of a touch whose other facts are known already.
        package init(
            touch: Int, source: UInt32, phase: String, raw: [Int32]? = nil, x: Double? = nil, y: Double? = nil,
            screen: String? = nil, view: String? = nil, forwarded: String? = nil, handlers: [String]
        ) {
            (self.touch, self.source, self.phase, self.raw) = (touch, source, phase, raw)
            (self.x, self.y, self.screen, self.view) = (x, y, screen, view)
            (self.forwarded, self.handlers) = (forwarded, handlers)
        }
    }

    /// The facts that are fixed when a touch begins.
    package struct Attachment: Codable, Equatable, Sendable {
        /// Whether it is in a private view.
        package var isPrivate: Bool
        /// The ids of the views that contain it, starting with the innermost.
        package var path: [String]
        /// The responder chain, starting with the view, as readable names.
        package var responders: [String]
        /// The recognizers that receive it, in the order in which they receive it.
        package var recognizers: [Recognizer]

        /// Creates the facts.
        package init(isPrivate: Bool, path: [String], responders: [String], recognizers: [Recognizer]) {
            (self.isPrivate, self.path, self.responders) = (isPrivate, path, responders)
            self.recognizers = recognizers
        }

        private enum CodingKeys: String, CodingKey {
            case path, responders, recognizers, isPrivate = "private"
        }
    }

    /// A recognizer.
    package struct Recognizer: Codable, Equatable, Sendable {
        /// The recognizer's number, which changes refer to until the layout is reloaded.
        package var recognizer: Int
        /// The kind, as named in the layout: `long-press`.
        package var gesture: String
        /// Its id in the layout; nil without one, and on a private view.
        package var id: String?
        /// The view that it is attached to.
        package var view: String?
        /// Its state at the time of the record, in UIKit's terms: `possible`, `began`, `changed`, `ended`, `cancelled`,
        /// `failed`.
        package var state: String

        /// Creates the record of a recognizer.
        package init(recognizer: Int, gesture: String, id: String?, view: String?, state: String) {
            (self.recognizer, self.gesture, self.id) = (recognizer, gesture, id)
            (self.view, self.state) = (view, state)
        }
    }

    /// A state change of a recognizer.
    package struct Change: Codable, Equatable, Sendable {
        /// The recognizer's number.
        package var recognizer: Int
        /// The kind, as named in the layout.
        package var gesture: String
        /// The id, as in `Recognizer`, and the view.
        package var id, view: String?
        /// The previous and the new state.
        package var from, to: String
        /// The touches of its gesture.
        package var touches: [Int]

        /// Creates a change.
        package init(
            recognizer: Int, gesture: String, id: String?, view: String?, from: String, to: String, touches: [Int]
        ) {
            (self.recognizer, self.gesture, self.id, self.view) = (recognizer, gesture, id, view)
            (self.from, self.to, self.touches) = (from, to, touches)
        }
    }

    /// The name of the event.
    package private(set) var event = "inspection"
    /// Seconds on the kernel's monotonic clock, or since a recording's first event.
    package var time: Double
    /// True in a snapshot for a new subscriber, in which `touches` contains all touches that are down; nil otherwise.
    package var whole: Bool?
    /// The touches with events, in the order of their delivery.
    package var touches: [Touch] = []
    /// The state changes of recognizers, in order.
    package var changes: [Change] = []
    /// The shown pages, in the order of the screens that have pages; nil if unchanged.
    package var pages: [String]?
    /// The views that differ from the layout file; nil if unchanged.
    package var views: [ViewState]?
    /// The time from the kernel's timestamp to the end of the event, in seconds; nil for a recording and without
    /// touches.
    package var latency: Double?
    /// The queue.
    package var queue: Queue

    /// A view that a handler or a request changed.
    package struct ViewState: Codable, Equatable, Sendable {
        /// Its id.
        package var view: String
        /// Whether it is hidden, and whether it receives touches.
        package var hidden, enabled: Bool

        /// Creates a state.
        package init(view: String, hidden: Bool, enabled: Bool) {
            self.view = view
            self.hidden = hidden
            self.enabled = enabled
        }
    }

    /// Creates a record without touches and changes.
    package init(time: Double, queue: Queue) {
        self.time = time
        self.queue = queue
    }

    /// Writes the record.
    package func write(to writer: inout JSONWriter) { writer.write(encoding: self) }
}
