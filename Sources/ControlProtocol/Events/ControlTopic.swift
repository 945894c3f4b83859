/// The topics that a client of the control socket can subscribe to.
package struct ControlTopic: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

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

    /// Events of the talking mode, for a program that speaks.
    package static let accessibility = ControlTopic(rawValue: 1 << 8)

    /// All topics by their names in the protocol, in the order of its documentation.
    package static let byName: [(name: String, topic: ControlTopic)] = [
        ("touches", .touches), ("gestures", .gestures), ("controls", .controls), ("devices", .devices),
        ("pages", .pages), ("idle", .idle), ("published", .published), ("inspection", .inspection),
        ("accessibility", .accessibility),
    ]

    /// The names of the topics in the set.
    package var names: [String] { Self.byName.filter { contains($0.topic) }.map(\.name) }
}

extension ControlTopic: JSONWritable {
    package static var form: JSONForm { .list(.choice(byName.map(\.name))) }

    package func write(to writer: inout JSONWriter) { names.write(to: &writer) }
}
