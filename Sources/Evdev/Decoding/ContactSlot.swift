/// The state of a slot, and its changes in the last report.
struct ContactSlot: Sendable {
    /// The kernel's tracking id; -1 if the slot is empty.
    var trackingID: Int32 = -1
    /// The tracking id at the last report.
    var settledTrackingID: Int32 = -1
    /// The axes outlive a contact: the kernel does not resend unchanged values, so a new contact may come without x.
    var axes = ContactAxes()
    /// The contact that was reported to the reader and is still down.
    var contact: UInt32?
    var shownTrackingID: Int32 = -1
    var shownAxes = ContactAxes()
    /// A tracking id that is not reported: that of a palm, or of a cancelled contact that is still down.
    var refused: Int32?
    var isTouched = false
    /// The next slot in the report's order of first events; -1 if this is the last.
    var nextTouched = -1

    /// Sets an axis; returns whether this is the report's first event for the slot.
    mutating func setAxis(_ code: UInt16, to value: Int32) -> Bool {
        axes.set(code, to: value)
        if isTouched { return false }
        isTouched = true
        return true
    }

    /// Ends a report in which the reported contact is still down; returns whether it moved.
    mutating func closeMove() -> Bool {
        isTouched = false
        if axes == shownAxes { return false }
        shownAxes = axes
        return true
    }

    /// Whether the slot still holds the reported contact, with the tracking id of the last report.
    var holdsShownContact: Bool {
        contact != nil && trackingID == shownTrackingID && trackingID == settledTrackingID
    }
}
