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
        package var rank: Int {
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
