import Foundation

/// The effects of one touch event, or of a recognizer's timeout between two events, for the inspector.
///
/// It is an event of the control socket's topic `inspection`. For a private view it reports as much as `touch` and
/// `gesture` do (docs/control-protocol.md): that it was touched, but neither the location nor the subview.
public nonisolated struct InspectionRecord: Codable, Equatable, Sendable {
    /// The queue between devices and views, after the event.
    public struct Queue: Codable, Equatable, Sendable {
        /// How many frames were queued.
        public var frames: Int
        /// How long the oldest frame had been queued, in seconds; 0 for a recording.
        public var age: Double
    }

    /// An event of a touch.
    public struct Touch: Codable, Equatable, Sendable {
        /// The touch's number, counted from 1 since touchd started.
        public var touch: Int
        /// The number of its device in `devices`.
        public var source: UInt32
        /// `began`, `moved`, `ended` or `cancelled`; `stationary` in a snapshot for a new subscriber.
        public var phase: String
        /// The location in device units, before rotation, calibration and mapping; nil in a private view and for a
        /// mouse.
        public var raw: [Int32]?
        /// The location in points of the screen; nil in a private view.
        public var x, y: Double?
        /// The screen's name, if the layout has several screens.
        public var screen: String?
        /// The nearest view with an id, or the outermost private view.
        public var view: String?
        /// Whether the program that draws received it, as in `TouchRecord`; nil if its device's touches are not forwarded.
        public var forwarded: String?
        /// The handlers that ran for it, in order; includes those of omitted moves before it, each once.
        public var handlers: [String]
        /// The facts that do not change while the touch is down; reported once, and again to each new subscriber.
        public var attachment: Attachment?
    }

    /// The facts that are fixed when a touch begins.
    public struct Attachment: Codable, Equatable, Sendable {
        /// Whether it is in a private view.
        public var isPrivate: Bool
        /// The ids of the views that contain it, starting with the innermost.
        public var path: [String]
        /// The responder chain, starting with the view, as readable names.
        public var responders: [String]
        /// The recognizers that receive it, in the order in which they receive it.
        public var recognizers: [Recognizer]

        private enum CodingKeys: String, CodingKey {
            case path, responders, recognizers, isPrivate = "private"
        }
    }

    /// A recognizer.
    public struct Recognizer: Codable, Equatable, Sendable {
        /// The recognizer's number, which changes refer to until the layout is reloaded.
        public var recognizer: Int
        /// The kind, as named in the layout: `long-press`.
        public var gesture: String
        /// Its id in the layout; nil without one, and on a private view.
        public var id: String?
        /// The view that it is attached to.
        public var view: String?
        /// Its state at the time of the record, in UIKit's terms: `possible`, `began`, `changed`, `ended`, `cancelled`,
        /// `failed`.
        public var state: String
    }

    /// A state change of a recognizer.
    public struct Change: Codable, Equatable, Sendable {
        /// The recognizer's number.
        public var recognizer: Int
        /// The kind, as named in the layout.
        public var gesture: String
        /// The id, as in `Recognizer`, and the view.
        public var id, view: String?
        /// The previous and the new state.
        public var from, to: String
        /// The touches of its gesture.
        public var touches: [Int]
    }

    /// The name of the event.
    public private(set) var event = "inspection"
    /// Seconds on the kernel's monotonic clock, or since a recording's first event.
    public var time: Double
    /// True in a snapshot for a new subscriber, in which `touches` contains all touches that are down; nil otherwise.
    public var whole: Bool?
    /// The touches with events, in the order of their delivery.
    public var touches: [Touch] = []
    /// The state changes of recognizers, in order.
    public var changes: [Change] = []
    /// The shown pages, in the order of the screens that have pages; nil if unchanged.
    public var pages: [String]?
    /// The views that differ from the layout file; nil if unchanged.
    public var views: [ViewState]?
    /// The time from the kernel's timestamp to the end of the event, in seconds; nil for a recording and without
    /// touches.
    public var latency: Double?
    /// The queue.
    public var queue: Queue

    /// A view that a handler or a request changed.
    public struct ViewState: Codable, Equatable, Sendable {
        /// Its id.
        public var view: String
        /// Whether it is hidden, and whether it receives touches.
        public var hidden, enabled: Bool

        /// Creates a state.
        public init(view: String, hidden: Bool, enabled: Bool) {
            self.view = view
            self.hidden = hidden
            self.enabled = enabled
        }
    }

    /// Creates a record without touches and changes.
    public init(time: Double, queue: Queue) {
        self.time = time
        self.queue = queue
    }

    /// The record as a JSON object in one line, as sent over the socket.
    public var json: String { String(decoding: jsonLine, as: UTF8.self) }
}
