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

        /// Why the device is not used, as messages report it.
        package var reason: String? {
            switch self {
            case .used: nil
            case .ignored(let reason): reason
            case .failed(let error): error.reason
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
    public internal(set) var use: Use
    /// The settings from rules and udev's properties.
    package internal(set) var settings: DeviceSettings

    /// Whether another process had grabbed the device (`EVIOCGRAB`) at the last check, so that it sends no events to
    /// touchd.
    ///
    /// Checked when touchd opens a device that it uses, and by `DeviceMonitor.testGrabs()`. The process may be another
    /// touchd whose rule has `grab`.
    package var isHeld = false

    /// Why the kernel does not report the events' times on `CLOCK_MONOTONIC`; nil if it does.
    var clockError: String?

    /// The words for a device that another process has grabbed, after its name and `is`.
    package static let isGrabbed = "grabbed by another process, which alone receives its events"
    /// The same, with the command that finds the process.
    package static let heldNote = isGrabbed + "; 'sudo touchd devices' names it"

    /// Remarks on a device in use that may not work as its rule says.
    package var notes: [String] { [clockNote, restingNote].compactMap { $0 } }

    private var clockNote: String? {
        guard use == .used, let clockError else { return nil }
        return "its events have the times of another clock (libevdev_set_clock_id: \(clockError)); 'lift-after' and "
            + "'filter' may act late"
    }

    /// A remark on a panel that reports a touch by its pressure alone and reported one when it was opened: noise above
    /// the axis's minimum looks like a finger that never lifts. Nil for other devices.
    private var restingNote: String? {
        guard use == .used, role.touchProtocol == .single, settings.pressureThreshold == nil,
            !description[EventType.key].contains(KeyCode.touch), let pressure = description.axes[AbsCode.pressure],
            pressure.value > pressure.minimum
        else { return nil }
        return "its pressure was \(pressure.value) when it was opened, above the minimum of \(pressure.minimum), which "
            + "is a touch; if nobody touched it, set 'pressure' in its rule"
    }

    /// The ranges of the position axes of its contacts or of its pointer; nil if it has no position.
    package var positionAxes: (x: AxisInfo?, y: AxisInfo?)? {
        role.positionAxes(settings).map { (description.axes[$0.x], description.axes[$0.y]) }
    }

    /// Creates an info.
    package init(
        id: DeviceID, path: String, description: DeviceDescription, role: DeviceRole, use: Use,
        settings: DeviceSettings = DeviceSettings()
    ) {
        self.id = id
        self.path = path
        self.description = description
        self.role = role
        self.use = use
        self.settings = settings
    }

    /// Determines the settings, the role and the use of a device, live or recorded.
    /// - Parameter failure: Why it cannot be read; nil if it can.
    package init(
        id: DeviceID, path: String, _ description: DeviceDescription, rules: [DeviceRule],
        udevProperties: [String: String], failure: DeviceError? = nil
    ) {
        let settings = DeviceSettings(
            rules: rules, description: description, path: path, properties: udevProperties)
        let role = DeviceRole(description, udevProperties: udevProperties, isWanted: settings.use == true)
        let use: Use =
            if let reason = settings.reasonIgnored {
                .ignored(reason: reason)
            } else if settings.use != true, failure == nil || role.kind != .other, let reason = role.reasonIgnored {
                .ignored(reason: reason)
            } else if settings.use != true, DeviceRole.isWithoutClass(description, udevProperties) {
                .ignored(reason: "udev's rules took its class; a device rule with 'use: true' would use it")
            } else if let failure {
                .failed(failure)
            } else if let reason = description.reasonUnusable(role.positionAxes(settings)) {
                .ignored(reason: reason)
            } else {
                .used
            }
        self.init(id: id, path: path, description: description, role: role, use: use, settings: settings)
    }
}

extension DeviceDescription {
    /// Why positions of the device are meaningless; nil if they are valid.
    fileprivate func reasonUnusable(_ position: PositionAxes?) -> String? {
        for code in position.map({ [$0.x, $0.y] }) ?? [] {
            guard let axis = axes[code], axis.minimum == axis.maximum else { continue }
            return "its \(AbsCode.name(of: code)) has an empty range (\(axis.minimum) to \(axis.maximum)), "
                + "so positions are unknown"
        }
        return nil
    }
}
