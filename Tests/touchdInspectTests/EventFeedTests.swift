import Testing

@testable import touchd_inspect

@Suite("Events for a page that reads slowly") @MainActor struct EventFeedTests {
    /// What was written, and for each part what reports that the page has read it.
    @MainActor private final class Page {
        var parts: [String] = [], reads: [@MainActor () -> Void] = []
        private(set) lazy var feed = EventFeed { [unowned self] text, whenWritten in
            parts.append(text)
            reads.append(whenWritten)
        }
    }

    private let page = Page()

    @Test("an event is written at once, and the next ones in order when the page has read it")
    func order() {
        page.feed.add("{1}")
        page.feed.add("{2}")
        page.feed.add("{3}", isReplaced: true)
        #expect(page.parts == ["data: {1}\n\n"])
        page.reads[0]()
        #expect(page.parts.dropFirst() == ["data: {2}\n\ndata: {3}\n\n"])
        page.reads[1]()
        #expect(page.parts.count == 2)
    }

    @Test("when it is full the oldest replaced events are dropped and counted")
    func drops() {
        page.feed.add("{first}")
        for number in 0..<100 { page.feed.add("{began \(number)}") }
        for number in 0..<5000 { page.feed.add("{moved \(number)}", isReplaced: true) }
        page.reads[0]()
        let events = page.parts[1].split(separator: "\n\n").map(String.init)
        #expect(events.count == EventFeed.capacity + 1)
        #expect(events.first == #"data: {"event": "dropped", "count": \#(5100 - EventFeed.capacity)}"#)
        #expect((0..<100).allSatisfy { events.contains("data: {began \($0)}") })
        #expect(events.last == "data: {moved 4999}")
    }

    @Test("a pulse is written only if nothing else waits")
    func pulse() {
        page.feed.addPulse()
        #expect(page.parts == [": still here\n\n"])
        page.feed.add("{}")
        page.feed.addPulse()
        page.reads[0]()
        #expect(page.parts.dropFirst() == ["data: {}\n\n"])
    }
}
