import CPeers
import EventLoop

/// A loop that is measured. Each closure does the work of one kind of row and returns its nanoseconds.
struct Contender {
    var name: String
    /// Watches descriptors, some of which are ready in each round, for a number of callbacks.
    var ring: (_ count: Int32, _ ready: Int32, _ rounds: UInt64) -> UInt64
    /// Arms timers, and lets them fire at once or cancels them in another order.
    var timers: (_ count: Int32, _ rounds: UInt64, _ isFiring: Bool) -> UInt64
    /// Runs blocks from the loop's thread.
    var blocks: (_ count: Int32, _ rounds: UInt64) -> UInt64

    /// One of the loops written in C.
    init(_ peer: peer) {
        name = String(cString: peer.name)
        ring = { peer.ring($0, $1, $2) }
        timers = { peer.timers($0, $1, $2) }
        blocks = { peer.blocks($0, $1) }
    }

    /// touchd's loop.
    @MainActor init() {
        name = "EpollRunLoop"
        ring = { count, ready, rounds in
            let loop = makeLoop()
            let ring = UnsafeMutablePointer<ring>.allocate(capacity: 1)
            ring_open(ring, count, ready, rounds)
            let sources = (0..<Int(count)).map { index in
                let descriptor = ring.pointee.descriptors[index]
                return DescriptorSource(name: "", descriptor: descriptor) { _ in
                    if ring_step(ring, descriptor) { loop.stop() }
                }
            }
            do {
                for source in sources { try loop.add(source, to: .default) }
            } catch {
                fatalError("no source: \(error)")
            }
            let start = bench_now()
            ring_start(ring)
            loop.run()
            let time = bench_now() - start
            for source in sources { source.invalidate() }
            ring_close(ring)
            ring.deallocate()
            return time
        }
        timers = { count, rounds, isFiring in
            let loop = makeLoop()
            let timers = (0..<count).map { _ in RunLoopTimer(name: "") { _ in } }
            for timer in timers { loop.add(timer, to: .default) }
            let delays = (0..<UInt32(count)).map { Duration.milliseconds(isFiring ? 0 : timer_delay($0)) }
            let start = bench_now()
            for _ in 0..<rounds {
                for (timer, delay) in zip(timers, delays) { timer.reschedule(at: loop.now + delay) }
                if isFiring {
                    loop.run()
                } else {
                    for number in 0..<UInt32(count) { timers[Int(timer_place(number, UInt32(count)))].cancel() }
                }
            }
            return bench_now() - start
        }
        blocks = { count, rounds in
            let chain = BlockChain(loop: makeLoop(), count: Int(count), rounds: rounds)
            let start = bench_now()
            chain.give()
            chain.loop.run()
            return bench_now() - start
        }
    }
}

private func makeLoop() -> EpollRunLoop {
    do { return try EpollRunLoop() } catch { fatalError("no loop: \(error)") }
}

/// Blocks that a loop's own thread gives to it; the last gives the next.
private final class BlockChain {
    let loop: EpollRunLoop
    private let count: Int
    private var left = 0
    private var rounds: UInt64

    init(loop: EpollRunLoop, count: Int, rounds: UInt64) {
        (self.loop, self.count, self.rounds) = (loop, count, rounds)
    }

    func give() {
        left = count
        let block = block
        for _ in 0..<count { loop.perform(block) }
    }

    // Made once and given again and again, as the peers' handles are.
    private lazy var block: () -> Void = { [unowned(unsafe) self] in
        left -= 1
        guard left == 0 else { return }
        rounds -= 1
        if rounds > 0 { give() }
    }
}
