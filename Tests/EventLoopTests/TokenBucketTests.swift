import EventLoop
import Testing

@Suite struct TokenBucketTests {
    @Test("a bucket gives its capacity at once, and then its rate")
    func rate() {
        var bucket = TokenBucket(rate: 5, capacity: 20)
        #expect((0..<100).count { _ in bucket.take(at: .init(nanoseconds: 1_000_000_000)) } == 20)
        #expect((0..<100).count { _ in bucket.take(at: .init(nanoseconds: 3_000_000_000)) } == 10)
        #expect((0..<100).count { _ in bucket.take(at: .init(nanoseconds: 1_000_000_000_000)) } == 20)
    }
}
