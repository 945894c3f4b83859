import CPeers
import Dispatch
import Foundation

extension Contender {
    /// Foundation's RunLoop on the main thread; descriptors reach it through dispatch sources on the main queue.
    @MainActor static func foundation() -> Contender {
        var contender = Contender(name: "Foundation")
        contender.ring = { count, ready, edge, rounds in
            if edge { return 0 }
            let shared = Shared()
            ring_open(shared.ring, count, ready, false, rounds)
            let sources = (0..<Int(count)).map { index in
                let descriptor = shared.ring.pointee.descriptors[index]
                let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
                source.setEventHandler { if ring_step(shared.ring, descriptor) { shared.isDone = true } }
                source.activate()
                return source
            }
            let start = bench_now()
            ring_start(shared.ring)
            shared.run()
            let time = bench_now() - start
            for source in sources { source.cancel() }
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
            ring_close(shared.ring)
            return time
        }
        contender.fire = { count, rounds in
            // Each pass fires one timer and looks at all others: a thousand take 60 ms, a hundred thousand ten minutes.
            if count > 1_000 { return 0 }
            let shared = Shared()
            let start = bench_now()
            for _ in 0..<rounds {
                shared.left = Int(count)
                shared.isDone = false
                for _ in 0..<count {
                    let timer = Timer(timeInterval: 0, repeats: false) { _ in
                        shared.left -= 1
                        if shared.left == 0 { shared.isDone = true }
                    }
                    RunLoop.main.add(timer, forMode: .default)
                }
                shared.poll()
            }
            return bench_now() - start
        }
        contender.cancel = { count, rounds in
            if count > 1_000 { return 0 }
            var timers: [Timer] = []
            timers.reserveCapacity(Int(count))
            let start = bench_now()
            for _ in 0..<rounds {
                for number in 0..<UInt32(count) {
                    let timer = Timer(timeInterval: Double(timer_delay(number)) / 1000, repeats: false) { _ in }
                    RunLoop.main.add(timer, forMode: .default)
                    timers.append(timer)
                }
                for number in 0..<UInt32(count) { timers[Int(timer_place(number, UInt32(count)))].invalidate() }
                timers.removeAll(keepingCapacity: true)
            }
            return bench_now() - start
        }
        contender.blocks = { count, rounds in
            let shared = Shared()
            shared.rounds = rounds
            let start = bench_now()
            shared.give(Int(count))
            shared.poll()
            return bench_now() - start
        }
        contender.wakeups = { latencies, count in
            let shared = Shared()
            let waker = waker_start(wakeMainQueue, Unmanaged.passUnretained(shared).toOpaque(), latencies, count)
            shared.waker = waker
            shared.run()
            waker_join(waker)
        }
        contender.mainQueue = { rounds in
            let shared = Shared()
            let chain = MainQueueChain(rounds: rounds) { shared.isDone = true }
            let start = bench_now()
            chain.next()
            shared.run()
            return bench_now() - start
        }
        return contender
    }
}

/// Shared by the callbacks; used on the main thread only.
private final class Shared: @unchecked Sendable {
    let ring = UnsafeMutablePointer<CPeers.ring>.allocate(capacity: 1)
    var isDone = false
    var left = 0
    var rounds: UInt64 = 0
    var waker: OpaquePointer?

    deinit { ring.deallocate() }

    /// What `RunLoop.run()` does, until done.
    func run() {
        while !isDone { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }

    /// The same for timers and blocks, after which a run does not return by itself: passes that do not sleep.
    func poll() {
        while !isDone { _ = RunLoop.main.run(mode: .default, before: .distantPast) }
    }

    func give(_ count: Int) {
        left = count
        for _ in 0..<count {
            RunLoop.main.perform { [self] in
                left -= 1
                guard left == 0 else { return }
                rounds -= 1
                if rounds == 0 { isDone = true } else { give(count) }
            }
        }
    }
}

// Not a closure in main-actor code: it runs on the waking thread.
private func wakeMainQueue(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let shared = Unmanaged<Shared>.fromOpaque(context).takeUnretainedValue()
    DispatchQueue.main.async { if waker_seen(shared.waker) { shared.isDone = true } }
}
