import EventLoop
import Glibc
import Synchronization
import Testing

@Suite("Async code on the loop")
struct LoopExecutorTests {
    @Test("a task that prefers the loop runs on its thread, resumes there after sleeping, and in the order enqueued")
    func task() throws {
        let loop = try EpollRunLoop()
        let keeps = SignalledSource(name: "keeps the mode from finishing") {}
        loop.add(keeps)
        let remote = loop.remote
        let executor = loop.loopExecutor
        let log = LockedLog()
        for number in 0..<3 {
            Task(executorPreference: executor) {
                executor.checkIsolated()
                log.append(number)
            }
        }
        Task(executorPreference: executor) {
            try? await Task.sleep(for: .milliseconds(1))
            executor.checkIsolated()
            await Task.yield()
            executor.checkIsolated()
            log.append(3)
            remote.stop()
        }
        #expect(loop.run() == .stopped)
        #expect(log.numbers == [0, 1, 2, 3])
    }

    @Test("an actor whose executor is the loop's runs on its thread")
    func actor() throws {
        let loop = try EpollRunLoop()
        let keeps = SignalledSource(name: "keeps the mode from finishing") {}
        loop.add(keeps)
        let remote = loop.remote
        let handlers = LoopActor(executor: loop.loopExecutor)
        Task {
            for _ in 0..<100 { await handlers.add() }
            await handlers.check()
            remote.stop()
        }
        #expect(loop.run() == .stopped)
        handlers.assumeIsolated { #expect($0.count == 100) }
    }

    @Test("jobs wait while the loop runs in a mode that is not common")
    func modes() throws {
        let loop = try EpollRunLoop()
        let mode = EpollRunLoop.Mode("no jobs")
        let log = LockedLog()
        let remote = loop.remote
        loop.add(RunLoopTimer(name: "end", after: .milliseconds(2)) { _ in log.append(0) }, to: mode)
        Task(executorPreference: loop.loopExecutor) {
            log.append(1)
            remote.stop()
        }
        #expect(loop.run(mode: mode) == .finished)
        let keeps = SignalledSource(name: "keeps the mode from finishing") {}
        loop.add(keeps)
        #expect(loop.run() == .stopped)
        #expect(log.numbers == [0, 1])
    }
}

private actor LoopActor {
    private let executor: LoopExecutor
    private(set) var count = 0

    init(executor: LoopExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func add() { count += 1 }

    func check() { executor.checkIsolated() }
}
