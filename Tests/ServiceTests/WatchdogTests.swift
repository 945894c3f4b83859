import EventLoop
import Foundation
import Layout
import Synchronization
import Testing

@testable import Service

@Suite("The watch over the run loop") struct LoopWatchTests {
    private let loop: EpollRunLoop
    private let watch: LoopWatch

    init() throws {
        loop = try EpollRunLoop()
        let meter = RunLoopMeter()
        loop.meter = meter
        watch = try LoopWatch(meter.busyTime)
    }

    /// Runs the loop with a callback that is called after some time.
    private func run(after delay: Duration, _ callback: @escaping () -> Void) {
        let timer = RunLoopTimer(name: "stuck", after: delay) { [loop] _ in
            callback()
            loop.stop()
        }
        loop.add(timer)
        loop.run()
    }

    @Test("a callback that does not return is noticed on another thread, also after the loop has waited")
    func stuckCallback() {
        defer { watch.setLimits(nil) }
        for delay in [Duration.zero, .milliseconds(100)] {
            let noticed = Awaited<Bool>()
            watch.setLimits([.init(duration: .milliseconds(20)) { noticed.set(!Thread.isMainThread) }])
            // Returns only after it has been noticed.
            run(after: delay) { #expect(noticed.wait() == true) }
        }
    }

    @Test("a limit acts once for a callback; one that repeats acts until the callback returns")
    func repeated() {
        defer { watch.setLimits(nil) }
        let third = Awaited<Bool>()
        // Counted only in the callback: on a busy machine, a pass before it can be slow.
        let counts = Mutex((isStuck: false, once: 0, repeated: 0))
        watch.setLimits([
            .init(duration: .milliseconds(100)) { counts.withLock { $0.once += $0.isStuck ? 1 : 0 } },
            .init(duration: .milliseconds(110), repeats: true) {
                let count = counts.withLock {
                    $0.repeated += $0.isStuck ? 1 : 0
                    return $0.repeated
                }
                if count == 3 { third.set(true) }
            },
        ])
        run(after: .milliseconds(1)) {
            counts.withLock { $0.isStuck = true }
            _ = third.wait()
        }
        let once = counts.withLock { $0.once }
        #expect(once == 1)
    }
}

@Suite("The watchdog's times") struct WatchdogTimesTests {
    @Test("by default a handler is logged after 5 s, and the unit's time restarts the service")
    func defaults() {
        let times = WatchdogTimes(WatchdogSpec(), unit: .seconds(10))
        #expect(times.warning == .seconds(5))
        #expect(times.restart == .seconds(10))
    }

    @Test("the layout's time replaces the unit's, and the warning comes before the restart")
    func ofLayout() {
        var spec = WatchdogSpec()
        spec.restart = .seconds(4)
        let times = WatchdogTimes(spec, unit: .seconds(10))
        #expect(times.restart == .seconds(4))
        #expect(times.warning == .seconds(3))
    }

    @Test(
        "a hang that begins just before a message is logged before the restart",
        arguments: [(5, 10), (1, 2), (1, 3600), (8, 9)])
    func order(warning: Int, restart: Int) {
        var spec = WatchdogSpec()
        (spec.warning, spec.restart) = (.seconds(warning), .seconds(restart))
        let times = WatchdogTimes(spec, unit: .seconds(10))
        #expect(times.interval > .zero)
        #expect(times.restart - times.interval > times.warning)
    }
}

@Suite("The status line") struct StatusLineTests {
    @Test("is sent when it changed, never twice the same, with only one timer in the loop")
    func changes() throws {
        let loop = try EpollRunLoop()
        var text = "one"
        var sent: [String] = []
        let line = StatusLine(
            loop: loop, pause: .seconds(3600), text: { (text, false) },
            send: {
                sent.append($0)
                return true
            })
        line.setNeedsUpdate()
        while sent.isEmpty { loop.run(until: .after(.milliseconds(10))) }
        text = "two"
        // Too early after the first one, so it waits.
        line.setNeedsUpdate()
        line.setNeedsUpdate()
        loop.run(until: .now)
        #expect(sent == ["one"])
        #expect(line.sentWithOther() == "two")
        line.invalidate()
        #expect(loop.run() == .finished)
    }

    @Test("that cannot be sent is sent later, with its current content")
    func unsent() throws {
        let loop = try EpollRunLoop()
        var text = "one"
        var tried: [String] = []
        let line = StatusLine(
            loop: loop, pause: .milliseconds(1), text: { (text, false) },
            send: {
                tried.append($0)
                text = "two"
                if tried.count == 2 { loop.stop() }
                return tried.count == 2
            })
        line.setNeedsUpdate()
        #expect(loop.run(until: .after(.seconds(600))) == .stopped)
        #expect(tried == ["one", "two"])
        line.invalidate()
    }
}
