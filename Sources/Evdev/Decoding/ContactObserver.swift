/// Receives every contact of one device in device units, before the filter; called on the decoder's thread.
package struct ContactObserver {
    /// A contact began, moved or ended in a report, whose number differs from that of the report before.
    let append:
        (
            _ phase: Contact.Phase, _ number: UInt32, _ slot: Int, _ axes: ContactAxes,
            _ report: (time: InputTimestamp, number: UInt8)
        ) -> Void

    /// The frame of the report, before the filter changes it.
    let decoded: (borrowing InputFrame) -> Void
}
