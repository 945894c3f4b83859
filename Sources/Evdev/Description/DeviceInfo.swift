/// A device and its use by touchd, for status reports and `touchd devices`.
public struct DeviceInfo: Sendable, Equatable {
    /// The use of a device by touchd.
    public enum Use: Sendable, Equatable {
        /// Its frames are delivered.
        case used
        /// It is not used, with the reason.
        case ignored(reason: String)
        /// It should be used but cannot be read.
        case failed(DeviceError)

        /// The use and its reason, as messages report them.
        package var words: (use: String, reason: String?) {
            switch self {
            case .used: ("used", nil)
            case .ignored(let reason): ("ignored", reason)
            case .failed(let error): ("failed", error.reason)
            }
        }
    }

    /// The identity in its frames; the same if it is replugged into the same port.
    public let id: DeviceID
    /// The event node; may change when the device is replugged.
    public let path: String
    /// The device's description of itself; only a name if it could not be opened.
    public let description: DeviceDescription
    /// The device's role.
    public let role: DeviceRole
    /// Whether touchd uses it.
    public let use: Use
    /// The settings from rules and udev's properties.
    public let settings: DeviceSettings

    /// Whether another process had grabbed the device (`EVIOCGRAB`) at the last check, so that it sends no events to
    /// touchd.
    ///
    /// Checked when touchd opens a device that it uses, and by `DeviceMonitor.testGrabs()`. The process may be another
    /// touchd whose rule has `grab`.
    public var isHeld = false

    /// The words for a device that another process has grabbed, after its name and `is`.
    package static let isGrabbed = "grabbed by another process, which alone receives its events"
    /// The same, with the command that finds the process.
    package static let heldNote = isGrabbed + "; 'sudo touchd devices' names it"

    /// A remark on a panel that reports a touch by its pressure alone and reported one when it was opened: noise above
    /// the axis's minimum looks like a finger that never lifts. Nil for other devices.
    package var restingNote: String? {
        guard use == .used, role.touchProtocol == .single, settings.pressureThreshold == nil,
            !description[EventType.key].contains(KeyCode.touch), let pressure = description.axes[AbsCode.pressure],
            pressure.value > pressure.minimum
        else { return nil }
        return "its pressure was \(pressure.value) when it was opened, above the minimum of \(pressure.minimum), which "
            + "is a touch; if nobody touched it, set 'pressure' in its rule"
    }

    /// The ranges of the position axes of its contacts or of its pointer; nil if it has no position.
    public var positionAxes: (x: AxisInfo?, y: AxisInfo?)? {
        let single = settings.positionAxes ?? PositionAxes(x: AbsCode.x, y: AbsCode.y)
        switch role.touchProtocol {
        case .slots, .anonymous: return (description.axes[AbsCode.positionX], description.axes[AbsCode.positionY])
        case .single: return (description.axes[single.x], description.axes[single.y])
        case nil where role.kind == .absolutePointer:
            return (description.axes[AbsCode.x], description.axes[AbsCode.y])
        case nil: return nil
        }
    }

    /// Creates an info.
    package init(
        id: DeviceID, path: String, description: DeviceDescription, role: DeviceRole, use: Use,
        settings: DeviceSettings
    ) {
        self.id = id
        self.path = path
        self.description = description
        self.role = role
        self.use = use
        self.settings = settings
    }
}

/// A change of a device.
public enum DeviceChange: Sendable, Equatable {
    /// It is present and used.
    case added(DeviceInfo)
    /// It is present and used, but could not be grabbed as its rule requires; reported instead of `added`. Other
    /// readers get its events too. While another process has grabbed it (EBUSY), it sends no frames.
    case notGrabbed(DeviceInfo, DeviceError)
    /// It was removed or is no longer used; its contacts and keys were cancelled before.
    case removed(DeviceInfo)
    /// It is present and not used, for the reason in `use`.
    case ignored(DeviceInfo)
    /// It is present and cannot be read, or reading failed; the error is in `use`.
    case failed(DeviceInfo)
}
