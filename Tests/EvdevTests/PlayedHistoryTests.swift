import Evdev
import Foundation
import Testing

/// The last minutes of real touchscreens, replayed.
@Suite("The last minutes, replayed")
struct PlayedHistoryTests {
    /// The changes of a recording's contacts, with times since the first one, and without the numbers that are assigned
    /// again.
    private func changes(
        in path: String, _ description: String? = nil, history: TouchHistory? = nil, withSlots: Bool
    ) throws -> [String] {
        var changes: [String] = []
        var numbers: [UInt32: Int] = [:]
        var start: Int64?
        try played(path, description: description, history: history) { frame in
            let time = frame.timestamp.microseconds - (start ?? frame.timestamp.microseconds)
            start = start ?? frame.timestamp.microseconds
            for contact in frame.contacts {
                if contact.phase == .began {
                    numbers[contact.id] = numbers.count
                    history?.reveal(contact.id, of: frame.device)
                }
                var change = contact
                (change.id, change.trackingID) = (UInt32(numbers[contact.id] ?? -1), 0)
                if !withSlots { change.slot = 0 }
                if change.phase == .cancelled { change.phase = .ended }
                changes.append("\(time) \(change)")
            }
        }
        // The decoder also chooses the order of the contacts in a report.
        return withSlots ? changes : changes.sorted()
    }

    @Test(
        "A recording of the last minutes replays a real device's contacts exactly",
        arguments: Expectation.all.filter { $0.hasContacts && $0.kind == "touchscreen" })
    func roundTrip(_ expected: Expectation) throws {
        let (path, description) = try expected.paths
        let history = TouchHistory(span: .seconds(3600))
        // The decoder chooses the slots of protocol A.
        let withSlots = expected.protocol != "multi-touch protocol A"
        let original = try changes(in: path, description, history: history, withSlots: withSlots)
        let again = try changes(in: temporaryFile(history.text(at: 3_600_000_000)), withSlots: withSlots)
        // Not the lists themselves, which a failure would print.
        #expect(again.count == original.count)
        #expect(zip(again, original).first { $0 != $1 } == nil)
    }
}
