import CPeers
import Dispatch
import EventLoop

extension Contender {
    /// The loop this is about.
    @MainActor static func epollRunLoop(measured: Bool = false) -> Contender {
        var contender = Contender(name: measured ? "EpollRunLoop, measured" : "EpollRunLoop")
        contender.ring = { count, ready, edge, rounds in
            let loop = makeLoop()
            let ring = UnsafeMutablePointer<ring>.allocate(capacity: 1)
            ring_open(ring, count, ready, edge, rounds)
            let sources = (0..<Int(count)).map { index in
                let descriptor = ring.pointee.descriptors[index]
                return DescriptorSource(name: "", descriptor: descriptor, trigger: edge ? .edge : .level) { _ in
                    if ring_step(ring, descriptor) { loop.stop() }
                }
            }
            for source in sources { loop.add(source, to: .default) }
            let start = bench_now()
            ring_start(ring)
            loop.run()
            let time = bench_now() - start
            for source in sources { source.invalidate() }
            ring_close(ring)
            ring.deallocate()
            return time
        }
        contender.fire = { count, rounds in
            let loop = makeLoop()
            let timers = (0..<count).map { _ in RunLoopTimer(name: "") { _ in } }
            for timer in timers { loop.add(timer, to: .default) }
            let start = bench_now()
            for _ in 0..<rounds {
                for timer in timers { timer.reschedule(at: loop.now) }
                loop.run()
            }
            return bench_now() - start
        }
        contender.cancel = { count, rounds in
            let loop = makeLoop()
            let timers = (0..<count).map { _ in RunLoopTimer(name: "") { _ in } }
            for timer in timers { loop.add(timer, to: .default) }
            let delays = (0..<UInt32(count)).map { Duration.milliseconds(timer_delay($0)) }
            let start = bench_now()
            for _ in 0..<rounds {
                for number in 0..<UInt32(count) {
                    timers[Int(number)].reschedule(at: loop.now + delays[Int(number)])
                }
                for number in 0..<UInt32(count) { timers[Int(timer_place(number, UInt32(count)))].cancel() }
            }
            return bench_now() - start
        }
        contender.blocks = { count, rounds in
            let loop = makeLoop()
            let chain = BlockChain(loop: loop, count: Int(count), rounds: rounds)
            let start = bench_now()
            chain.give()
            loop.run()
            return bench_now() - start
        }
        contender.wakeups = { latencies, count in
            let loop = makeLoop()
            let bell = LoopBell(remote: loop.remote)
            let keepsRunning = SignalledSource(name: "") {}
            loop.add(keepsRunning)
            let waker = waker_start(ringBell, Unmanaged.passUnretained(bell).toOpaque(), latencies, count)
            bell.waker = waker
            loop.run()
            waker_join(waker)
        }
        if !measured {
            contender.mainQueue = { rounds in
                let chain = MainQueueChain(rounds: rounds) { MainActor.assumeIsolated { EpollRunLoop.main.stop() } }
                let start = bench_now()
                chain.next()
                MainActor.assumeIsolated { _ = EpollRunLoop.main.run() }
                return bench_now() - start
            }
        }
        return contender
    }

    private static func makeLoop() -> EpollRunLoop {
        do { return try EpollRunLoop() } catch { fatalError("no loop: \(error)") }
    }
}

/// Blocks given to a loop by its own thread; the last gives the next.
private final class BlockChain {
    let loop: EpollRunLoop
    let count: Int
    var left = 0
    var rounds: UInt64

    init(loop: EpollRunLoop, count: Int, rounds: UInt64) {
        self.loop = loop
        self.count = count
        self.rounds = rounds
    }

    func give() {
        left = count
        for _ in 0..<count { loop.perform(block) }
    }

    // Made once and given again and again, as the others' handles are.
    private lazy var block: () -> Void = { [unowned(unsafe) self] in
        left -= 1
        guard left == 0 else { return }
        rounds -= 1
        if rounds > 0 { give() }
    }
}

// Not a closure in main-actor code: it runs on the waking thread.
private func ringBell(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<LoopBell>.fromOpaque(context).takeUnretainedValue().ring()
}

/// Wakes a loop from another thread by a block.
private final class LoopBell: @unchecked Sendable {
    let remote: EpollRunLoop.Remote
    // Set before the loop runs, and so before the first block reads it.
    var waker: OpaquePointer?

    init(remote: EpollRunLoop.Remote) { self.remote = remote }

    func ring() {
        remote.perform { [self] in
            if waker_seen(waker) { remote.stop() }
        }
    }
}

/// Blocks of the main dispatch queue, each of which gives the next.
final class MainQueueChain: @unchecked Sendable {
    // Touched on the main thread only.
    private var rounds: UInt64
    private let end: () -> Void

    init(rounds: UInt64, end: @escaping () -> Void) {
        self.rounds = rounds
        self.end = end
    }

    func next() {
        DispatchQueue.main.async { [self] in
            rounds -= 1
            if rounds == 0 { end() } else { next() }
        }
    }
}
