import ControlProtocol
import EventLoop
import Evdev
import Layout
import TouchKit

/// Lets a self-test send a finger through the kernel, udev, the service's decoder and its layout.
extension ControlHost {
    /// Reads a self-test's touchscreen, and reports which view each of its fingers hits, until the client disconnects.
    ///
    /// The frames do not enter the application's queue. So no handler, gesture, control, output or metric can notice
    /// them, and nothing is forwarded.
    func rehearse(_ path: String, for client: ControlSession) throws(ControlError) {
        _ = try scene()
        // The service opens only what it has found itself, not any path that a client names.
        guard events.devices.contains(where: { $0.path == path }) else {
            throw ControlError(.unavailable, "touchd has not found '\(path)'; check that systemd-udevd runs")
        }
        client.endRehearsal()
        var views: [UInt32: String] = [:]
        do throws(DeviceError) {
            client.rehearsal = try RehearsedDevice(path: path, loop: events.loop) {
                [weak client, layout] (frame: borrowing InputFrame) in
                let delay = Deadline.now.nanoseconds / 1000 - frame.timestamp.microseconds
                for contact in frame.contacts where contact.phase != .moved {
                    guard let scene = layout.scene else { return }
                    let point = scene.windows[0].screen.location(of: contact.position)
                    if contact.phase == .began {
                        views[contact.id] = scene.hit(point, tellsOutside: false, concealsPrivate: true)?.receiver
                    }
                    let record = RehearsalRecord {
                        ($0.phase, $0.view) = ("\(contact.phase)", views[contact.id] ?? "")
                        ($0.x, $0.y, $0.delay) = (point.x, point.y, Double(delay) / 1e6)
                    }
                    client?.send(event: record.line)
                    if contact.phase != .began { views[contact.id] = nil }
                }
            }
        } catch {
            throw ControlError(.unavailable, "\(error)")
        }
    }
}
