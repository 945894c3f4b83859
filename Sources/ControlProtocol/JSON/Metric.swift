/// How a member of the state is a metric of Prometheus. Its row in the table has the meaning and the value.
package struct Metric: Sendable {
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

/// A value of a metric that is not a member.
package typealias MetricSample = (labels: [(name: String, value: String)], value: Int)
