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
    public internal(set) var use: Use
    /// The settings from rules and udev's properties.
    public internal(set) var settings: DeviceSettings

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

/// Why a device cannot be read.
public enum DeviceError: Error, Equatable, CustomStringConvertible, Sendable {
    /// This user may not open the node; `group` is the group that may, if any.
    case notPermitted(path: String, group: String?)
    /// A system call failed; `reason` is the system's error text.
    case failed(path: String, call: String, reason: String)
    /// The device was removed (`ENODEV`).
    case unplugged(path: String)
    /// The device could not be grabbed (`EVIOCGRAB`); it is used anyway.
    case notGrabbed(path: String, reason: String)
    /// The device sent more events than any working device; it is not read until it is replugged.
    case flooding(path: String, eventsPerSecond: Int)
    /// Querying udev for devices failed.
    case udevUnavailable(reason: String)
    /// Registering for resume notifications from the kernel failed.
    case resumeUnheard(reason: String)

    /// The device, the error and how to fix it.
    public var description: String { path.map { "\($0): \(reason)" } ?? reason }

    /// The node of the device; nil if the error is not about one device.
    public var path: String? {
        switch self {
        case .notPermitted(let path, _), .failed(let path, _, _), .unplugged(let path), .notGrabbed(let path, _),
            .flooding(let path, _):
            path
        case .udevUnavailable, .resumeUnheard: nil
        }
    }

    /// The error and how to fix it, for messages that already name the device.
    public var reason: String {
        switch self {
        case .notPermitted(_, let group?):
            "not permitted; run touchd in group \(group) (SupplementaryGroups=\(group) in its unit, "
                + "or usermod -aG \(group) USER)"
        case .notPermitted(_, nil):
            "only root may open it; add a udev rule such as "
                + "SUBSYSTEM==\"input\", KERNEL==\"event*\", GROUP=\"input\", MODE=\"0660\""
        case .failed(_, let call, let reason):
            "\(call): \(reason)"
        case .unplugged:
            "unplugged"
        case .notGrabbed(_, let reason):
            "cannot be grabbed (\(reason)): other programs receive its events too; if another "
                + "program has grabbed it, touchd receives none; stop that program, or remove 'grab' from the rule"
        case .flooding(_, let eventsPerSecond):
            "sent \(eventsPerSecond) events in a second; ignored until it is plugged in again"
        case .udevUnavailable(let reason):
            "cannot list input devices through udev: \(reason)"
        case .resumeUnheard(let reason):
            "cannot watch for a resume after suspend: \(reason)"
        }
    }
}
