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

    /// How to find the process that grabbed the device; nil if none has.
    public var heldNote: String? {
        isHeld ? "grabbed by another process, which alone receives its events; find it with: fuser -v \(path)" : nil
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
