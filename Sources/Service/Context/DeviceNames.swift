import Evdev

/// The device names that logs use.
package final class DeviceNames {
    private var names: [DeviceID: String] = [:]

    package init() {}

    /// The kernel's name of a device; kept after the device is removed.
    package subscript(device: DeviceID) -> String {
        get { names[device] ?? "device \(device.rawValue)" }
        set { names[device] = newValue }
    }
}
