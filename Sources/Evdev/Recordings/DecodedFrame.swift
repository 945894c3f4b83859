/// One report of a recording in which contacts began, moved or ended.
package struct DecodedFrame: Sendable, Equatable {
    /// The time of its `SYN_REPORT`, since the recording's first event.
    package var time = InputTimestamp(microseconds: 0)
    /// The number of its `SYN_REPORT`, from 0; reports without changes count too.
    package var number = 0
    /// Contacts that were not down in the previous report.
    package var began: [Contact] = []
    /// Contacts whose position changed.
    package var moved: [Contact] = []
    /// Contacts that ended, at their last position.
    package var ended: [Contact] = []

    /// Whether no contact changed.
    var isEmpty: Bool { began.isEmpty && moved.isEmpty && ended.isEmpty }
}
