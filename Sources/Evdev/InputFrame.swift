/// The changes that one device reported between two `SYN_REPORT` events: a plain value, and the only output of this
/// module.
///
/// A frame contains changes, not state: an unchanged contact is not in it. Keys are in the order in which the kernel
/// reported them. The changes of contacts are simultaneous: those that end come first, then those that move, then those
/// that begin, so a finger that lands while another lifts is not a second one. Positions are in the unit square of the device's screen, after rotation, calibration
/// and mapping, so higher layers need not know a device's axes.
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

/// The motion of a pointing device in one frame.
public enum PointerMotion: Sendable, Equatable {
    /// The relative motion of a mouse in points, after acceleration; x to the right, y downwards.
    case by(x: Double, y: Double)
    /// The new location of an absolute pointer.
    case to(SurfacePoint)
}

/// The motion of wheels in one frame, in detents; positive is to the right and away from the user, as in `REL_WHEEL`.
public struct ScrollDelta: Sendable, Equatable {
    /// The horizontal wheel.
    public var x: Double
    /// The vertical wheel.
    public var y: Double

    /// Creates a delta.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A key or button that changed in one frame.
public struct KeyChange: Sendable, Equatable {
    /// The action of a key; the raw values are those of `EV_KEY` events, which have no cancellation.
    public enum Action: UInt8, Sendable {
        /// It was released.
        case released = 0
        /// It was pressed.
        case pressed = 1
        /// It is held, and the kernel repeats it.
        case repeated = 2
        /// It ended without being released: the device was removed.
        case cancelled = 3
    }

    /// The kernel's code, `KEY_…` or `BTN_…`.
    public var code: UInt16
    /// The action.
    public var action: Action

    /// Creates a change.
    public init(code: UInt16, action: Action) {
        self.code = code
        self.action = action
    }
}

/// The measurement of an accelerometer in units of standard gravity, on the device's axes.
public struct Acceleration: Sendable, Equatable {
    /// Along the device's x axis.
    public var x: Double
    /// Along the device's y axis.
    public var y: Double
    /// Along the device's z axis.
    public var z: Double

    /// Creates a measurement.
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }
}
