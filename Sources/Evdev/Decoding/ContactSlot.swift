/// What a slot holds, and what the last report said of it.
struct ContactSlot: Sendable {
    /// As the kernel has it; -1 if the slot is empty.
    var trackingID: Int32 = -1
    /// What the tracking id was at the last report.
    var settledTrackingID: Int32 = -1
    /// They outlive a contact: the kernel does not send again what has not changed, so a new contact may come without x.
    var axes = ContactAxes()
    /// The contact that was told to the reader and is still down.
    var contact: UInt32?
    var shownTrackingID: Int32 = -1
    var shownAxes = ContactAxes()
    /// A tracking id the reader is not to hear of: a palm, or one cancelled while it stays on the glass.
    var refused: Int32?
    var isTouched = false
    /// The slot that the report named first after this one; -1 if there is none.
    var nextTouched = -1

    /// Sets an axis; answers whether the report has not named the slot before.
    mutating func setAxis(_ code: UInt16, to value: Int32) -> Bool {
        axes.set(code, to: value)
        if isTouched { return false }
        isTouched = true
        return true
    }

    /// Ends a report in which the contact that the reader knows of is still there; answers whether it moved.
    mutating func closeMove() -> Bool {
        isTouched = false
        if axes == shownAxes { return false }
        shownAxes = axes
        return true
    }

    /// Whether the contact that the reader knows of is the one that is there, as it was at the last report.
    var holdsShownContact: Bool {
        contact != nil && trackingID == shownTrackingID && trackingID == settledTrackingID
    }
}
