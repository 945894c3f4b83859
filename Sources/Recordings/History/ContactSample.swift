import Evdev

/// What a contact did in one report.
struct ContactSample {
    var time: Int64
    var axes: ContactAxes
    /// The contact's number, which no other contact of the device has had since this began.
    var contact: UInt32
    var slot: Int16
    var phase: Contact.Phase
    /// Tells the reports of one moment apart.
    var report: UInt8
}
