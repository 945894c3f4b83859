import Evdev

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

    /// The frame as a line of JSON, without a newline:
    /// `{"time": 0.012345, "frame": 3, "began": [{"slot": 0, "id": 45, "x": 10, "y": 20}], "moved": [], "ended": []}`
    ///
    /// The time is in seconds, slots and ids are the kernel's, positions are in device units. Each list is in order of
    /// slots.
    package var json: String {
        "{\"time\": \(Self.seconds(time)), \"frame\": \(number), \"began\": \(Self.list(began)), "
            + "\"moved\": \(Self.list(moved)), \"ended\": \(Self.list(ended))}"
    }

    private static func list(_ contacts: [Contact]) -> String {
        let entries = contacts.sorted { ($0.slot, $0.id) < ($1.slot, $1.id) }.map {
            "{\"slot\": \($0.slot), \"id\": \($0.trackingID), \"x\": \($0.raw.x), \"y\": \($0.raw.y)}"
        }
        return "[" + entries.joined(separator: ", ") + "]"
    }

    private static func seconds(_ time: InputTimestamp) -> String {
        let sign = time.microseconds < 0 ? "-" : ""
        let (seconds, microseconds) = time.microseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let fraction = String(microseconds)
        return sign + "\(seconds)." + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
