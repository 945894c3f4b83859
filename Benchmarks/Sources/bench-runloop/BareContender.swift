import CPeers
import Dispatch

extension Contender {
    /// The floor: epoll in C, and libdispatch's hooks where the main queue is concerned.
    static func bareEpoll() -> Contender {
        var contender = Contender(CPeers.bare_epoll, edge: true)
        contender.mainQueue = { rounds in
            let done = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
            done.initialize(to: 0)
            defer { done.deallocate() }
            nonisolated(unsafe) let shared = done
            let chain = MainQueueChain(rounds: rounds) { shared.pointee = 1 }
            let start = bench_now()
            chain.next()
            drain_main_queue(done)
            return bench_now() - start
        }
        return contender
    }
}
