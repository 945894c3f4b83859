/// How to treat contacts that are not fingers on the surface.
public struct DecodingPolicy: Sendable, Equatable {
    /// The handling of palms (`ABS_MT_TOOL_TYPE` 2).
    var palms: PalmHandling
    /// Whether contacts of fingers are cancelled and ignored while a pen (`BTN_TOOL_PEN`) is in range.
    var ignoresTouchWithPen: Bool
    /// Whether hovering contacts (`ABS_MT_DISTANCE` above 0) are ignored.
    var ignoresHover: Bool

    /// Whether `ABS_MT_TOUCH_MAJOR` 0 ends a contact of protocol A without a tracking id, as with old drivers and
    /// libmtdev; the kernel's documentation does not mention it. It always ends a contact with an id.
    var liftsAtZeroMajor: Bool

    /// Only contacts that touch the surface, for delivery to views.
    public static let touches = DecodingPolicy(
        palms: .cancel, ignoresTouchWithPen: true, ignoresHover: true, liftsAtZeroMajor: true)
    /// Every contact that a device reports, for diagnosis.
    public static let everything = DecodingPolicy(
        palms: .allow, ignoresTouchWithPen: false, ignoresHover: false, liftsAtZeroMajor: false)
}
