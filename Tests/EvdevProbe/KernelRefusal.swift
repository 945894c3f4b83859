import Evdev
import Glibc
import MockedInput

/// The error for a program that may not open a device; run as root, which it drops. Each result is a line.
enum KernelRefusal {
    static func run() throws {
        let device = try VirtualDevice.panel()
        let scene = try Scene()
        _ = try scene.awaitArrival(of: device.path)

        // The monitor may find the node before udevd has set its group.
        guard system("udevadm settle") == 0 else { throw TestBed.Failure(message: "udevadm settle failed") }
        try print("for a group\t\(answer(device.path))")
        chmod(device.path, 0o600)
        try print("for nobody\t\(answer(device.path))")
    }

    /// The result of a survey of the device without privileges.
    private static func answer(_ path: String) throws -> String {
        guard seteuid(65_534) == 0 else { throw TestBed.Failure(message: "not run as root") }
        defer { seteuid(0) }
        let info = try DeviceMonitor.survey().first { $0.path == path }
        guard case .failed(let error)? = info?.use else { return "\(info.map { "\($0.use)" } ?? "not there")" }
        return "\(error)".replacing(path, with: "PATH")
    }
}
