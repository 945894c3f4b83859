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

/// The identity of a device during the process's lifetime; a device that is replugged into the same port keeps it.
public struct DeviceID: Hashable, Sendable {
    /// A small number, counted from 1 in the order in which devices were first seen.
    public var rawValue: UInt32

    /// Creates an identity from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A moment on `CLOCK_MONOTONIC`, the clock of the kernel's input events, or on a recording's clock.
public struct InputTimestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the clock's start.
    public var microseconds: Int64

    /// Creates a timestamp from microseconds.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// The same moment in seconds.
    public var seconds: Double { Double(microseconds) / 1_000_000 }

    /// The moment a number of microseconds later; the last possible one if that is later than the clock can say.
    public func adding(microseconds: Int64) -> InputTimestamp {
        let (sum, overflow) = self.microseconds.addingReportingOverflow(microseconds)
        return InputTimestamp(microseconds: overflow ? (microseconds > 0 ? .max : .min) : sum)
    }

    /// Nanoseconds since the clock's start, bounded by the numbers that exist.
    package var nanoseconds: Int64 {
        let (product, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
        return overflow ? (microseconds > 0 ? .max : .min) : product
    }

    /// Orders by time.
    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }
}

/// One finger, pen or palm on a surface, with its change in one frame.
public struct Contact: Sendable, Equatable {
    /// The change of a contact in a frame.
    public enum Phase: UInt8, Sendable {
        /// It touched the surface; it was not down in the frame before.
        case began
        /// It is still down, and its position or another axis changed.
        case moved
        /// It was lifted.
        case ended
        /// It ended without being lifted: the device was removed, or the contact turned out to be a palm.
        case cancelled

        /// The place of the change in a frame: ends come before moves, and moves before beginnings.
        var rank: Int {
            switch self {
            case .ended, .cancelled: 0
            case .moved: 1
            case .began: 2
            }
        }
    }

    /// The tool that touches the surface (`ABS_MT_TOOL_TYPE`).
    public enum Tool: UInt8, Sendable {
        /// A finger, or any tool that the device does not distinguish.
        case finger
        /// A pen or stylus.
        case pen
    }

    /// The contact's number; unique for the device, never reused.
    public var id: UInt32
    /// The change.
    public var phase: Phase
    /// The tool.
    public var tool: Tool
    /// The contact's slot in protocol B; 0 for a single-touch device.
    public var slot: Int32
    /// The kernel's `ABS_MT_TRACKING_ID`, which the kernel may reuse; counted from 0 for a single-touch device.
    public var trackingID: Int32
    /// The location, from 0 to just below 1 on each axis of the screen.
    public var position: SurfacePoint
    /// The location in device units.
    public var raw: RawPoint
    /// The pressure from 0 to 1; nil if the device has no such axis.
    public var pressure: Float?
    /// Half the major axis of the contact as a fraction of the screen's width; nil if the device has no such axis.
    public var majorRadius: Float?
    /// Half the minor axis, as `majorRadius`.
    public var minorRadius: Float?
    /// The angle of the major axis in radians, clockwise from the surface's vertical, or nil.
    public var orientation: Float?

    /// Creates a contact.
    public init(
        id: UInt32, phase: Phase, tool: Tool = .finger, slot: Int32 = 0, trackingID: Int32 = 0,
        position: SurfacePoint, raw: RawPoint = RawPoint(x: 0, y: 0), pressure: Float? = nil, majorRadius: Float? = nil,
        minorRadius: Float? = nil, orientation: Float? = nil
    ) {
        self.id = id
        self.phase = phase
        self.tool = tool
        self.slot = slot
        self.trackingID = trackingID
        self.position = position
        self.raw = raw
        self.pressure = pressure
        self.majorRadius = majorRadius
        self.minorRadius = minorRadius
        self.orientation = orientation
    }
}

/// A point in the unit square of a screen or surface: (0, 0) is the top left corner, (1, 1) is just outside the bottom
/// right corner.
public struct SurfacePoint: Sendable, Equatable {
    /// From 0 at the left to just below 1 at the right.
    public var x: Double
    /// From 0 at the top to just below 1 at the bottom.
    public var y: Double

    /// Creates a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A point in device units, as reported by the absolute axes.
public struct RawPoint: Sendable, Equatable {
    /// The value of `ABS_MT_POSITION_X` or `ABS_X`.
    public var x: Int32
    /// The value of `ABS_MT_POSITION_Y` or `ABS_Y`.
    public var y: Int32

    /// Creates a point.
    public init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
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
