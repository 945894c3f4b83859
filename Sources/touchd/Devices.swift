import ArgumentParser
import Basics
import CommandSupport
import ControlProtocol
import Evdev
import Foundation

struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the input devices, and whether touchd uses each.",
        discussion:
            "The device rules of the layout apply, if it exists. The exit status is 0 if touchd would use at least one device, otherwise 1.\n\nExample: touchd devices --json"
    )

    @OptionGroup var result: ResultOptions

    @OptionGroup var layout: LayoutOption

    func run() throws {
        let devices: [DeviceInfo]
        do {
            devices = try DeviceMonitor.survey(rules: layout.deviceRules())
        } catch {
            throw CommandFailure.report(error)
        }
        if result.json {
            print(devices.jsonText(indented: true))
        } else if !result.quiet {
            for device in devices { print(device.line(among: devices).fittedToTerminal) }
            if devices.isEmpty { print("/dev/input has no input devices.") }
        }
        guard devices.contains(where: { $0.use == .used }) else { throw ExitCode(1) }
    }
}

extension [DeviceInfo] {
    /// The only device. Without a device, the error is `none`; with several, it lists them.
    func only(_ kind: String, none: String) throws(UnavailableError) -> DeviceInfo {
        guard let device = first else { throw UnavailableError(none) }
        guard count == 1 else {
            let choice = map { "\($0.path) (\($0.description.name))" }.joined(separator: ", ")
            throw UnavailableError("several \(kind): \(choice); name one")
        }
        return device
    }
}

extension DeviceInfo {
    /// The information about a device that an integrator needs, on one line.
    fileprivate func line(among devices: [DeviceInfo]) -> String {
        switch use {
        case .used:
            "\(path)  \(description.name): used as \(role.summary)"
                + notes(among: devices).map { "; \($0)" }.joined()
        case .ignored(let reason): "\(path)  \(description.name): not used: \(reason)"
        case .failed(let error): "\(path)  \(description.name): cannot be used: \(error.reason)"
        }
    }

    /// Remarks on a device in use: how it is forwarded, or who has grabbed it, and what may not work.
    fileprivate func notes(among devices: [DeviceInfo]) -> [String] {
        let holders = isHeld ? Self.programs(with: path).joined(separator: ", ") : ""
        let held = isHeld ? holders.isEmpty ? Self.heldNote : Self.isGrabbed : nil
        let other = [forwardNote(among: devices) ?? held, holders.isEmpty ? nil : "open in \(holders)"]
        return other.compactMap { $0 } + notes
    }

    /// That another process has grabbed the device, and the programs that have it open, if the user may see them.
    var heldRemark: String {
        let holders = Self.programs(with: path).joined(separator: ", ")
        return holders.isEmpty ? Self.heldNote : "\(Self.isGrabbed); open in \(holders)"
    }

    /// The programs that have a file open, as `name (pid)`; only root sees those of other users.
    private static func programs(with path: String) -> [String] {
        let files = FileManager.default
        let numbers = ((try? files.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }.sorted()
        return numbers.filter { $0 != getpid() }.compactMap { number in
            let folder = "/proc/\(number)/fd/"
            let descriptors = (try? files.contentsOfDirectory(atPath: folder)) ?? []
            guard descriptors.contains(where: { (try? files.destinationOfSymbolicLink(atPath: folder + $0)) == path })
            else { return nil }
            let name = (try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)) ?? "?\n"
            // Any program may give itself any name.
            return "\(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:/+".contains($0)) }) (\(number))"
        }
    }

    /// How the device is forwarded, or why not; nil if its rule has no `forward`, or touchd does not run.
    fileprivate func forwardNote(among devices: [DeviceInfo]) -> String? {
        guard settings.forwards else { return nil }
        guard role.touchProtocol != nil else { return "not forwarded: only touchscreens are" }
        guard isHeld else { return "not forwarded now; 'touchd status' shows why" }
        let other = devices.first {
            $0.description.physicalPath.hasPrefix(VirtualDevice.portPrefix)
                && $0.description.name == description.name + " (touchd)"
        }
        return other.map { "forwarded as \($0.path)" }
    }
}

/// A device as `touchd devices --json` writes it.
extension DeviceInfo: JSONRecord {
    package static func members<Visitor: MemberVisitor<Self> & ~Copyable>(_ visitor: inout Visitor) {
        visitor.member(.path) { $0.path }
        visitor.member(.name) { $0.description.name }
        visitor.member(.use) { DeviceUse($0.use) }
        visitor.member(.reason) { $0.use.reason }
        visitor.member("held", "whether another process holds the device, so that it delivers no events") { $0.isHeld }
        visitor.member(.kind) { $0.role.kind.rawValue }
        visitor.member(.touchProtocol) { $0.role.touchProtocol?.rawValue }
        visitor.member("bus", "in hexadecimal") { String(format: "%04x", $0.description.bus) }
        visitor.member("vendor", "in hexadecimal") { String(format: "%04x", $0.description.vendor) }
        visitor.member("product", "in hexadecimal") { String(format: "%04x", $0.description.product) }
        visitor.member("version", "in hexadecimal") { String(format: "%04x", $0.description.version) }
        visitor.member("physicalPath", "where it is plugged in") { $0.description.physicalPath }
        visitor.member("axes", "the ranges of the absolute axes, by the kernel's code in hexadecimal") { device in
            Dictionary(
                uniqueKeysWithValues: device.description.axes.map { code, axis in
                    (String(format: "%02x", code), DeviceState.Axis(axis))
                })
        }
        visitor.member("rules", "the layout's and udev's rules that apply to the device, in order") {
            $0.settings.rules
        }
        visitor.member("calibration", "the first two rows of the matrix for positions in the unit square") { device in
            let matrix = device.settings.calibration
            return [matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f]
        }
    }
}
