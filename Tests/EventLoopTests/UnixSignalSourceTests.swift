import EventLoop
import Glibc
import Testing

@Suite("Unix signals")
struct UnixSignalSourceTests {
    @Test("a signal to the loop's thread calls the handler and does not end the process")
    func handled() throws {
        let loop = try EpollRunLoop()
        var seen: [Int32] = []
        let source = try UnixSignalSource(signals: [SIGUSR1, SIGUSR2]) { number in
            seen.append(number)
            if seen.count == 2 { loop.stop() }
        }
        try loop.add(source)
        pthread_kill(pthread_self(), SIGUSR1)
        pthread_kill(pthread_self(), SIGUSR2)
        #expect(loop.run() == .stopped)
        #expect(seen.sorted() == [SIGUSR1, SIGUSR2].sorted())
        source.invalidate()
    }

    @Test("after the source its signals are unblocked, except those blocked before")
    func restored() throws {
        // The thread of a test belongs to libdispatch, which blocks every signal.
        var before = sigset_t()
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGUSR2)
        pthread_sigmask(SIG_SETMASK, &set, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let source = try UnixSignalSource(signals: [SIGUSR1, SIGUSR2]) { _ in }
        var during = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &during)
        #expect(sigismember(&during, SIGUSR1) == 1)
        source.invalidate()
        var after = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &after)
        #expect(sigismember(&after, SIGUSR1) == 0)
        #expect(sigismember(&after, SIGUSR2) == 1)
    }

    @Test("an invalid signal number is rejected")
    func refused() throws {
        #expect(throws: SystemError(call: "sigaddset(1000)", errno: EINVAL)) {
            _ = try UnixSignalSource(signals: [1000]) { _ in }
        }
    }
}
