/// The contacts that a decoder reports.
package enum DecodingPolicy: Sendable {
    /// Only touches, for delivery to views: no palms, no fingers beside a pen, and nothing that hovers.
    case touches
    /// Every contact that a device reports, for diagnosis.
    case everything
}
