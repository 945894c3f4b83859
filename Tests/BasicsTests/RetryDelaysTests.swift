import Basics
import Testing

@Suite struct RetryDelaysTests {
    @Test("retries come after 1, 2, 4 … s and then each minute")
    func delays() {
        var delays = RetryDelays()
        #expect((0..<8).map { _ in delays.next() } == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        delays.restart()
        #expect(delays.next() == .seconds(1))
    }

    @Test("a connection that lasted for a minute was not a failed attempt", arguments: [(nil, 2), (60, 2), (61, 1)])
    func connections(seconds: Int?, next: Int) {
        var delays = RetryDelays()
        _ = delays.next()
        delays.connectionEnded(after: seconds.map { .seconds($0) })
        #expect(delays.next() == .seconds(next))
    }
}
