/// The effects of one touch event, or of a recognizer's timeout between two events, for the inspector.
///
/// It is an event of the control socket's topic `inspection`. For a private view it reports as much as `touch` and
/// `gesture` do (docs/control-protocol.md): that it was touched, but neither the location nor the subview.
package struct InspectionRecord: EventRecord, JSONMessage, Equatable {
    package static let event: StaticString = "inspection"

    /// The queue between devices and views, after the event.
    package struct Queue: JSONMessage, Equatable {
        package var frames = 0, age = 0.0
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("frames", "how many frames wait", \.frames)
            visitor.member("age", .seconds, "how long the oldest has waited; 0 for a recording", \.age)
        }
    }

    /// An event of a touch.
    package struct Touch: JSONMessage, Equatable {
        package var touch = 0, source: UInt32 = 0, phase = TouchRecord.Phase.began, raw: [Int32]?, x, y: Double?,
            screen: String?
        package var view: String?, forwarded: String?, handlers: [String] = [], attachment: Attachment?
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("touch", "the touch's number, as in `touch`", \.touch)
            visitor.member("source", "its device's number, as in `devices`", \.source)
            visitor.member(
                "phase",
                "`began`, `moved`, `ended` or `cancelled`; `stationary` if only `forwarded` changes, and in a snapshot",
                \.phase)
            visitor.member(
                "raw",
                """
                `[x, y]` in the device's units, before rotation, calibration and mapping; absent in a private view \
                and for a mouse
                """,
                \.raw)
            visitor.member("x", .points, "the position on the screen; absent in a private view", \.x)
            visitor.member("y", .points, "see `x`", \.y)
            visitor.member("screen", "the screen's name, in a layout with several", \.screen)
            visitor.member("view", "the nearest view with an id, or the outermost private view", \.view)
            visitor.member("forwarded", "as in `touch`", \.forwarded)
            visitor.member(
                "handlers", "the handlers that ran for it, in order, and those of omitted moves before it", \.handlers)
            visitor.member(
                "attachment",
                "what does not change while the touch is down; sent once, and again to each new subscriber",
                \.attachment)
        }
    }

    /// The facts that are fixed when a touch begins.
    package struct Attachment: JSONMessage, Equatable {
        package var isPrivate = false, path: [String] = [], responders: [String] = [], recognizers: [Recognizer] = []
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("private", "whether the touch is in a private view", \.isPrivate)
            visitor.member("path", "the ids of the views that contain it, starting with the innermost", \.path)
            visitor.member("responders", "the responder chain, starting with the view", \.responders)
            visitor.member("recognizers", "the recognizers that receive it, in order", \.recognizers)
        }
    }

    /// The state of a recognizer, as in UIKit.
    package enum State: String, CaseIterable, JSONValue, Sendable {
        case possible, began, changed, ended, cancelled, failed
    }

    package struct Recognizer: JSONMessage, Equatable {
        package var recognizer = 0, gesture = "", id: String?, view: String?, state = State.possible
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member(
                "recognizer",
                "its number, which `changes` refer to until the layout is reloaded; one for all of a private view",
                \.recognizer)
            visitor.member("gesture", "the kind, as in the layout: `long-press`", \.gesture)
            visitor.member("id", "its id in the layout; absent without one, and on a private view", \.id)
            visitor.member("view", "the view that it is attached to", \.view)
            visitor.member(
                "state", "`possible`, `began`, `changed`, `ended`, `cancelled` or `failed`, as in UIKit", \.state)
        }
    }

    /// A state change of a recognizer.
    package struct StateChange: JSONMessage, Equatable {
        package var recognizer = 0, gesture = "", id: String?, view: String?, touches: [Int] = []
        package var from = State.possible, to = State.possible
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("recognizer", "the recognizer's number", \.recognizer)
            visitor.member("gesture", "the kind", \.gesture)
            visitor.member("id", "its id, as in `attachment`", \.id)
            visitor.member("view", "the view that it is attached to", \.view)
            visitor.member("from", "the previous state", \.from)
            visitor.member("to", "the new state; `possible` after a reset", \.to)
            visitor.member("touches", "the touches of its gesture", \.touches)
        }
    }

    /// A view that a handler or a request changed.
    package struct ViewState: JSONMessage, Equatable {
        package var view = "", hidden = false, enabled = true
        package init() {}

        package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
            visitor.member("view", "its id", \.view)
            visitor.member("hidden", "whether it is hidden", \.hidden)
            visitor.member("enabled", "whether it receives touches", \.enabled)
        }
    }

    package var time = 0.0, whole: Bool?, touches: [Touch] = [], changes: [StateChange] = [], pages: [String]?
    package var views: [ViewState]?, latency: Double?, queue = Queue()
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("time", .seconds, "as in `touch`", \.time)
        visitor.member(
            "whole",
            """
            true in a snapshot for a new subscriber, in which `touches` has all touches that are down; otherwise \
            absent
            """,
            \.whole)
        visitor.member("touches", "the touches with events, in the order of their delivery", \.touches)
        visitor.member("changes", "the state changes of recognizers, in order", \.changes)
        visitor.member(
            "pages", "the shown pages, in the order of the screens that have pages; absent if unchanged", \.pages)
        visitor.member("views", "the views that differ from the file; absent if unchanged", \.views)
        visitor.member(
            "latency", .seconds,
            """
            from the kernel's timestamp to the end of the event's last handler; absent for a recording and without \
            touches
            """,
            \.latency)
        visitor.member("queue", "the queue between devices and views", \.queue)
    }

    package func write(to writer: inout JSONWriter) { writer.write(event: self) }
}
