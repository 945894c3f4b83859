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
            info.clockError = libevdev.clockError
            return (info, info.use == .used ? libevdev : nil)
        } catch {
            let name = (device.properties["NAME"] ?? "").split(separator: "\"").first ?? ""
            return (info(device, DeviceDescription(name: String(name)), failure: error), nil)
        }
    }

    private mutating func info(
        _ device: UdevDevice, _ description: DeviceDescription, failure: DeviceError?
    ) -> DeviceInfo {
        DeviceInfo(
            id: identify(device, description), path: device.path, description, rules: rules,
            udevProperties: device.properties, failure: failure)
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

extension DeviceInfo {
    /// The same device under equal rules with other labels.
    func relabelled(_ labels: [String: String]) -> DeviceInfo {
        var info = self
        info.settings.rules = settings.rules.map { labels[$0] ?? $0 }
        info.settings.ruleOfUse = settings.ruleOfUse.map { labels[$0] ?? $0 }
        if let reason = settings.reasonIgnored, use == .ignored(reason: reason) {
            info.use = info.settings.reasonIgnored.map { .ignored(reason: $0) } ?? use
        }
        return info
    }
}
