/// Gives devices their identities, and says of each what touchd makes of it.
struct DeviceRegistry {
    private var ids: [String: DeviceID] = [:]
    private var inUse: [String: String] = [:]

    /// Opens a device to ask what it is; answers it open if touchd uses it.
    mutating func examine(_ device: UdevDevice) -> (info: DeviceInfo, libevdev: Libevdev?) {
        let calibration =
            device.properties["LIBINPUT_CALIBRATION_MATRIX"].flatMap(CalibrationMatrix.init(udevProperty:)) ?? .identity
        func info(_ description: DeviceDescription, _ role: DeviceRole, _ use: DeviceInfo.Use) -> DeviceInfo {
            DeviceInfo(
                id: identify(device, description), path: device.path, description: description, role: role, use: use,
                calibration: calibration)
        }
        do throws(DeviceError) {
            let libevdev = try Libevdev(path: device.path)
            let description = libevdev.description
            let role = DeviceRole(description, udevProperties: device.properties)
            if let reason = device.reasonIgnored ?? role.reasonIgnored {
                return (info(description, role, .ignored(reason: reason)), nil)
            }
            return (info(description, role, .used), libevdev)
        } catch {
            let name = device.properties["NAME"].map { $0.trimmingPrefix("\"") } ?? ""
            let description = DeviceDescription(name: String(name.hasSuffix("\"") ? name.dropLast() : name))
            let role = DeviceRole(description, udevProperties: device.properties)
            if let reason = device.reasonIgnored ?? (role.kind == .other ? nil : role.reasonIgnored) {
                return (info(description, role, .ignored(reason: reason)), nil)
            }
            return (info(description, role, .failed(error)), nil)
        }
    }

    /// Frees the identity of the device at a node for the next that comes to the same port.
    mutating func release(_ path: String) { inUse = inUse.filter { $0.value != path } }

    /// The same identity for the same product at the same port; two of one kind that say no port get one each.
    private mutating func identify(_ device: UdevDevice, _ description: DeviceDescription) -> DeviceID {
        let place =
            description.physicalPath.isEmpty ? device.properties["ID_PATH"] ?? "" : description.physicalPath
        let ids = [description.bus, description.vendor, description.product].map { String($0, radix: 16) }
        let product = ids.joined(separator: ":")
        let base = [place, product, description.name, description.uniqueName].joined(separator: "\u{1f}")
        var key = base
        var copy = 1
        while let other = inUse[key], other != device.path {
            copy += 1
            key = "\(base)\u{1f}\(copy)"
        }
        inUse[key] = device.path
        let id = self.ids[key] ?? DeviceID(rawValue: UInt32(self.ids.count + 1))
        self.ids[key] = id
        return id
    }
}

extension UdevDevice {
    /// What an integrator's udev rule says against the device.
    fileprivate var reasonIgnored: String? {
        properties["LIBINPUT_IGNORE_DEVICE"].flatMap { $0 == "0" || $0.isEmpty ? nil : "udev's LIBINPUT_IGNORE_DEVICE" }
    }
}

extension DeviceInfo {
    /// The same device, which can no longer be read.
    func failing(_ error: DeviceError) -> DeviceInfo {
        DeviceInfo(
            id: id, path: path, description: description, role: role, use: .failed(error), calibration: calibration)
    }
}
