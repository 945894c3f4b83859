import CPeers
import Dispatch
import EventLoop
import Foundation

/// Measures how long an async function on the main actor takes to suspend and resume, by the loop that runs it.
///
/// `Task.yield()` is the runtime's own way; in the second row the function waits for a continuation that a block of the loop
/// resumes, which is how a handler waits for an event.
@MainActor func printAsyncHops(repetitions: Int) {
    let table = Table(contenders: ["EpollRunLoop", "Foundation"])
    print()
    let rounds: UInt64 = 2_000
    var yields = [[Double](), []]
    var continuations = [[Double](), []]
    for _ in 0..<repetitions {
        for place in [0, 1].shuffled() {
            let run = place == 0 ? runEpoll : runFoundation
            yields[place].append(onMain(run) { for _ in 0..<rounds { await Task.yield() } })
            continuations[place].append(
                onMain(run) {
                    for _ in 0..<rounds {
                        await withUnsafeContinuation { done in
                            if place == 0 {
                                EpollRunLoop.main.perform { done.resume() }
                            } else {
                                DispatchQueue.main.async { done.resume() }
                            }
                        }
                    }
                })
        }
    }
    table.printRow("Task.yield()", yields.map { $0.median.map { $0 / Double(rounds) } })
    table.printRow("continuation resumed by the loop", continuations.map { $0.median.map { $0 / Double(rounds) } })

    func runEpoll(_ end: End) { EpollRunLoop.main.run() }

    func runFoundation(_ end: End) {
        while !end.isReached { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
        // The stop that was meant for the other loop.
        EpollRunLoop.main.run()
    }
}

@MainActor private final class End { var isReached = false }

@MainActor private func onMain(
    _ run: (End) -> Void, _ work: @escaping @MainActor @Sendable () async -> Void
) -> Double {
    let end = End()
    let start = bench_now()
    Task { @MainActor in
        await work()
        end.isReached = true
        EpollRunLoop.main.stop()
    }
    run(end)
    return Double(bench_now() - start)
}
