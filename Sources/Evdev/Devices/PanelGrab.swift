/// The grab of an open touchscreen whose touches are forwarded. The forwarder decides when to take it: a panel is
/// grabbed only while its touches can be passed on.
package final class PanelGrab {
    /// The touchscreen.
    package let device: DeviceInfo
    private let libevdev: Libevdev

    init(_ device: DeviceInfo, _ libevdev: Libevdev) {
        self.device = device
        self.libevdev = libevdev
    }

    /// The open event node; valid until the panel is closed.
    package var descriptor: Int32 { libevdev.descriptor }

    /// Whether a contact is down, in the kernel's present state.
    ///
    /// A program that saw a contact come down would never see its lift if the panel were grabbed now.
    package var hasContact: Bool { libevdev.hasContact }

    /// Takes the grab, also if another descriptor of the same open node has released it; returns the error, if any.
    package func take() -> DeviceError? { libevdev.grab() }

    /// Releases the grab.
    package func release() { libevdev.ungrab() }
}
