import EventLoop
import Foundation
import Testing

@testable import Service

@Suite("The watchdog") struct WatchdogTests {
    @Test("a callback that does not return stops the feeding, and the alarm is raised")
    func stuckCallback() throws {
        let loop = try EpollRunLoop()
        var fed = 0
        let rang = Awaited<Bool>()
        let watchdog = try Watchdog(interval: .milliseconds(40), loop: loop, feed: { fed += 1 }) {
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

@Suite("The status line") struct StatusLineTests {
    @Test("is sent when it changed, never twice the same, with only one timer in the loop")
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
