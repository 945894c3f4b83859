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
