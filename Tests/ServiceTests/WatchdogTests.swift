import EventLoop
import Foundation
import Layout
import Testing

@testable import Service

@Suite("The watchdog") struct WatchdogTests {
    @Test("a callback that does not return stops the feeding, and the alarm is raised")
    func stuckCallback() throws {
        let loop = try EpollRunLoop()
        var fed = 0
        let rang = Awaited<Bool>()
        let meter = RunLoopMeter()
        loop.meter = meter
        var spec = WatchdogSpec()
        spec.warning = .milliseconds(20)
        let times = Watchdog.Times(spec, unit: .milliseconds(40))
        let watchdog = try Watchdog(times, loop: loop, busyTime: meter.busyTime, feed: { fed += 1 }) {
            rang.set(!Thread.isMainThread)
        }
        let stuck = RunLoopTimer(name: "stuck", after: .milliseconds(10)) { _ in
            // A handler that returns only after the watchdog has noticed it.
            #expect(rang.wait() == true)
            loop.stop()
        }
        loop.add(stuck)
        loop.run()
        #expect(fed >= 1)
        watchdog.invalidate()
        #expect(loop.run() == .finished)
    }
}

@Suite("The watchdog's times") struct WatchdogTimesTests {
    @Test("by default a handler is logged after 5 s, and the unit's time restarts the service")
    func defaults() {
        let times = Watchdog.Times(WatchdogSpec(), unit: .seconds(10))
        #expect(times.warning == .seconds(5))
        #expect(times.restart == .seconds(10))
    }

    @Test("the layout's time replaces the unit's, and the warning comes before the restart")
    func ofLayout() {
        var spec = WatchdogSpec()
        spec.restart = .seconds(4)
        let times = Watchdog.Times(spec, unit: .seconds(10))
        #expect(times.restart == .seconds(4))
        #expect(times.warning == .seconds(3))
    }

    @Test(
        "a hang that begins just before a message is logged before the restart",
        arguments: [(5, 10), (1, 2), (1, 3600), (8, 9)])
    func order(warning: Int, restart: Int) {
        var spec = WatchdogSpec()
        (spec.warning, spec.restart) = (.seconds(warning), .seconds(restart))
        let times = Watchdog.Times(spec, unit: .seconds(10))
        #expect(times.interval > .zero)
        #expect(times.restart - times.interval > times.warning)
        // The alarm is postponed before it fires, so its thread sleeps while the loop works.
        #expect(times.interval < times.warning)
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
