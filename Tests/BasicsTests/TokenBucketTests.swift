import Basics
import Testing

@Suite struct TokenBucketTests {
    @Test("a bucket gives its capacity at once, and then its rate")
    func rate() {
        let start = SuspendingClock.now
        var bucket = TokenBucket(rate: 5, capacity: 20)
        #expect((0..<100).count { _ in bucket.take(at: start) } == 20)
        #expect((0..<100).count { _ in bucket.take(at: start + .seconds(2)) } == 10)
        #expect((0..<100).count { _ in bucket.take(at: start + .seconds(1000)) } == 20)
    }
}
