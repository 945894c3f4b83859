import Evdev

/// The device names that logs use.
final class DeviceNames {
    private var names: [DeviceID: String] = [:]

    /// The kernel's name of a device; kept after the device is removed.
    subscript(device: DeviceID) -> String {
        get { names[device] ?? "device \(device.rawValue)" }
        set { names[device] = newValue }
    }
}
