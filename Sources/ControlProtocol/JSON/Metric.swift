/// How a member of the state is a metric of Prometheus. Its row in the table has the meaning and the value.
package struct Metric: Sendable {
    /// The kind of a metric.
    package enum Kind: String, Sendable {
        case gauge, counter, summary
        /// Not a metric: the member distinguishes the metrics of several objects.
        case label
    }

    package let kind: Kind
    /// The name; of a counter without `_total`, of a duration with `_seconds`. Members of one name differ by their label.
    package let name: StaticString
    /// The name of the label, and its value; without a value, a dictionary has the values.
    package private(set) var label: StaticString?, value: StaticString?
    /// The meaning of all members with the name; nil for that of the only one.
    package private(set) var help: StaticString?

    package var isDuration: Bool { "\(name)".hasSuffix("_seconds") }
}

extension MemberUnit {
    /// A value that rises and falls.
    package static func gauge(_ name: StaticString) -> MemberUnit { .metric(Metric(kind: .gauge, name: name)) }

    /// A count since touchd started.
    package static func counter(
        _ name: StaticString, _ label: StaticString? = nil, _ value: StaticString? = nil, help: StaticString? = nil
    ) -> MemberUnit { .metric(Metric(kind: .counter, name: name, label: label, value: value, help: help)) }

    /// Statistics of durations.
    package static func summary(_ name: StaticString) -> MemberUnit { .metric(Metric(kind: .summary, name: name)) }

    /// The label of an object's metrics.
    package static func label(_ name: StaticString) -> MemberUnit { .metric(Metric(kind: .label, name: name)) }
}

/// A value of a metric that is not a member.
package typealias MetricSample = (labels: [(name: String, value: String)], value: Int)
