/// An event of the control socket.
package protocol EventRecord: JSONRecord {
    /// The value of the member `event`, which is the first one.
    static var event: StaticString { get }
}

extension JSONWriter {
    /// Writes an event.
    ///
    /// Frequent events call it from a method in this module: a generic call from another one costs twice as much.
    mutating func write<Record: EventRecord>(event record: Record) {
        beginObject()
        name("event")
        write(text: Record.event)
        write(membersOf: record)
        end()
    }
}

extension EventRecord {
    package func write(to writer: inout JSONWriter) { writer.write(event: self) }
}

/// A device that was added, removed, ignored or failed, or whose forwarding changed.
package struct DeviceRecord: EventRecord {
    package static let event: StaticString = "device"

    package let change: String, name: String, path: String, reason: String?

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member(
            "change",
            """
            `added`, `removed`, `ignored` or `failed`; for a touchscreen whose rule has `forward: true` also `forwarded` \
            or `not-forwarded`
            """
        ) { $0.change }
        visitor.member("name", "the device's name") { $0.name }
        visitor.member("path", "its event node") { $0.path }
        visitor.member("reason", "why it failed or is not forwarded") { $0.reason }
    }

    package init(change: String, name: String, path: String, reason: String?) {
        (self.change, self.name, self.path, self.reason) = (change, name, path, reason)
    }
}

/// Another page that is shown.
package struct PageRecord: EventRecord {
    package static let event: StaticString = "page"

    package let page: String
    /// The page's screen: for the journal, no member of the event.
    package var screen: String?

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("page", "the page that is shown now") { $0.page }
    }

    package init(page: String, screen: String? = nil) { (self.page, self.screen) = (page, screen) }
}

/// A layout that was loaded.
package struct LayoutRecord: EventRecord {
    package static let event: StaticString = "layout"

    package let layout: String

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("layout", "the path of the layout that was loaded") { $0.layout }
    }

    package init(layout: String) { self.layout = layout }
}

/// An idle time that has passed, or its end.
package struct IdleRecord: EventRecord {
    package static let event: StaticString = "idle"

    package let trigger: String, after: Double

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("trigger", "`idle`, or `woken` when the screen is touched again") { $0.trigger }
        visitor.member("after", .seconds, "the idle time") { $0.after }
    }

    package init(trigger: String, after: Double) { (self.trigger, self.after) = (trigger, after) }
}

/// A change of the views in a slot.
package struct SlotRecord: EventRecord {
    package static let event: StaticString = "slot"

    package let slot: String, change: String, reason: String?, x, y, width, height: Double?

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("slot", "the slot's name") { $0.slot }
        visitor.member("change", "`taken`, `emptied` or `resized`; for `inspection` `published`, `moved` or `emptied`")
        {
            $0.change
        }
        visitor.member("reason", "with `emptied`: why a new layout does not accept the views") { $0.reason }
        visitor.member("x", .points, "with `resized`: the slot's new frame") { $0.x }
        visitor.member("y", .points, "see `x`") { $0.y }
        visitor.member("width", .points, "see `x`") { $0.width }
        visitor.member("height", .points, "see `x`") { $0.height }
    }

    package init(slot: String, change: String, reason: String? = nil, frame: Frame? = nil) {
        (self.slot, self.change, self.reason) = (slot, change, reason)
        (x, y, width, height) = (frame?.x, frame?.y, frame?.width, frame?.height)
    }
}

/// A message that a handler publishes without a broker.
package struct PublishedRecord: EventRecord {
    package static let event: StaticString = "published"

    package let topic: String, message: String

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("topic", "the topic of the handler's `publish:`") { $0.topic }
        visitor.member("message", "the message") { $0.message }
    }

    package init(_ message: String, to topic: String) { (self.message, self.topic) = (message, topic) }
}

/// Events that are missing, because the reader was too slow.
package struct DroppedRecord: EventRecord {
    package static let event: StaticString = "dropped"

    package let count: Int

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("count", "how many events are missing here") { $0.count }
    }

    package init(count: Int) { self.count = count }
}

/// A finger of a self-test that was hit-tested in the running layout: an event for the client that rehearses.
package struct RehearsalRecord: EventRecord, JSONMessage, Equatable {
    package static let event: StaticString = "rehearsal"

    package var phase = "", view = "", x = 0.0, y = 0.0, delay = 0.0
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("phase", "`began`, `ended` or `cancelled`", \.phase)
        visitor.member(
            "view",
            "the view that the finger hit when it came down, as `touchd hit` names it; a private view for all in it",
            \.view)
        visitor.member("x", .points, "the position on the first screen", \.x)
        visitor.member("y", .points, "see `x`", \.y)
        visitor.member("delay", .seconds, "from the kernel's timestamp to the hit test", \.delay)
    }
}

/// The topics that a client of the control socket can subscribe to.
package struct ControlTopic: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Touches that begin, end or are cancelled; moves only if requested.
    package static let touches = ControlTopic(rawValue: 1 << 0)
    /// Recognized gestures.
    package static let gestures = ControlTopic(rawValue: 1 << 1)
    /// Devices that are added, removed or fail.
    package static let devices = ControlTopic(rawValue: 1 << 2)
    /// Shown pages and loaded layouts.
    package static let pages = ControlTopic(rawValue: 1 << 3)

    /// Messages that the layout's handlers publish.
    package static let published = ControlTopic(rawValue: 1 << 4)
    /// All effects of each touch event, for the inspector.
    package static let inspection = ControlTopic(rawValue: 1 << 5)

    /// Controls that are held, pressed, released or switched.
    package static let controls = ControlTopic(rawValue: 1 << 6)
    /// Screens that are not touched for one of the layout's idle times, or are touched again.
    package static let idle = ControlTopic(rawValue: 1 << 7)

    /// All topics by their names in the protocol, in the order of its documentation.
    package static let byName: [(name: String, topic: ControlTopic)] = [
        ("touches", .touches), ("gestures", .gestures), ("controls", .controls), ("devices", .devices),
        ("pages", .pages), ("idle", .idle), ("published", .published), ("inspection", .inspection),
    ]

    /// The names of the topics in the set.
    package var names: [String] { Self.byName.filter { contains($0.topic) }.map(\.name) }
}

extension ControlTopic: JSONWritable {
    package static var form: JSONForm { .list(.choice(byName.map(\.name))) }

    package func write(to writer: inout JSONWriter) { names.write(to: &writer) }
}
