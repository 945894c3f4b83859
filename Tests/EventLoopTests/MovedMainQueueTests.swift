import Dispatch
import Testing

@testable import EventLoop

@Suite("A loop of the main queue")
struct MovedMainQueueTests {
    @Test("a loop created by main-queue work belongs to that queue on any thread")
    func moved() async {
        let isOwn = await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                let queue = MovedMainQueue()
                let here = queue.isCurrent
                DispatchQueue.main.async { continuation.resume(returning: here && queue.isCurrent) }
            }
        }
        #expect(isOwn)
    }

    @Test("a loop created on another thread is separate from the main queue's")
    func others() async {
        let queue = MovedMainQueue()
        let elsewhere = await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume(returning: (queue.isCurrent, MovedMainQueue())) }
        }
        #expect(!elsewhere.0)
        #expect(!elsewhere.1.isCurrent)
    }
}
