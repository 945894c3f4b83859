/// Receives every contact of one device in device units, before the filter; called on the decoder's thread.
package protocol ContactObserver: AnyObject {
    /// A contact began, moved or ended; `stamp(_:)` follows with the time of the report.
    func append(_ phase: Contact.Phase, _ number: UInt32, slot: Int, _ axes: ContactAxes)

    /// The report of the appended contacts is complete.
    func stamp(_ time: InputTimestamp)

    /// The frame of the report, before the filter changes it.
    func decoded(_ frame: borrowing InputFrame)
}
