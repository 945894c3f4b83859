import Testing

@testable import WebBridge

@Suite("How fast a page's requests are read") struct RequestBudgetTests {
    @Test("moving views 60 times a second never waits, and a flood waits longer and longer")
    func rate() {
        var budget = RequestBudget(at: 0)
        for frame in 0..<600 {
            #expect(budget.charge(bytes: 4000, at: Double(frame) / 60) == 0)
        }
        var flood = RequestBudget(at: 0)
        let waits = (0..<1000).map { _ in flood.charge(bytes: 100, at: 0) }
        #expect(waits[100] == 0)
        #expect(waits[999] > 6 && waits[999] < 7)
        // After the wait the next request is read.
        #expect(flood.charge(bytes: 100, at: waits[999] + 0.1) == 0)
    }

    @Test("a large request costs more than a small one")
    func size() {
        var budget = RequestBudget(at: 0)
        let waits = (0..<3).map { _ in budget.charge(bytes: 1_048_576, at: 0) }
        #expect(waits[0] == 0 && waits[2] > 1)
    }
}
