/// What one device reported between two `SYN_REPORT`s: a plain value, the only thing that leaves this module upwards.
///
/// A frame holds changes, not state: a contact that did not change is not in it. The order of the arrays is the order
/// in which the kernel reported the changes. Positions are in the unit square of the screen that the device belongs to,
/// already rotated, calibrated and mapped, so nothing above needs to know a device's axes.
public struct InputFrame: Sendable, Equatable {
    /// The device that reported.
    public var device: DeviceID
    /// The time the kernel gave the frame.
    public var timestamp: InputTimestamp
    /// Contacts that began, moved, ended or were cancelled.
    public var contacts: [Contact]
    /// How a mouse or an absolute pointer moved.
    public var pointer: PointerMotion?
    /// How far wheels turned.
    public var scroll: ScrollDelta?
    /// Buttons and keys that changed, in the order of their events.
    public var keys: [KeyChange]
    /// What an accelerometer measured.
    public var acceleration: Acceleration?

    /// Makes a frame; without arguments after the timestamp, an empty one.
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
}

/// A device for as long as the process lives; a device that returns to the same place has the same identity.
public struct DeviceID: Hashable, Sendable {
    /// A small number, counted from 1 in the order in which devices were first seen.
    public var rawValue: UInt32

    /// Makes an identity from its number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// A moment on `CLOCK_MONOTONIC` as the kernel stamps input events, or on a recording's own clock.
public struct InputTimestamp: Hashable, Comparable, Sendable {
    /// Microseconds since the clock's start.
    public var microseconds: Int64

    /// Makes a timestamp from microseconds.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// The same moment in seconds.
    public var seconds: Double { Double(microseconds) / 1_000_000 }

    /// Orders by time.
    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }
}

/// One finger, pen or palm on a surface, as it changed in one frame.
public struct Contact: Sendable, Equatable {
    /// What happened to a contact in a frame.
    public enum Phase: UInt8, Sendable {
        /// It came down; it was not there in the frame before.
        case began
        /// It is down as before, and its position or another axis changed.
        case moved
        /// It was lifted.
        case ended
        /// It is gone without having been lifted: the device went away, or the contact turned out to be a palm.
        case cancelled
    }

    /// What touches the surface (`ABS_MT_TOOL_TYPE`).
    public enum Tool: UInt8, Sendable {
        /// A finger, and everything a device does not tell apart.
        case finger
        /// A pen or stylus.
        case pen
    }

    /// Which contact of the device this is: unique from began to ended, and never used again by this device.
    public var id: UInt32
    /// What happened.
    public var phase: Phase
    /// What touches.
    public var tool: Tool
    /// The slot of protocol B that carried it; 0 for a single-touch device.
    public var slot: Int32
    /// The kernel's `ABS_MT_TRACKING_ID`, which it may use again; counted from 0 for a single-touch device.
    public var trackingID: Int32
    /// Where it is, from 0 to just below 1 on each axis of the screen.
    public var position: SurfacePoint
    /// Where it is in the device's own units.
    public var raw: RawPoint
    /// Pressure from 0 to 1, or nil where the device has no such axis.
    public var pressure: Float?
    /// Half the major axis of the contact as a fraction of the screen's width, or nil where the device has no such axis.
    public var majorRadius: Float?
    /// Half the minor axis, as `majorRadius`.
    public var minorRadius: Float?
    /// The angle of the major axis in radians, clockwise from the surface's vertical, or nil.
    public var orientation: Float?

    /// Makes a contact.
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

/// A point in the unit square of a screen or surface: (0, 0) is its top left corner, (1, 1) is just outside its bottom right one.
public struct SurfacePoint: Sendable, Equatable {
    /// From 0 at the left to just below 1 at the right.
    public var x: Double
    /// From 0 at the top to just below 1 at the bottom.
    public var y: Double

    /// Makes a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A point in a device's own units, as its absolute axes report it.
public struct RawPoint: Sendable, Equatable {
    /// The value of `ABS_MT_POSITION_X` or `ABS_X`.
    public var x: Int32
    /// The value of `ABS_MT_POSITION_Y` or `ABS_Y`.
    public var y: Int32

    /// Makes a point.
    public init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
    }
}

/// How a pointing device moved in one frame.
public enum PointerMotion: Sendable, Equatable {
    /// A mouse moved by so much, in points after acceleration; x to the right, y downwards.
    case by(x: Double, y: Double)
    /// An absolute pointer is now here.
    case to(SurfacePoint)
}

/// How far wheels turned in one frame, in detents; positive is to the right and away from the user, as `REL_WHEEL` has it.
public struct ScrollDelta: Sendable, Equatable {
    /// The horizontal wheel.
    public var x: Double
    /// The vertical wheel.
    public var y: Double

    /// Makes a delta.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// A key or button that changed in one frame.
public struct KeyChange: Sendable, Equatable {
    /// What a key did; the raw values are those of `EV_KEY` events, which know no cancellation.
    public enum Action: UInt8, Sendable {
        /// It was let go.
        case released = 0
        /// It was pressed.
        case pressed = 1
        /// It is held, and the kernel repeats it.
        case repeated = 2
        /// It is gone without having been let go: the device went away.
        case cancelled = 3
    }

    /// The kernel's code, `KEY_…` or `BTN_…`.
    public var code: UInt16
    /// What it did.
    public var action: Action

    /// Makes a change.
    public init(code: UInt16, action: Action) {
        self.code = code
        self.action = action
    }
}

/// What an accelerometer measured, in units of standard gravity on the device's axes.
public struct Acceleration: Sendable, Equatable {
    /// Along the device's x axis.
    public var x: Double
    /// Along the device's y axis.
    public var y: Double
    /// Along the device's z axis.
    public var z: Double

    /// Makes a measurement.
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }
}
