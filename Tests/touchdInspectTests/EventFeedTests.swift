import Testing

@testable import touchd_inspect

@Suite("Events for a page that reads slowly") struct EventFeedTests {
    /// What was written, and whether the page reads.
    private final class Page {
        var events: [String] = [], reads = true
        private(set) lazy var feed = EventFeed(isWritable: { [unowned self] in reads }) { [unowned self] in
            events += $0
        }
    }

    private let page = Page()

    @Test("an event is written at once, and the next ones in order when the page has read it")
    func order() {
        page.feed.add("{1}")
        page.reads = false
        page.feed.add("{2}")
        page.feed.add("{3}", isReplaced: true)
        #expect(page.events == ["{1}"])
        page.reads = true
        page.feed.writeEvents()
        page.feed.writeEvents()
        #expect(page.events == ["{1}", "{2}", "{3}"])
    }

    @Test("when it is full the oldest replaced events are dropped and counted")
    func drops() {
        page.reads = false
        for number in 0..<100 { page.feed.add("{began \(number)}") }
        for number in 0..<5000 { page.feed.add("{moved \(number)}", isReplaced: true) }
        page.reads = true
        page.feed.writeEvents()
        #expect(page.events.count == EventFeed.capacity + 1)
        #expect(page.events.first == #"{"event": "dropped", "count": \#(5100 - EventFeed.capacity)}"#)
        #expect((0..<100).allSatisfy { page.events.contains("{began \($0)}") })
        #expect(page.events.last == "{moved 4999}")
    }
}
