import Recordings
import Evdev
import EventLoop
import Foundation
import Testing

/// The last minutes of real touchscreens, replayed.
@Suite("The last minutes, replayed")
struct PlayedHistoryTests {
    /// A change of a contact, without the numbers that are assigned again.
    private struct Change: Equatable {
        var time: Int64
        var contact: Int
        var isOver, isNew: Bool
        var position: SurfacePoint
        var raw: RawPoint
        var tool: Contact.Tool
        var slot: Int32
        var axes: [Float?]
    }

    /// The changes of a recording's contacts, with times since the first one.
    private func changes(
        in path: String, _ description: String? = nil, history: TouchHistory? = nil, withSlots: Bool
    ) throws -> [Change] {
        let loop = try EpollRunLoop()
        var changes: [Change] = []
        var numbers: [UInt32: Int] = [:]
        let player = RecordingPlayer(
            try RecordingReader(path: path, description: description), path: path, loop: loop, speed: .maximum,
            onFrame: { frame in
                for contact in frame.contacts {
                    if contact.phase == .began {
                        numbers[contact.id] = numbers.count
                        history?.reveal(contact.id, of: frame.device)
                    }
                    changes.append(
                        Change(
                            time: frame.timestamp.microseconds, contact: numbers[contact.id] ?? -1,
                            isOver: contact.phase == .ended || contact.phase == .cancelled,
                            isNew: contact.phase == .began, position: contact.position, raw: contact.raw,
                            tool: contact.tool, slot: withSlots ? contact.slot : 0,
                            axes: [
                                contact.pressure, contact.majorRadius, contact.minorRadius, contact.orientation,
                            ]))
                }
            },
            onEnd: { error in
                #expect(error == nil)
                loop.stop()
            })
        player.history = history
        player.start()
        loop.run()
        let start = changes.first?.time ?? 0
        changes = changes.map { change in
            var change = change
            change.time -= start
            return change
        }
        // The decoder also chooses the order of the contacts in a report.
        return withSlots ? changes : changes.sorted { ($0.time, $0.contact) < ($1.time, $1.contact) }
    }

    @Test(
        "A recording of the last minutes replays a real device's contacts exactly",
        arguments: Expectation.all.filter { $0.hasContacts && $0.kind == "touchscreen" })
    func roundTrip(_ expected: Expectation) throws {
        let path = Expectation.folder + (try #require(expected.recording))
        let description = expected.description.map { Expectation.folder + $0 }
        let history = TouchHistory(span: .seconds(3600))
        // The decoder chooses the slots of protocol A.
        let withSlots = expected.protocol != "multi-touch protocol A"
        let original = try changes(in: path, description, history: history, withSlots: withSlots)
        let copy = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString).evemu")
        defer { try? FileManager.default.removeItem(at: copy) }
        try Data(history.text(at: 3_600_000_000).utf8).write(to: copy)

        let again = try changes(in: copy.path, withSlots: withSlots)

        // Not the lists themselves, which a failure would print.
        #expect(again.count == original.count)
        let difference = zip(again, original).first { $0 != $1 }
        #expect(difference == nil)
    }
}
