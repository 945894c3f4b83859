import CPeers
import Dispatch
import EventLoop
import Foundation

/// Measures how long an async function takes to suspend and resume, by where it runs.
///
/// `Task.yield()` is the runtime's own way; in the second row the function waits for a continuation that a block of the loop
/// resumes, which is how a handler waits for an event.
@MainActor func printAsyncHops(repetitions: Int) {
    let table = Table(contenders: [
        "LoopExecutor", "main actor, preferring LoopExecutor", "main actor, EpollRunLoop", "main actor, Foundation",
    ])
    print()
    let rounds: UInt64 = 2_000
    var yields = [[Double](), [], [], []]
    var continuations = [[Double](), [], [], []]
    for _ in 0..<repetitions {
        for place in [0, 1, 2, 3].shuffled() {
            switch place {
            case 0:
                yields[0].append(onLoop { _ in await yield(rounds) })
                continuations[0].append(onLoop { await continueByLoop(rounds, $0) })
            case 1, 2:
                let executor = place == 1 ? EpollRunLoop.main.loopExecutor : nil
                yields[place].append(onMain(executor, runEpoll) { for _ in 0..<rounds { await Task.yield() } })
                continuations[place].append(
                    onMain(executor, runEpoll) {
                        for _ in 0..<rounds {
                            await withUnsafeContinuation { done in EpollRunLoop.main.perform { done.resume() } }
                        }
                    })
            default:
                yields[3].append(onMain(nil, runFoundation) { for _ in 0..<rounds { await Task.yield() } })
                continuations[3].append(
                    onMain(nil, runFoundation) {
                        for _ in 0..<rounds {
                            await withUnsafeContinuation { done in DispatchQueue.main.async { done.resume() } }
                        }
                    })
            }
        }
    }
    table.printRow("Task.yield()", yields.map { $0.median.map { $0 / Double(rounds) } })
    table.printRow("continuation resumed by the loop", continuations.map { $0.median.map { $0 / Double(rounds) } })

    func onLoop(_ work: @escaping @Sendable (EpollRunLoop.Remote) async -> Void) -> Double {
        guard let loop = try? EpollRunLoop() else { fatalError("no loop") }
        let keepsRunning = SignalledSource(name: "") {}
        loop.add(keepsRunning)
        let remote = loop.remote
        let start = bench_now()
        Task(executorPreference: loop.loopExecutor) {
            await work(remote)
            remote.stop()
        }
        loop.run()
        return Double(bench_now() - start)
    }

    func runEpoll(_ end: End) { EpollRunLoop.main.run() }

    func runFoundation(_ end: End) {
        while !end.isReached { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
        // The stop that was meant for the other loop.
        EpollRunLoop.main.run()
    }
}

@MainActor private final class End { var isReached = false }

@concurrent private func yield(_ rounds: UInt64) async {
    for _ in 0..<rounds { await Task.yield() }
}

@concurrent private func continueByLoop(_ rounds: UInt64, _ remote: EpollRunLoop.Remote) async {
    for _ in 0..<rounds {
        await withUnsafeContinuation { done in remote.perform { done.resume() } }
    }
}

@MainActor private func onMain(
    _ executor: (any TaskExecutor)?, _ run: (End) -> Void, _ work: @escaping @MainActor @Sendable () async -> Void
) -> Double {
    let end = End()
    let start = bench_now()
    let body: @MainActor @Sendable () async -> Void = {
        await work()
        end.isReached = true
        EpollRunLoop.main.stop()
    }
    _ = Task(executorPreference: executor, operation: body)
    run(end)
    return Double(bench_now() - start)
}
