/// Drops moves that jump for one report: far from the contact's places before and after, which are near each other.
///
/// A move that is far from the place before is held until the device's next report. If that report does not have the
/// contact, the contact rests where it jumped to. Beginnings, ends and all other moves are never delayed.
struct JumpFilter {
    private let filter: ContactFilter
    private var places: [UInt32: SurfacePoint] = [:]
    /// The moves of one report, with its time.
    private var held: [Contact] = []
    private var time = InputTimestamp(microseconds: 0)

    /// How long a move is held if no report follows, in microseconds: two and a half reports of the slowest panels, which
    /// send 50 a second.
    private static let patience: Int64 = 50_000

    init(_ filter: ContactFilter) { self.filter = filter }

    /// When a held move is no jump without a further report, on the frames' clock; nil without one.
    var deadline: InputTimestamp? { held.isEmpty ? nil : time.adding(microseconds: Self.patience) }

    /// Holds the far moves of a frame, which is next after the held ones.
    /// - Parameter earlier: An empty frame; receives the held moves that were no jumps.
    mutating func exchange(_ frame: inout InputFrame, for earlier: inout InputFrame) {
        if !held.isEmpty { release(before: frame.contacts, into: &earlier) }
        time = frame.timestamp
        frame.contacts.removeAll { contact in
            switch contact.phase {
            case .began: places[contact.id] = contact.position
            case .moved where isFar(contact, from: places[contact.id]):
                held.append(contact)
                return true
            case .moved: places[contact.id] = contact.position
            case .ended, .cancelled: places[contact.id] = nil
            }
            return false
        }
    }

    /// Releases the held moves if no report has followed in time.
    mutating func expire(at now: InputTimestamp, into earlier: inout InputFrame) {
        if let deadline, deadline <= now { release(before: [], into: &earlier) }
    }

    private mutating func release(before next: [Contact], into earlier: inout InputFrame) {
        earlier.timestamp = time
        for contact in held {
            let after = next.first { $0.id == contact.id }
            if let after, isFar(contact, from: after.position), !isFar(after, from: places[contact.id]) { continue }
            places[contact.id] = contact.position
            earlier.contacts.append(contact)
        }
        held.removeAll(keepingCapacity: true)
    }

    private func isFar(_ contact: Contact, from place: SurfacePoint?) -> Bool {
        place.map { filter.distance(contact.position, $0) > filter.jump } ?? false
    }
}
