/// The effect of a palm (`MT_TOOL_PALM`) on the contacts of its device.
public enum PalmHandling: String, Sendable, CaseIterable {
    /// The palm's contact is cancelled, or never begins; it is ignored until it is lifted.
    case cancel
    /// All contacts of the device are cancelled and ignored until they are lifted; no contact begins while the palm is
    /// down.
    case cancelAll = "cancel-all"
    /// A palm is treated like a finger.
    case allow
}
