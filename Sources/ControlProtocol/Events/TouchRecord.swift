import Glibc

/// An event of a touch, for both writers and readers.
package struct TouchRecord: EventRecord, JSONMessage, Equatable {
    package static let event: StaticString = "touch"

    /// What happened to the touch.
    package enum Phase: String, JSONValue, Sendable, CaseIterable {
        case began, moved, stationary, ended, cancelled

        /// Whether it is the last phase of a touch.
        package var isLast: Bool { self == .ended || self == .cancelled }
    }

    package var time = 0.0, device = "", touch = 0, phase = Phase.began, screen: String?, x, y: Double?
    package var view: String?, forwarded: String?, handlers: [String] = []
    /// The page that contains the view, or that its screen shows: for the journal, no member of the event.
    package var page: String?
    package init() {}

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member(
            "time", .seconds, "on the kernel's `CLOCK_MONOTONIC`, or since a recording's first event", \.time)
        visitor.member("device", "the device's name", \.device)
        visitor.member("touch", "the touch's number, counted from 1 since touchd started", \.touch)
        visitor.member("phase", "`began`, `moved`, `ended` or `cancelled`", \.phase)
        visitor.member("screen", "the screen's name, in a layout with several", \.screen)
        visitor.member("x", .points, "the position on the screen, absent in a private view", \.x.hundredths)
        visitor.member("y", .points, "see `x`", \.y.hundredths)
        visitor.member("view", "the nearest view with an id, or null", \.view.orNull)
        visitor.member(
            "forwarded", "for a panel with `forward: true`: `yes`, `delayed`, `cancelled`, or `no: ` and the reason",
            \.forwarded)
        visitor.member("handlers", "the handlers that ran for the event, in order", \.handlers)
    }

    package func write(to writer: inout JSONWriter) { writer.write(event: self) }

    /// Creates the record of a touch without a place.
    package init(time: Double, device: String, touch: Int, phase: Phase) {
        (self.time, self.device, self.touch, self.phase) = (time, device, touch, phase)
    }

    /// The touch as a readable line.
    package var summary: String {
        let seconds = time.text(decimals: 3), time = String(repeating: " ", count: max(10 - seconds.count, 0)) + seconds
        let place = x.flatMap { x in y.map { y in " at (\(x.text(decimals: 1)), \(y.text(decimals: 1)))" } } ?? ""
        let phase = phase.rawValue + String(repeating: " ", count: max(9 - phase.rawValue.count, 0))
        let ran = handlers.isEmpty ? "" : "  → \(handlers.joined(separator: ", "))"
        let forwarded = forwarded.map { "; forwarded: \($0)" } ?? ""
        return "\(time) s  touch \(touch) \(phase) on \(view ?? "no view")\(place), \(device)\(forwarded)\(ran)"
    }
}

extension Double {
    /// A coordinate in points, rounded to the hundredth: finer than any panel, and short.
    package var hundredths: Double { (self * 100).rounded() / 100 }

