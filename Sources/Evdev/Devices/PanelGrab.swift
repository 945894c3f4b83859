/// The grab of an open touchscreen whose touches are forwarded. The forwarder decides when to take it: a panel is
/// grabbed only while its touches can be passed on.
package final class PanelGrab {
    /// The touchscreen.
    package let device: DeviceInfo
    /// The open event node; valid until the panel is closed.
    package let descriptor: Int32
    private let libevdev: Libevdev?

    init(_ device: DeviceInfo, _ libevdev: Libevdev) {
        (self.device, self.libevdev, descriptor) = (device, libevdev, libevdev.descriptor)
    }

    /// Creates a grab that always succeeds, of a panel that nobody touches; for tests.
    package init(_ device: DeviceInfo, descriptor: Int32) {
        (self.device, libevdev, self.descriptor) = (device, nil, descriptor)
    }

    /// Whether a contact is down, in the kernel's present state.
    ///
    /// A program that saw a contact come down would never see its lift if the panel were grabbed now.
    package var hasContact: Bool { libevdev?.hasContact == true }

    /// Takes the grab, also if another descriptor of the same open node has released it; returns the error, if any.
    package func take() -> DeviceError? { libevdev?.grab() }

    /// Releases the grab.
    package func release() { libevdev?.ungrab() }
}
