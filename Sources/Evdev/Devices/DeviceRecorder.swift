import CLinux
import EventLoop
import Glibc

/// Reads a live device's events exactly as the kernel reports them, for a recording.
///
/// Others that read the device, touchd among them, are not disturbed. Belongs to the thread of its loop.
public final class DeviceRecorder {
    /// What the device says of itself.
    public let description: DeviceDescription

    private let device: Libevdev
    private let source: DescriptorSource

    /// Opens a device; events come once the loop runs.
    /// - Parameters:
    ///   - path: the event node.
    ///   - loop: reads it.
    ///   - onEvent: called on the loop's thread for each event, `SYN_DROPPED` too.
    ///   - onEnd: called once, when the device is gone or can no longer be read.
    public init(
        path: String, loop: EpollRunLoop, onEvent: @escaping (InputEvent) -> Void,
        onEnd: @escaping (DeviceError) -> Void
    ) throws(DeviceError) {
        let device = try Libevdev(path: path)
        self.device = device
        description = device.description
        // libevdev repairs what drivers do wrong, and a recording is there to show just that: the node is read itself.
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
                    onEnd(
                        errno == ENODEV
                            ? .unplugged(path: path) : .failed(path: path, call: "read", reason: Libevdev.text(errno)))
                    return
                }
            }
        }
        loop.add(source)
    }

    /// Closes the device.
    public func stop() { source.invalidate() }
}
