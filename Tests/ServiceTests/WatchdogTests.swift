import EventLoop
import Foundation
import Testing

@testable import Service

@Suite("The watchdog") struct WatchdogTests {
    @Test("is fed from the loop, and while a callback does not return it is not, but the alarm rings on another thread")
    func stuckCallback() throws {
        let loop = try EpollRunLoop()
        var fed = 0
        let rang = Awaited<Bool>()
        let watchdog = try Watchdog(interval: .milliseconds(40), loop: loop, feed: { fed += 1 }) {
            rang.set(!Thread.isMainThread)
        }
        let stuck = RunLoopTimer(name: "stuck", after: .milliseconds(10)) { _ in
            // A handler that returns only when it was noticed that it does not.
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

@Suite("The status line") struct StatusLineTests {
    @Test("is sent when it changed, never twice the same, and leaves the loop nothing to do but its one timer")
    func changes() throws {
        let loop = try EpollRunLoop()
        var text = "one"
        var sent: [String] = []
        let line = StatusLine(
            loop: loop, text: { (text, false) },
            send: {
                sent.append($0)
                return true
            })
        line.setNeedsUpdate()
        while sent.isEmpty { loop.run(until: .after(.milliseconds(10))) }
        text = "two"
        // Too early after the first: it waits for its time.
        line.setNeedsUpdate()
        line.setNeedsUpdate()
        loop.run(until: .now)
        #expect(sent == ["one"])
        #expect(line.sentWithOther() == "two")
        line.invalidate()
        #expect(loop.run() == .finished)
    }

    @Test("that does not get through is sent later, as it is by then")
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
