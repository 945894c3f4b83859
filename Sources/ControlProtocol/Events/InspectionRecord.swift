import Foundation

/// What one touch event did, or recognizers between two: a moment of what the screen feels, for the inspector.
///
/// It is an event of the control socket's topic `inspection`, and tells of private views what `touch` and `gesture` tell
/// (docs/control-protocol.md): that they were touched, and neither where nor in which view of theirs.
public nonisolated struct InspectionRecord: Codable, Equatable, Sendable {
    /// The queue between devices and views, as the event was over.
    public struct Queue: Codable, Equatable, Sendable {
        /// How many frames waited.
        public var frames: Int
        /// How many seconds the oldest had waited; 0 of a recording.
        public var age: Double
    }

    /// A touch that did something.
    public struct Touch: Codable, Equatable, Sendable {
        /// Which touch: counted from 1 since touchd started.
        public var touch: Int
        /// The number of its device, as `devices` has it.
        public var source: UInt32
        /// `began`, `moved`, `ended` or `cancelled`; `stationary` where it is told since somebody subscribed.
        public var phase: String
        /// The device's own units, before rotation, calibration and mapping; nil in a private view and of a mouse.
        public var raw: [Int32]?
        /// Points of the screen; nil in a private view.
        public var x, y: Double?
        /// The screen's name, where the layout has several.
        public var screen: String?
        /// The nearest view with an id, or the outermost private one.
        public var view: String?
        /// The handlers that ran for it, in their order; those of moves that were left out before it too, each once.
        public var handlers: [String]
        /// What stays the same as long as it is down; told once, and again when somebody else subscribes.
        public var attachment: Attachment?
    }

    /// What a touch belongs to from its beginning on.
    public struct Attachment: Codable, Equatable, Sendable {
        /// Whether it is in a private view.
        public var isPrivate: Bool
        /// The ids of the views it is in, from the innermost.
        public var path: [String]
        /// The responder chain, from the view outwards, in words.
        public var responders: [String]
        /// The recognizers that are given it, in the order in which they are told.
        public var recognizers: [Recognizer]

        private enum CodingKeys: String, CodingKey {
            case path, responders, recognizers, isPrivate = "private"
        }
    }

    /// A recognizer.
    public struct Recognizer: Codable, Equatable, Sendable {
        /// Its number, by which changes name it as long as the layout is not loaded again.
        public var recognizer: Int
        /// The kind by the layout's word, `long-press`.
        public var gesture: String
        /// Its id in the layout; nil where it has none, and on a private view.
        public var id: String?
        /// The view it is attached to.
        public var view: String?
        /// Its state when this was told, in UIKit's words: `possible`, `began`, `changed`, `ended`, `cancelled`, `failed`.
        public var state: String
    }

    /// A recognizer that entered another state.
    public struct Change: Codable, Equatable, Sendable {
        /// Its number.
        public var recognizer: Int
        /// The kind by the layout's word.
        public var gesture: String
        /// Its id, as `Recognizer` has it, and its view.
        public var id, view: String?
        /// The states, from one to the other.
        public var from, to: String
        /// The touches of its gesture.
        public var touches: [Int]
    }

    /// The name of the event.
    public private(set) var event = "inspection"
    /// Seconds on the kernel's monotonic clock, or since a recording's first event.
    public var time: Double
    /// True where it is what was found when somebody subscribed: `touches` are all that are down; nil of anything else.
    public var whole: Bool?
    /// The touches that did something, in the order in which they were told to their views.
    public var touches: [Touch] = []
    /// What recognizers decided, in that order.
    public var changes: [Change] = []
    /// The pages that are shown, in the order of the screens that have any; nil while they are the same as before.
    public var pages: [String]?
    /// The views that are not as the file has them; nil while they are the same as before.
    public var views: [ViewState]?
    /// From the kernel's stamp until the event was over, in seconds; nil of a recording and where no touch did anything.
    public var latency: Double?
    /// The queue.
    public var queue: Queue

    /// A view that a handler or a request changed.
    public struct ViewState: Codable, Equatable, Sendable {
        /// Its id.
        public var view: String
        /// Whether it is hidden now, and whether it takes touches now.
        public var hidden, enabled: Bool

        /// Makes one.
        public init(view: String, hidden: Bool, enabled: Bool) {
            self.view = view
            self.hidden = hidden
            self.enabled = enabled
        }
    }

    /// Makes a record in which nothing happened.
    public init(time: Double, queue: Queue) {
        self.time = time
        self.queue = queue
    }

    /// The record as a JSON object in one line, as it goes over the socket.
    public var json: String { String(decoding: jsonLine, as: UTF8.self) }
}
