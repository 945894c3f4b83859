import ControlProtocol
import Evdev
import Testing
import TouchKit

/// What an event of a touch says beside where it is.
@Suite("Events of touches") final class TouchEventTests {
    private let stage: SlotStage
    private var clock: Int64 = 2_000_000

    init() throws {
        stage = try SlotStage(
            """
            screen: {size: [1000, 1000]}
            views: [{id: a, frame: [0, 0, 1000, 500]}, {id: pin, frame: [0, 500, 1000, 100], private: true}]
            """)
    }

    /// Queues one contact in each frame, 4 ms apart, and delivers them.
    private func deliver(_ contacts: Contact...) {
        for contact in contacts {
            clock += 4000
            stage.application.enqueue(
                InputFrame(
                    device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: clock), contacts: [contact]))
        }
        stage.application.drainEvents()
        stage.settle()
    }

    private func contact(_ phase: Contact.Phase, _ x: Double, _ y: Double, id: UInt32 = 1) -> Contact {
        Contact(id: id, phase: phase, position: SurfacePoint(x: x / 1000, y: y / 1000))
    }

    private func subscribe(moves: Bool) -> RawClient {
        let client = stage.connect()
        _ = stage.send(#"{"request":"subscribe","to":["touches"],"moves":\#(moves)}"#, to: client)
        return client
    }

    private func members(_ line: String?) throws -> [String] {
        let line = ProtocolLine(try #require(line))
        return ["pressure", "width", "height"].map { line[$0] ?? "-" }
    }

    @Test("a touch has the pressure and size that the panel reports, unless it is in a private view")
    func contact() throws {
        let client = subscribe(moves: false)
        var finger = contact(.began, 100, 100)
        (finger.pressure, finger.majorRadius, finger.minorRadius) = (0.33333, 0.01, 0.005)
        deliver(finger)
        #expect(try members(client.lines().last) == ["0.333", "10", "20"])
        // Lying, and then without an axis for the smaller diameter.
        (finger.id, finger.orientation) = (2, .pi / 2)
        deliver(finger)
        #expect(try members(client.lines().last) == ["0.333", "20", "10"])
        (finger.id, finger.orientation, finger.minorRadius, finger.pressure) = (3, nil, nil, nil)
        deliver(finger)
        #expect(try members(client.lines().last) == ["-", "20", "20"])
        deliver(contact(.began, 100, 100, id: 4))
        #expect(try members(client.lines().last) == ["-", "-", "-"])
        (finger.id, finger.pressure, finger.position) = (5, 0.5, SurfacePoint(x: 0.1, y: 0.55))
        deliver(finger)
        #expect(try members(client.lines().last) == ["-", "-", "-"])
    }

    @Test("the event of merged moves has the position and time of each, and others have none")
    func coalesced() throws {
        let client = subscribe(moves: true)
        deliver(contact(.began, 100, 100))
        deliver(contact(.moved, 110, 100))
        #expect(client.lines().allSatisfy { ProtocolLine($0).members["coalesced"] == nil })
        deliver(contact(.moved, 120.126, 100), contact(.moved, 130, 105), contact(.ended, 130, 105))
        let lines = client.lines().map(ProtocolLine.init)
        #expect(lines.map { $0["phase"] } == ["moved", "ended"])
        let moves = lines[0].members["coalesced"].map { String(decoding: $0.json, as: UTF8.self) }
        #expect(moves == "[[120.13, 100, 2.012], [130, 105, 2.016]]")
        #expect(lines[1].members["coalesced"] == nil)
    }

    @Test("merged moves of which one is at a private place have no position, and the touch has none from then on")
    func privateMoves() throws {
        let client = subscribe(moves: true)
        deliver(contact(.began, 100, 100))
        _ = client.lines()
        deliver(contact(.moved, 100, 550), contact(.moved, 100, 450), contact(.ended, 100, 450))
        let lines = client.lines().map(ProtocolLine.init)
        #expect(lines.map { $0["phase"] } == ["moved", "ended"])
        #expect(lines.allSatisfy { $0["x"] == nil && $0.members["coalesced"] == nil })
    }
}
