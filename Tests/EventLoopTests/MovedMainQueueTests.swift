import Dispatch
import Testing

@testable import EventLoop

@Suite("A loop of the main queue")
struct MovedMainQueueTests {
    @Test("one that work of the main queue made is that queue's, on whatever thread libdispatch does its work")
    func moved() async {
        let isOwn = await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                let queue = MovedMainQueue()
                let here = queue.goesOnHere
                DispatchQueue.main.async { continuation.resume(returning: here && queue.goesOnHere) }
            }
        }
        #expect(isOwn)
    }

    @Test("one that another thread made is not the main queue's, nor is the main queue's another's")
    func others() async {
        let queue = MovedMainQueue()
        let elsewhere = await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume(returning: (queue.goesOnHere, MovedMainQueue())) }
        }
        #expect(!elsewhere.0)
        #expect(!elsewhere.1.goesOnHere)
    }
}
