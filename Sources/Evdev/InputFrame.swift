/// The changes that one device reported between two `SYN_REPORT` events: a plain value, and the only output of this
/// module.
///
/// A frame contains changes, not state: an unchanged contact is not in it. Keys are in the order in which the kernel
/// reported them. The changes of contacts are simultaneous: those that end come first, then those that move, then those
/// that begin, so a finger that lands while another lifts is not a second one. Positions are in the unit square of the device's screen, after rotation, calibration
/// and mapping, so higher layers need not know a device's axes.
///
/// ```swift
/// let contact = Contact(id: 1, phase: .began, position: SurfacePoint(x: 0.5, y: 0.5))
/// let time = InputTimestamp(microseconds: 1_000_000)
/// application.enqueue(InputFrame(device: DeviceID(rawValue: 1), timestamp: time, contacts: [contact]))
/// application.drainEvents()
/// ```
public struct InputFrame: Sendable, Equatable {
    /// The device that reported.
    public var device: DeviceID
    /// The kernel's timestamp of the frame.
    public var timestamp: InputTimestamp
    /// Contacts that began, moved, ended or were cancelled.
    public var contacts: [Contact]
    /// The motion of a mouse or an absolute pointer.
    public var pointer: PointerMotion?
    /// The motion of wheels.
    public var scroll: ScrollDelta?
    /// Buttons and keys that changed, in the order of their events.
    public var keys: [KeyChange]
    /// The measurement of an accelerometer.
    public var acceleration: Acceleration?

    /// Creates a frame; by default an empty one.
    public init(
        device: DeviceID, timestamp: InputTimestamp, contacts: [Contact] = [], pointer: PointerMotion? = nil,
        scroll: ScrollDelta? = nil, keys: [KeyChange] = [], acceleration: Acceleration? = nil
    ) {
        self.device = device
        self.timestamp = timestamp
        self.contacts = contacts
        self.pointer = pointer
        self.scroll = scroll
        self.keys = keys
        self.acceleration = acceleration
    }

    /// Whether the frame reports nothing.
    public var isEmpty: Bool {
        contacts.isEmpty && keys.isEmpty && pointer == nil && scroll == nil && acceleration == nil
    }

    /// Whether the frame only says that contacts and keys were cancelled.
    package var hasOnlyCancellations: Bool {
        contacts.allSatisfy { $0.phase == .cancelled } && keys.allSatisfy { $0.action == .cancelled } && pointer == nil
            && scroll == nil && acceleration == nil
    }
}
