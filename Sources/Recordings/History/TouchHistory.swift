import Evdev

/// The last minutes of every touchscreen, for a recording that is asked for when something has gone wrong.
///
/// Give `opened(_:)` to a `DeviceMonitor` or the history to a `RecordingPlayer`, and say of each contact whether it may be given out: see
/// `DeviceHistory`. Keyboards, keypads and mice are not in it: what was typed, and where a mouse clicked on a keypad, could
/// be read from their events without a single place.
///
/// Belongs to the thread of its monitor's loop.
public final class TouchHistory {
    /// How far back a recording goes, at most.
    public let span: Duration

    /// More touchscreens than these are not kept, so that devices that come and go do not fill memory.
    static let deviceLimit = 16
    private var devices: [DeviceID: DeviceHistory] = [:]

    private let isPrivate: ((Contact, DeviceID) -> Bool)?

    /// Makes a history in which nothing is kept yet.
    ///
    /// - Parameters:
    ///   - span: How far back a recording goes, at most.
    ///   - isPrivate: Whether a contact that began or moved is in a private place; it is concealed then. Called for every
    ///     report of a touchscreen, before the filter.
    public init(span: Duration, isPrivate: ((Contact, DeviceID) -> Bool)? = nil) {
        self.span = span
        self.isPrivate = isPrivate
    }

    /// What a device's decoder is to tell; nil where nothing is kept of it.
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

    /// The touchscreens of which something may be kept, in the order of their identities; those too that are gone.
    public var sources: [DeviceInfo] { devices.values.map(\.info).sorted { $0.id.rawValue < $1.id.rawValue } }

    /// Has a contact given out from now on, unless it is concealed; `contact` is the frames' number.
    public func reveal(_ contact: UInt32, of device: DeviceID) { devices[device]?.reveal(contact) }

    /// Keeps a contact from being given out for good: all of it, also what it did before.
    public func conceal(_ contact: UInt32, of device: DeviceID) { devices[device]?.conceal(contact) }

    /// What there is of a device's last minutes; nil where nothing is kept of it.
    ///
    /// - Parameter now: This moment, on the devices' clock.
    public func recording(of device: DeviceID, at now: InputTimestamp) -> KeptRecording? {
        devices[device]?.recording(since: now.microseconds - Int64(span / .microseconds(1)))
    }
}

extension DeviceDescription {
    /// Whether it is of the same kind of panel, and not of another one at the same port; the axes' values at the moment
    /// mean nothing.
    fileprivate func hasSameUnits(as other: DeviceDescription) -> Bool {
        name == other.name && vendor == other.vendor && product == other.product && axes.count == other.axes.count
            && axes.allSatisfy { code, axis in
                guard let its = other.axes[code] else { return false }
                return (axis.minimum, axis.maximum) == (its.minimum, its.maximum)
            }
    }
}
