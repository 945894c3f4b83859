import EventLoop
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("A1 the run loop")
struct RunLoopTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    @Test("A1.3 a queued event wakes the loop, which delivers it and waits again")
    func waking() throws {
        let loop = try EpollRunLoop()
        stage.application.attach(to: loop)
        show("view")
        let finger = stage.finger()
        stage.enqueue([finger.landing(at: 1, 1)])
        stage.enqueue([finger.lifting(at: 1, 1)])
        #expect(log.lines.isEmpty)

        let first = loop.run(until: .after(.seconds(600)), returnAfterSourceHandled: true)
        let second = loop.run(until: .now, returnAfterSourceHandled: true)

        #expect(first == .handledSource)
        #expect(log.lines == ["view.began 1", "view.ended 1"])
        #expect(second == .timedOut)
    }

    @Test("B16 while a touch is down, sources of the default mode only wait")
    func trackingMode() throws {
        let loop = try EpollRunLoop()
        let finger = stage.finger()
        let idle = SignalledSource(name: "idle") {
            log.add("default")
            loop.stop()
        }
        loop.add(idle, to: .default)
        stage.window.addHandler(for: .began) { _, _ in
            log.add("began")
            idle.signal()
            loop.perform(in: .tracking) {
                log.add("tracking")
                stage.enqueue([finger.lifting(at: 1, 1)])
            }
        }
        stage.window.addHandler(for: .ended) { _, _ in log.add("ended") }
        stage.enqueue([finger.landing(at: 1, 1)])

        let result = stage.application.run(on: loop, until: .after(.seconds(600)))

        #expect(result == .stopped)
        #expect(log.lines == ["began", "tracking", "ended", "default"])
    }

    @Test("a touch that waited too long is dropped, and one that began before ends once")
    func staleTouches() throws {
        let loop = try EpollRunLoop()
        stage.application.attach(to: loop)
        stage.application.touchAgeLimit = 60
        var ages: [Double] = []
        stage.application.didReport = { if case .touchDropped(let age) = $0 { ages.append(age) } }
        show("view").isMultipleTouchEnabled = true
        let (first, second, third) = (stage.finger(), stage.finger(), stage.finger())
        let now = Deadline.now.nanoseconds / 1000
        stage.time.microseconds = now
        stage.enqueue([first.landing(at: 1, 1)])
        loop.run(until: .now, returnAfterSourceHandled: true)

        // These waited for two minutes while a handler blocked the loop.
        stage.time.microseconds = now - 120_000_000
        stage.enqueue([second.landing(at: 2, 2)])
        stage.enqueue([second.moving(to: 3, 3)])
        stage.enqueue([first.lifting(at: 1, 1)])
        stage.enqueue([second.lifting(at: 3, 3)])
        stage.time.microseconds = now
        stage.enqueue([third.landing(at: 4, 4)])
        stage.enqueue([third.lifting(at: 4, 4)])
        loop.run(until: .now, returnAfterSourceHandled: true)

        #expect(log.lines == ["view.began 1", "view.ended 1", "view.began 1", "view.ended 1"])
        #expect(ages.count == 1 && ages[0] > 119)
    }

    @Test("a report whose time is in the future counts as now: no later touch is dropped, and no timer fires early")
    func future() throws {
        let loop = try EpollRunLoop()
        stage.application.attach(to: loop)
        stage.application.touchAgeLimit = 60
        stage.application.didReport = { if case .touchDropped = $0 { log.add("dropped") } }
        show("view").isMultipleTouchEnabled = true
        let (first, second) = (stage.finger(), stage.finger())
        let now = Deadline.now.nanoseconds / 1000
        let timer = stage.application.schedule(at: Double(now) / 1e6 + 600) { log.add("timer") }
        for (finger, seconds) in [(first, Int64(1000)), (second, 0)] {
            stage.time.microseconds = now + seconds * 1_000_000
            stage.enqueue([finger.landing(at: 1, 1)])
            stage.enqueue([finger.lifting(at: 1, 1)])
            loop.run(until: .now, returnAfterSourceHandled: true)
        }
        timer.cancel()

        #expect(log.lines == ["view.began 1", "view.ended 1", "view.began 1", "view.ended 1"])
        #expect(stage.application.currentTime < Double(now) / 1e6 + 600)
    }

    @Test("B26 a finger that lifts while a slow handler runs is a tap, not a long press")
    func slowHandler() throws {
        let loop = try EpollRunLoop()
        stage.application.attach(to: loop)
        let finger = stage.finger()
        let panel = Pipe()
        // The panel's lift is in its descriptor when the handler returns, a second after the finger came down.
        try loop.add(
            DescriptorSource(name: "panel", descriptor: panel.fileHandleForReading.fileDescriptor) { _ in
                _ = panel.fileHandleForReading.readData(ofLength: 1)
                stage.enqueue([finger.lifting(at: 1, 1)])
            })
        stage.window.addHandler(for: .began) { _, _ in panel.fileHandleForWriting.write(Data([1])) }
        stage.window.addGestureRecognizer(LongPressGestureRecognizer { log.add("press \($0.state)") })
        stage.window.addGestureRecognizer(
            TapGestureRecognizer { _ in
                log.add("tap")
                loop.stop()
            })
        stage.time.microseconds = Deadline.now.nanoseconds / 1000 - 1_000_000
        stage.enqueue([finger.landing(at: 1, 1)])

        stage.application.run(on: loop, until: .after(.seconds(600)))

        #expect(log.lines == ["tap"])
    }

    @Test("B10 a live long press begins at its time without a frame")
    func liveTimer() throws {
        let loop = try EpollRunLoop()
        stage.application.attach(to: loop)
        let press = LongPressGestureRecognizer { recognizer in
            if recognizer.state == .began { loop.stop() }
        }
        press.minimumPressDuration = 0.02
        stage.window.addGestureRecognizer(press)
        let start = Deadline.now
        stage.time.microseconds = start.nanoseconds / 1000 - 10_000
        stage.enqueue([stage.finger().landing(at: 1, 1)])

        let result = loop.run(until: .after(.seconds(600)))

        #expect(result == .stopped && press.state == .began)
        #expect(Deadline.now - start >= .milliseconds(20) - .microseconds(1))
    }

    // Foundation has a run loop for each thread. A program's is `RunLoop.main`; a test does not run on the main thread.

    @Test("Foundation's timers fire by their times, among the loop's own")
    func foundationTimers() throws {
        nonisolated(unsafe) let loop = try EpollRunLoop()
        let timer = Timer(timeInterval: 0.05, repeats: true) { timer in
            let halfway = Deadline.after(.seconds(timer.fireDate.timeIntervalSinceNow + 0.025))
            MainActor.assumeIsolated {
                log.add("Foundation")
                if log.lines.count == 5 { loop.stop() }
                loop.add(RunLoopTimer(name: "own", at: halfway) { _ in log.add("own") })
            }
        }
        RunLoop.current.add(timer, forMode: .common)

        let result = stage.application.run(on: loop, until: .after(.seconds(600)))

        timer.invalidate()
        #expect(result == .stopped)
        #expect(log.lines == ["Foundation", "own", "Foundation", "own", "Foundation"])
    }

    @Test(
        "Foundation runs what a handler adds to its run loop, without another event",
        arguments: [Touch.Phase.began, .moved, .ended])
    func foundationWork(phase: Touch.Phase) throws {
        nonisolated(unsafe) let loop = try EpollRunLoop()
        let finger = stage.finger()
        stage.window.addHandler(for: phase) { _, _ in
            nonisolated(unsafe) let timer = Timer(timeInterval: 0.001, repeats: false) { _ in
                MainActor.assumeIsolated { log.add("timer") }
                loop.stop()
            }
            RunLoop.current.perform {
                MainActor.assumeIsolated { log.add("block") }
                RunLoop.current.add(timer, forMode: .default)
            }
        }
        let frames = [finger.landing(at: 1, 1), finger.moving(to: 2, 2), finger.lifting(at: 2, 2)]
        let place = phase == .began ? 0 : phase == .moved ? 1 : 2
        for frame in frames[..<place] {
            stage.enqueue([frame])
            stage.application.drainEvents()
        }
        stage.enqueue([frames[place]])

        let result = stage.application.run(on: loop, until: .after(.seconds(600)))

        #expect(result == .stopped)
        #expect(log.lines == ["block", "timer"])
    }

    @Test("while no date of Foundation's is due, the loop sleeps once, also after a tap")
    func foundationIdle() throws {
        let loop = try EpollRunLoop()
        let finger = stage.finger()
        let timer = Timer(timeInterval: 600, repeats: true) { _ in }
        RunLoop.current.add(timer, forMode: .default)
        var sleeps = 0
        loop.add(RunLoopObserver(activities: .beforeWaiting) { _ in sleeps += 1 })
        stage.enqueue([finger.landing(at: 1, 1)])
        stage.enqueue([finger.lifting(at: 1, 1)])

        let result = stage.application.run(on: loop, until: .after(.milliseconds(50)))

        timer.invalidate()
        #expect(result == .timedOut)
        #expect(sleeps == 1)
    }
}
