/// A device and what touchd makes of it, for status and for `touchd devices`.
public struct DeviceInfo: Sendable, Equatable {
    /// What touchd does with a device.
    public enum Use: Sendable, Equatable {
        /// Its frames are delivered.
        case used
        /// It is left alone, and why.
        case ignored(reason: String)
        /// It should be used but cannot be.
        case failed(DeviceError)
    }

    /// The identity that its frames bear; the same when it returns to the same port.
    public let id: DeviceID
    /// The event node, which may be another one when the device returns.
    public let path: String
    /// What the device says of itself; with nothing but a name if it could not be opened.
    public let description: DeviceDescription
    /// What the device is.
    public let role: DeviceRole
    /// Whether it is used.
    public let use: Use
    /// What rules and udev's properties say of it.
    public let settings: DeviceSettings

    /// Whether another process held the device (`EVIOCGRAB`) when that was last tried, so that no events come.
    ///
    /// Tried when touchd opens a device that it uses, and by `DeviceMonitor.testGrabs()`. The process may be another touchd
    /// whose rule has `grab`.
    public var isHeld = false

    /// How to find the process that holds the device; nil if none does.
    public var heldRemark: String? {
        isHeld ? "held by another process, which alone gets its events; find it by: fuser -v \(path)" : nil
    }

    /// Puts together what is known of a device.
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

/// What happened to a device.
public enum DeviceChange: Sendable, Equatable {
    /// It is there and its frames will come.
    case added(DeviceInfo)
    /// It is there and its frames will come, as when `added`, which is not told then; but it could not be grabbed as its
    /// rule says: others get its events too, and while another program has grabbed it (EBUSY) its frames do not come.
    case notGrabbed(DeviceInfo, DeviceError)
    /// It is gone, or no longer used; what was down on it was cancelled before.
    case removed(DeviceInfo)
    /// It is there and left alone, for the reason in `use`.
    case ignored(DeviceInfo)
    /// It is there and cannot be read, or could not be read on; the error is in `use`.
    case failed(DeviceInfo)
}
