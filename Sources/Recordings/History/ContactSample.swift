import Evdev

/// The change of a contact in one report.
struct ContactSample {
    var time: Int64
    var axes: ContactAxes
    /// The contact's number, which the device does not reuse.
    var contact: UInt32
    var slot: Int16
    var phase: Contact.Phase
    /// Distinguishes reports with the same time.
    var report: UInt8
}
