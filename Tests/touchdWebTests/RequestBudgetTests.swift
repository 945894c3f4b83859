import Basics
import Testing

@testable import touchd_web

@Suite("How fast a page's requests are read") struct RequestBudgetTests {
    private let start = SuspendingClock.now

    @Test("moving views 60 times a second never waits, and a flood waits longer and longer")
    func rate() {
        var budget = PageBridge.budget
        for frame in 0..<600 as Range<Int64> {
            let now = start + .nanoseconds(frame * 1_000_000_000 / 60)
            #expect(budget.charge(PageBridge.cost(of: 4000), at: now) == 0)
        }
        var flood = PageBridge.budget
        let waits = (0..<1000).map { _ in flood.charge(PageBridge.cost(of: 100), at: start) }
        #expect(waits[100] == 0)
        #expect(waits[999] > 6 && waits[999] < 7)
        // After the wait the next request is read.
        #expect(flood.charge(1, at: start + .seconds(waits[999] + 0.1)) == 0)
    }

    @Test("a large request costs more than a small one")
    func size() {
        var budget = PageBridge.budget
        let waits = (0..<3).map { _ in budget.charge(PageBridge.cost(of: 1_048_576), at: start) }
        #expect(waits[0] == 0 && waits[2] > 1)
    }
}
