import Testing

@testable import WebServer

@Suite("Events for a page that reads slowly") @MainActor struct EventFeedTests {
    @Test("everything arrives in order while there is room")
    func order() async {
        let feed = EventFeed { "\($0) dropped" }
        feed.add("{1}")
        feed.add("{2}", isReplaced: true)
        #expect(String(decoding: await feed.next(), as: UTF8.self) == "data: {1}\n\ndata: {2}\n\n")
    }

    @Test("when it is full the oldest replaced events are dropped and counted")
    func drops() async {
        let feed = EventFeed { "\($0) dropped" }
        for number in 0..<100 { feed.add("{began \(number)}") }
        for number in 0..<5000 { feed.add("{moved \(number)}", isReplaced: true) }
        let text = String(decoding: await feed.next(), as: UTF8.self)
        let events = text.split(separator: "\n\n").map(String.init)
        #expect(events.count == EventFeed.capacity + 1)
        #expect(events.first == "data: \(5100 - EventFeed.capacity) dropped")
        #expect((0..<100).allSatisfy { events.contains("data: {began \($0)}") })
        #expect(events.last == "data: {moved 4999}")
    }

    @Test("a waiting page gets the next event")
    func waiting() async {
        let feed = EventFeed { "\($0) dropped" }
        async let first = feed.next()
        await Task.yield()
        feed.add("{}")
        #expect(await first == Array("data: {}\n\n".utf8))
    }

    @Test("when a page closes, its waiting feed returns")
    func cancelled() async {
        let feed = EventFeed { "\($0) dropped" }
        let reader = Task { await feed.next() }
        await Task.yield()
        reader.cancel()
        #expect(await reader.value.isEmpty)
    }
}
