import Glibc

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

    /// What a recognizer did.
    package enum Trigger: String, CaseIterable, JSONValue, Sendable {
        case recognized, began, changed, ended, cancelled
    }

    package let time: Double, gesture: String, id: String?, trigger: Trigger, view: String?, measures: Measures?
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
        visitor.member("touches", "the number of fingers; absent, as all below, if one is or was on a private view") {
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

    package init(time: Double, gesture: String, id: String?, trigger: Trigger, view: String?, measures: Measures?) {
        (self.time, self.gesture, self.id, self.trigger) = (time, gesture, id, trigger)
        (self.view, self.measures) = (view, measures)
    }

    /// The id of the gesture, or its kind.
    package var name: String { id ?? gesture }
}
