import Evdev
import Foundation
import MockedInput
import Player

/// Plays fingers and mice to touchd where the kernel has no uinput: umockdev's devices, by commands in a file or on standard input.
///
/// Run as `umockdev-wrapper mock-play FOLDER [FILE]`. `FOLDER/bed` is then the test bed, and a program with it as
/// `UMOCKDEV_DIR` finds the devices. A program whose `UMOCKDEV_DIR` is another folder in FOLDER, with the test bed's `sys`, `dev`
/// and `ioctl` mounted in it, is notified as well: `TestBed` has the reason.
@main
enum MockPlay {
    static func main() {
        do {
            let arguments = CommandLine.arguments.dropFirst()
            guard 1...2 ~= arguments.count, let folder = arguments.first else {
                throw PlayError.usage("umockdev-wrapper mock-play FOLDER [FILE]")
            }
            try Player(MockSource(folder: folder)).play(file: arguments.dropFirst().first)
        } catch {
            FileHandle.standardError.write(Data("mock-play: \(error)\n".utf8))
            exit(1)
        }
    }
}

/// The devices of a test bed.
final class MockSource: DeviceSource {
    private let bed: TestBed
    private let group: gid_t?
    // Numbers that no device of the machine has.
    private var number = 900

    init(folder: String) throws(PlayError) {
        // The programs of other users connect to umockdev's sockets, which takes the right to write.
        umask(0)
        setenv("TMPDIR", folder, 1)
        do {
            bed = try TestBed(listeners: folder)
        } catch {
            throw PlayError("cannot make a test bed in \(folder): \(error)")
        }
        chmod(bed.root, 0o755)
        let link = folder + "/bed"
        unlink(link)
        guard symlink(bed.root, link) == 0 else {
            throw PlayError(system: "cannot create \(link)")
        }
        // As udev's rules do.
        group = getgrnam("input").map { $0.pointee.gr_gid }
    }

    func plug(_ description: DeviceDescription, awaitsUdev: Bool) throws(PlayError) -> MockedDevice {
        var description = description
        // As with a uinput device.
        (description.physicalPath, description.uniqueName) = ("", "")
        let device = MockDevice(description: description, number: number)
        number += 1
        do {
            return MockedDevice(device: device, evdev: try bed.plug(device, group: group))
        } catch {
            throw PlayError("cannot make the device \(device.path): \(error)")
        }
    }

    func unplug(_ device: MockedDevice, awaitsUdev: Bool) {
        bed.unplug(device.device)
        // umockdev ends a program that reads a node after this one has ended. Two seconds are far more than a program needs.
        if !awaitsUdev { device.evdev.waitUntilClosed(milliseconds: 2000) }
    }
}

/// A device of the test bed.
struct MockedDevice: PlayedDevice {
    let device: MockDevice
    let evdev: MockEvdev

    var node: String { device.path }

    func send(type: Int32, code: Int32, value: Int32) {
        evdev.send(type: UInt16(type), code: UInt16(code), value: value)
    }

    func waitUntilOpen() { evdev.waitUntilOpen() }
}
