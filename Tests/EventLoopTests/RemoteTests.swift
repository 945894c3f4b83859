import CLinux
import Dispatch
@testable import EventLoop
import Glibc
import Testing

@Suite("Other threads and the loop")
struct RemoteTests {
    @Test("blocks of other threads run on the loop's thread, in the order given")
    func perform() throws {
        let loop = try EpollRunLoop()
        loop.keepAlive()
        let received = LockedLog()
        let remote = loop.remote
        DispatchQueue.global().async {
            for number in 0..<1_000 { remote.perform { received.append(number) } }
            remote.stop()
        }
        #expect(loop.run() == .stopped)
        #expect(received.numbers == Array(0..<1_000))
    }

    @Test("a stop before the run is not lost")
    func stopBeforeRun() throws {
        let loop = try EpollRunLoop()
        loop.keepAlive()
        loop.remote.stop()
        #expect(loop.run() == .stopped)
    }

    @Test("a thousand blocks during sleep cost one write, and wake the loop once")
    func coalesced() throws {
        let loop = try EpollRunLoop()
        loop.keepAlive()
        let remote = loop.remote
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            for _ in 0..<1_000 { remote.perform {} }
            done.signal()
        }
        done.wait()
        #expect(writes(of: loop) == 1)
    }

    @Test("the loop's own thread wakes it without a write: the next pass does not sleep")
    func ownWakeUp() throws {
        let loop = try EpollRunLoop()
        loop.keepAlive()
        var log: [String] = []
        let remote = loop.remote
        loop.add(
            RunLoopObserver(activities: .beforeWaiting, repeats: false) { _ in
                log.append("before waiting")
                remote.stop()
            })
        #expect(loop.run() == .stopped)
        #expect(writes(of: loop) == nil)
        #expect(log == ["before waiting"])
    }

    @Test("after each wake-up the next one writes again")
    func wakesAgain() throws {
        let loop = try EpollRunLoop()
        loop.keepAlive()
        var wakes = 0
        let remote = loop.remote
        loop.add(
            RunLoopObserver(activities: .beforeWaiting) { _ in
                if wakes < 5 { DispatchQueue.global().async { remote.perform {} } } else { remote.stop() }
            })
        loop.observe(.afterWaiting) { wakes += 1 }
        #expect(loop.run() == .stopped)
        #expect(wakes == 6)
    }

    @Test("a remote does nothing after its loop is gone")
    func gone() throws {
        var loop: EpollRunLoop? = try EpollRunLoop()
        let remote = try #require(loop?.remote)
        loop = nil
        remote.perform { Issue.record("a block ran without its loop") }
        remote.stop()
    }

    /// The number of writes that wait to wake the loop.
    private func writes(of loop: EpollRunLoop) -> UInt64? {
        var writes: eventfd_t = 0
        return eventfd_read(loop.remoteQueue.wakeUp.descriptor, &writes) == 0 ? writes : nil
    }
}
