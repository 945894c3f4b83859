/// Assigns identities to devices and determines their use by touchd.
struct DeviceRegistry {
    /// The rules for devices that are examined from now on.
    var rules: [DeviceRule]
    private var ids: [String: DeviceID] = [:]
    private var inUse: [String: Node] = [:]

    /// A node and the kernel's device behind it.
    private struct Node: Hashable {
        var path: String
        var systemPath: String

        init(_ device: UdevDevice) { (path, systemPath) = (device.path, device.systemPath) }
    }

    init(rules: [DeviceRule]) { self.rules = rules }

    /// Opens a device and determines its use; returns it open if touchd uses it.
    mutating func examine(_ device: UdevDevice) -> (info: DeviceInfo, libevdev: Libevdev?) {
        do throws(DeviceError) {
            let libevdev = try Libevdev(path: device.path)
            var info = info(device, libevdev.description, failure: nil)
            // An ignored device is never grabbed, not even for a moment.
            if info.use == .used { info.isHeld = libevdev.isHeldByAnother }
            return (info, info.use == .used ? libevdev : nil)
        } catch {
            let name = (device.properties["NAME"] ?? "").split(separator: "\"").first ?? ""
            return (info(device, DeviceDescription(name: String(name)), failure: error), nil)
        }
    }

    private mutating func info(
        _ device: UdevDevice, _ description: DeviceDescription, failure: DeviceError?
    ) -> DeviceInfo {
        let settings = DeviceSettings(
            rules: rules, description: description, path: device.path, properties: device.properties)
        let role = DeviceRole(description, udevProperties: device.properties, isWanted: settings.use == true)
        let use: DeviceInfo.Use =
            if let reason = settings.reasonIgnored {
                .ignored(reason: reason)
            } else if settings.use != true, failure == nil || role.kind != .other, let reason = role.reasonIgnored {
                .ignored(reason: reason)
            } else if let failure {
                .failed(failure)
            } else if let reason = description.reasonUnusable(role) {
                .ignored(reason: reason)
            } else {
                .used
            }
        return DeviceInfo(
            id: identify(device, description), path: device.path, description: description, role: role, use: use,
            settings: settings)
    }

    /// Frees the identity of the device at a node for the next device at the same port.
    mutating func release(_ path: String) { inUse = inUse.filter { $0.value.path != path } }

    /// Frees the identities of all devices except these.
    mutating func releaseAll(except devices: [UdevDevice]) {
        let present = Set(devices.map(Node.init))
        inUse = inUse.filter { present.contains($0.value) }
    }

    /// The same identity for the same product at the same port; identical devices without a port get one each.
    mutating func identify(_ device: UdevDevice, _ description: DeviceDescription) -> DeviceID {
        let place =
            description.physicalPath.isEmpty ? device.properties["ID_PATH"] ?? "" : description.physicalPath
        let ids = [description.bus, description.vendor, description.product].map { String($0, radix: 16) }
        let product = ids.joined(separator: ":")
        let base = [place, product, description.name, description.uniqueName].joined(separator: "\u{1f}")
        let node = Node(device)
        // A device that stays keeps its key, even if an identical one with the first key is gone.
        var key = inUse.first { $0.value == node && ($0.key + "\u{1f}").hasPrefix(base + "\u{1f}") }?.key ?? base
        var copy = 1
        while let other = inUse[key], other.path != device.path {
            copy += 1
            key = "\(base)\u{1f}\(copy)"
        }
        inUse[key] = node
        let id = self.ids[key] ?? DeviceID(rawValue: UInt32(self.ids.count + 1))
        self.ids[key] = id
        return id
    }
}

extension DeviceDescription {
    /// Why positions of the device are meaningless; nil if they are valid.
    package func reasonUnusable(_ role: DeviceRole) -> String? {
        let codes: [(UInt16, String)] =
            switch role.touchProtocol {
            case .slots, .anonymous:
                [(AbsCode.positionX, "ABS_MT_POSITION_X"), (AbsCode.positionY, "ABS_MT_POSITION_Y")]
            case .single: [(AbsCode.x, "ABS_X"), (AbsCode.y, "ABS_Y")]
            case nil: role.kind == .absolutePointer ? [(AbsCode.x, "ABS_X"), (AbsCode.y, "ABS_Y")] : []
            }
        for (code, name) in codes {
            if let axis = axes[code], axis.minimum == axis.maximum {
                return "its \(name) has an empty range (\(axis.minimum) to \(axis.maximum)), so positions are unknown"
            }
        }
        return nil
    }
}

extension DeviceInfo {
    /// The same device under equal rules with other labels.
    func relabelled(_ labels: [String: String]) -> DeviceInfo {
        var renamed = settings
        renamed.rules = settings.rules.map { labels[$0] ?? $0 }
        renamed.ruleOfUse = settings.ruleOfUse.map { labels[$0] ?? $0 }
        let isByRule = settings.reasonIgnored.map { use == .ignored(reason: $0) } ?? false
        let reason = isByRule ? renamed.reasonIgnored : nil
        var info = DeviceInfo(
            id: id, path: path, description: description, role: role, use: reason.map { .ignored(reason: $0) } ?? use,
            settings: renamed)
        info.isHeld = isHeld
        return info
    }

    /// The same device after a read error.
    func failing(_ error: DeviceError) -> DeviceInfo {
        DeviceInfo(
            id: id, path: path, description: description, role: role, use: .failed(error),
            settings: settings)
    }
}
