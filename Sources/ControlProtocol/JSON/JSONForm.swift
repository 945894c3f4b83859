/// A type of value in JSON.
package indirect enum JSONForm: Sendable {
    case text, number, integer, bool, any
    /// One of these texts.
    case choice([String])
    case list(JSONForm)
    /// A list of this many numbers.
    case numbers(Int)
    /// An object whose members have names that no table lists.
    case object(JSONForm)
    case record(any JSONRecord.Type)
    case either(JSONForm, JSONForm)
    /// A member that is absent without a value.
    case optional(JSONForm)
    /// A member that is null without a value.
    case orNull(JSONForm)
}
