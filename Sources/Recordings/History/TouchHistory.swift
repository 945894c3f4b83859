import Evdev

/// The last minutes of every touchscreen, for a recording on request after an error.
///
/// Pass `opened(_:)` to a `DeviceMonitor` or the history to a `RecordingPlayer`, and reveal or conceal each contact:
/// see `DeviceHistory`. Keyboards, keypads and mice are not recorded: their events would reveal what was typed, or
/// where a mouse clicked on a keypad, even without locations.
///
/// Belongs to the thread of its monitor's loop.
package final class TouchHistory {
    /// The maximum length of a recording.
    package let span: Duration

    /// The maximum number of recorded touchscreens, so that repeated hotplug does not fill memory.
    static let deviceLimit = 16
    private var devices: [DeviceID: DeviceHistory] = [:]

    private let isPrivate: ((Contact, DeviceID) -> Bool)?

    /// Creates an empty history.
    ///
    /// - Parameters:
    ///   - span: The maximum length of a recording.
    ///   - isPrivate: Whether a contact that began or moved is at a private location; it is then concealed. Called for
    ///     every report of a touchscreen, before the filter.
    package init(span: Duration, isPrivate: ((Contact, DeviceID) -> Bool)? = nil) {
        self.span = span
        self.isPrivate = isPrivate
    }

    /// The observer for a device's decoder; nil if the device is not recorded.
    package func opened(_ info: DeviceInfo) -> DeviceHistory? {
        guard info.role.kind == .touchscreen, info.role.touchProtocol != nil else { return nil }
        if let known = devices[info.id], known.info.description.hasSameUnits(as: info.description) {
            known.begin(info)
            return known
        }
        guard devices[info.id] != nil || devices.count < Self.deviceLimit else { return nil }
        let device = DeviceHistory(info)
        device.isPrivate = isPrivate
        devices[info.id] = device
        return device
    }

    /// The touchscreens with recorded contacts, in order of their identities; includes removed ones.
    package var sources: [DeviceInfo] { devices.values.map(\.info).sorted { $0.id.rawValue < $1.id.rawValue } }

    /// Allows the export of a contact unless it is concealed; `contact` is the number in frames.
    package func reveal(_ contact: UInt32, of device: DeviceID) { devices[device]?.reveal(contact) }

    /// Prevents the export of a contact permanently, including its earlier samples.
    package func conceal(_ contact: UInt32, of device: DeviceID) { devices[device]?.conceal(contact) }

    /// A device's last minutes; nil if it is not recorded.
    ///
    /// - Parameter now: The current time, on the devices' clock.
    package func recording(of device: DeviceID, at now: InputTimestamp) -> KeptRecording? {
        devices[device]?.recording(since: now.microseconds - Int64(span / .microseconds(1)))
    }
}

extension DeviceDescription {
    /// Whether it describes the same kind of panel, and not another one at the same port; ignores the current values of
    /// axes.
    fileprivate func hasSameUnits(as other: DeviceDescription) -> Bool {
        name == other.name && vendor == other.vendor && product == other.product && axes.count == other.axes.count
            && axes.allSatisfy { code, axis in
                guard let its = other.axes[code] else { return false }
                return (axis.minimum, axis.maximum) == (its.minimum, its.maximum)
            }
    }
}
