@testable import ControlProtocol
import Foundation
import Testing

@testable import Inspector

@Suite("What a page is told that reads slowly") @MainActor struct PageFeedTests {
    private func move(_ number: Int) -> String {
        var record = InspectionRecord(time: Double(number), queue: InspectionRecord.Queue(frames: 0, age: 0))
        record.touches = [
            InspectionRecord.Touch(
                touch: 1, source: 1, phase: "moved", x: Double(number), y: 0, view: "map", handlers: [])
        ]
        return record.json
    }

    private func change(_ number: Int) -> String {
        var record = InspectionRecord(time: Double(number), queue: InspectionRecord.Queue(frames: 0, age: 0))
        record.touches = [
            InspectionRecord.Touch(
                touch: 1, source: 1, phase: number.isMultiple(of: 2) ? "began" : "ended", handlers: [])
        ]
        return record.json
    }

    @Test("everything in its order, while there is room")
    func order() async {
        let feed = PageFeed()
        feed.add(change(2))
        feed.add(move(1))
        let text = String(decoding: await feed.take(), as: UTF8.self)
        #expect(text == "data: \(change(2))\n\ndata: \(move(1))\n\n")
    }

    @Test(
        "then moves are left out, the oldest first, and it is told how many; beginnings and ends never while there are moves"
    )
    func drops() async {
        let feed = PageFeed()
        for number in 0..<100 { feed.add(change(number)) }
        for number in 0..<5000 { feed.add(move(number)) }
        let text = String(decoding: await feed.take(), as: UTF8.self)
        let events = text.components(separatedBy: "\n\n").filter { !$0.isEmpty }
        #expect(events.count == PageFeed.capacity + 1)
        #expect(events.first == "data: {\"event\": \"dropped\", \"count\": \(5100 - PageFeed.capacity)}")
        #expect((0..<100).allSatisfy { events.contains("data: \(change($0))") })
        #expect(events.last == "data: \(move(4999))")
    }

    @Test("a page that waits is woken by what comes")
    func waiting() async {
        let feed = PageFeed()
        async let first = feed.take()
        await Task.yield()
        feed.add("{}")
        #expect(await first == Array("data: {}\n\n".utf8))
    }
}
