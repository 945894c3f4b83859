import CLibevdev
import CLinux
import EventLoop
import Glibc

/// Reads a live device's events exactly as the kernel reports them, for a recording.
///
/// Other readers of the device, including touchd, are not affected. Belongs to the thread of its loop.
package final class DeviceRecorder {
    /// The device's description of itself.
    package let description: DeviceDescription

    private let source: DescriptorSource

    /// Opens a device; events arrive when the loop runs.
    /// - Parameters:
    ///   - path: The event node.
    ///   - loop: Reads the device.
    ///   - onEvent: Called on the loop's thread for each event, including `SYN_DROPPED`.
    ///   - onEnd: Called once, when the device is removed or can no longer be read.
    package init(
        path: String, loop: EpollRunLoop, onEvent: @escaping (InputEvent) -> Void,
        onEnd: @escaping (DeviceError) -> Void
    ) throws(DeviceError) {
        let device = try Libevdev(path: path)
        description = device.description
        // libevdev repairs driver errors, which a recording should show, so the node is read directly.
        source = DescriptorSource(name: path, descriptor: device.descriptor) { _ in
            var event = input_event()
            let size = MemoryLayout<input_event>.size
            while true {
                let count = read(device.descriptor, &event, size)
                if count == size {
                    onEvent(InputEvent(event))
                } else if count < 0, errno == EINTR {
                    continue
                } else if count < 0, errno == EAGAIN {
                    return
                } else {
                    return onEnd(device.readError(errno))
                }
            }
        }
        do { try loop.add(source) } catch { throw .failed(path: path, call: error.call, reason: error.reason) }
    }

    /// Closes the device.
    package func stop() { source.invalidate() }
}
