import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("A1 events and the queue")
struct EventQueueTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    /// Logs the types of events, and that it passes them on.
    private final class LoggingApplication: Application {
        let log = CallLog()
        var types: [Event.EventType] = []
        override func sendEvent(_ event: Event) {
            types.append(event.type)
            log.add("application")
            super.sendEvent(event)
        }
    }

    @Test("A1.1 touches, motion, remote control and presses are events of their type")
    func typesOfEvent() {
        let application = LoggingApplication()
        application.beginReceivingRemoteControlEvents()
        let stage = Stage(application)

        stage.finger(at: 1, 1)
        stage.shakes()
        stage.keyboard.presses(164)
        stage.keyboard.presses(28)

        #expect(application.types == [.touches, .motion, .remoteControl, .presses])
    }

    @Test("A1.2 events of several devices are delivered first in, first out")
    func firstInFirstOut() {
        let view = View(frame: stage.screen.bounds)
        view.isMultipleTouchEnabled = true
        for phase in [Touch.Phase.began, .ended] {
            view.addHandler(for: phase) { [log] touch, _ in log.add("\(touch.device.rawValue) \(phase)") }
        }
        stage.window.addSubview(view)
        let finger = stage.finger()
        let other = DeviceID(rawValue: 7)
        stage.application.setScreen(stage.screen, for: other)

        stage.enqueue([finger.landing(at: 1, 1)])
        let second = stage.finger(on: other)
        stage.enqueue([second.landing(at: 2, 2)], device: other)
        stage.enqueue([second.lifting()], device: other)
        stage.enqueue([finger.lifting(at: 1, 1)])
        #expect(log.lines.isEmpty)
        stage.application.drainEvents()

        #expect(log.lines == ["1 began", "7 began", "7 ended", "1 ended"])
    }

    @Test("A1.2 an event queued by a handler is delivered after the current event")
    func queueingInAHandler() {
        let second = stage.finger()
        stage.window.addHandler(for: .began) { [stage, log] touch, _ in
            log.add("in \(touch.id)")
            if touch.id == 1 {
                stage.enqueue([second.landing(at: 5, 5)])
                stage.application.drainEvents()
            }
            log.add("out \(touch.id)")
        }

        stage.finger(at: 1, 1)

        #expect(log.lines == ["in 1", "out 1", "in 2", "out 2"])
    }

    @Test("A1.4 an event passes the application, then the window, then the view")
    func waysOfAnEvent() {
        final class LoggingWindow: Window {
            var log: CallLog?
            override func sendEvent(_ event: Event) {
                log?.add("window")
                super.sendEvent(event)
            }
        }
        let application = LoggingApplication()
        let window = LoggingWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 100), application: application)
        window.log = application.log
        window.addSubview(RecordingView("view", window.bounds, log: application.log))
        window.makeKeyAndVisible()

        Stage(application).finger(at: 1, 1)

        #expect(application.log.lines == ["application", "window", "view.began 1"])
    }

    @Test("A1.5 a finger that comes down in the same frame is ignored after beginIgnoring")
    func ignoringInMidFrame() {
        show("view").onTouches = { [stage] phase, _, _ in
            if phase == .ended { stage.application.beginIgnoringInteractionEvents() }
        }
        let (first, second) = (stage.finger(), stage.finger())
        first.lands(at: 1, 1)

        stage.send(first.lifting(at: 1, 1), second.landing(at: 2, 2))
        second.lifts(at: 2, 2)

        #expect(log.lines == ["view.began 1", "view.ended 1"])
    }

    @Test("A1.6 an unhandled event is discarded and reported")
    func discarding() {
        var delivered: [Touch.Phase] = []
        stage.application.onDelivery { delivered.append($0.phase) }
        var reports: [Diagnostic] = []
        stage.application.didReport = { reports.append($0) }

        stage.taps(at: 1, 1)

        #expect(delivered == [.began, .ended])
        #expect(reports == [.eventDiscarded(type: .touches), .eventDiscarded(type: .touches)])
    }
}
