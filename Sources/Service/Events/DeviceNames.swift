import Evdev

/// The names by which logs know devices.
final class DeviceNames {
    private var names: [DeviceID: String] = [:]

    /// The kernel's name of a device, which stays known after the device is gone.
    subscript(device: DeviceID) -> String {
        get { names[device] ?? "device \(device.rawValue)" }
        set { names[device] = newValue }
    }
}