    /// The number with this many decimals.
    fileprivate func text(decimals: Int32) -> String {
        var text = [CChar](repeating: 0, count: 400)
        withVaList([decimals, self]) { _ = vsnprintf(&text, text.count, "%.*f", $0) }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension Double? {
    /// A coordinate as it is written.
    package var hundredths: Double? {
        get { map(\.hundredths) }
        set { self = newValue }
    }
}

/// A gesture that was recognized, changed or ended.
///
/// Numbers have full precision: a client scales pictures with them.
package struct GestureRecord: EventRecord {
    package static let event: StaticString = "gesture"

    /// One number, or one for each axis.
    package enum Measure: JSONWritable, Sendable {
        case scalar(Double), vector(Double, Double)

        package static var form: JSONForm { .either(.number, .numbers(2)) }

        package func write(to writer: inout JSONWriter) {
            switch self {
            case .scalar(let value): writer.write(value.isFinite ? value : 0)
            case .vector(let x, let y): [x, y].map { $0.isFinite ? $0 : 0 }.write(to: &writer)
            }
        }
    }

    /// The measures of a gesture outside private views.
    package struct Measures: Sendable {
        package var touches: Int
        package var x, y, scale, rotation: Double?
        package var translation, velocity: Measure?
        package var direction: String?

        /// Creates the measures of a gesture with a number of fingers.
        package init(touches: Int) { self.touches = touches }
    }

    package let time: Double, gesture: String, id: String?, trigger: String, view: String?, measures: Measures?
    /// The page and the screen of the view: for the journal, no members of the event.
    package var page, screen: String?

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("time", .seconds, "as for a touch") { $0.time }
        visitor.member("gesture", "the kind, as in the layout: `long-press`") { $0.gesture }
        visitor.member("id", "the gesture's id; absent without one and on a private view") { $0.id }
        visitor.member("trigger", "`recognized`, `began`, `changed`, `ended` or `cancelled`") { $0.trigger }
        visitor.member("view", "the view's id, or null; on a private view that of the outermost private view") {
            OrNull($0.view)
        }
        visitor.member("touches", "the number of fingers; absent, as all below, while one is on a private view") {
            $0.measures?.touches
        }
        visitor.member("x", .points, "the position on the screen") { $0.measures?.x }
        visitor.member("y", .points, "see `x`") { $0.measures?.y }
        visitor.member("scale", "of a pinch, relative to the first distance") { $0.measures?.scale }
        visitor.member("rotation", .radians, "of a rotation, clockwise") { $0.measures?.rotation }
        visitor.member("translation", .points, "of a pan, `[x, y]` in the view") { $0.measures?.translation }
        visitor.member(
            "velocity", .perSecond, "of a pan `[x, y]` in points, of a pinch its scale's, of a rotation in radians"
        ) { $0.measures?.velocity }
        visitor.member("direction", "of a swipe: `left`, `right`, `up` or `down`") { $0.measures?.direction }
    }

    package func write(to writer: inout JSONWriter) { writer.write(event: self) }

    package init(time: Double, gesture: String, id: String?, trigger: String, view: String?, measures: Measures?) {
        (self.time, self.gesture, self.id, self.trigger) = (time, gesture, id, trigger)
        (self.view, self.measures) = (view, measures)
    }

    /// The id of the gesture, or its kind.
    package var name: String { id ?? gesture }
}

/// A control that is held, pressed, released or switched.
package struct ControlRecord: EventRecord {
    package static let event: StaticString = "control"

    package let time: Double, control: String, view: String?, on: Bool?

    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member("time", .seconds, "as for a touch") { $0.time }
        visitor.member("control", "`held`, `pressed`, `released` or `toggled`") { $0.control }
        visitor.member("view", "the control's id, or null; in a private view that of the outermost private view") {
            OrNull($0.view)
        }
        visitor.member("on", "with `toggled`, the new state; absent in a private view") { $0.on }
    }

    package func write(to writer: inout JSONWriter) { writer.write(event: self) }

    package init(time: Double, control: String, view: String?, on: Bool?) {
        (self.time, self.control, self.view, self.on) = (time, control, view, on)
    }
}

/// A value for the client that has published a view, and for nobody else. It cannot be written to anybody.
package struct ForPublisher<Value: Sendable>: Sendable {
    private let value: Value
    private let publisher: ObjectIdentifier

    /// Encloses a value for a client.
    package init(_ value: Value, publisher: ObjectIdentifier) { (self.value, self.publisher) = (value, publisher) }

    /// The value, if this client has published the view.
    package func opened(by client: AnyObject) -> Value? { ObjectIdentifier(client) == publisher ? value : nil }
}

/// Limits the rate of a touch's moves, so that a log shows a finger's path and not every step.
package struct MoveSampler {
    /// The minimum time between two moves of a touch, in seconds; nil to drop all moves.
    private let interval: Double?
    private var last: [(touch: Int, time: Double)] = []

    /// Creates a sampler; 0 drops all moves.
    package init(perSecond: Int) { interval = perSecond > 0 ? 1 / Double(perSecond) : nil }

    /// Whether to keep a move. Allocates nothing once the maximum number of simultaneous touches has been reached.
    package mutating func accepts(touch: Int, at time: Double) -> Bool {
        guard let interval else { return false }
        guard let index = last.firstIndex(where: { $0.touch == touch }) else {
            last.append((touch, time))
            return true
        }
        guard time - last[index].time >= interval else { return false }
        last[index].time = time
        return true
    }

    /// Forgets a touch that has ended.
    package mutating func forget(touch: Int) { last.removeAll { $0.touch == touch } }
}
