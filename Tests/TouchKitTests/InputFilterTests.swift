import Evdev
import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

/// A filter that keeps what comes down left of a line, and one key.
private final class LeftFilter: InputFilter {
    private let name: String
    private let log: CallLog
    private let application: Application
    var keptKey: UInt16?
    /// Whether it delivers what it keeps under the same number.
    var passesOn = false

    init(_ name: String, _ application: Application, _ log: CallLog) {
        (self.name, self.application, self.log) = (name, application, log)
    }

    func keeps(_ contact: Contact, of device: DeviceID, at timestamp: TimeInterval) -> Bool {
        guard contact.position.x < 0.5 else { return false }
        log.add("\(name) \(contact.phase)")
        if passesOn { application.deliver(contact, of: device, at: timestamp, after: self) }
        return true
    }

    func change(_ contact: Contact, of device: DeviceID, at timestamp: TimeInterval) {
        log.add("\(name) \(contact.phase)")
        if passesOn { application.deliver(contact, of: device, at: timestamp, after: self) }
    }

    func keeps(_ key: KeyChange, of device: DeviceID, at timestamp: TimeInterval) -> Bool {
        if key.code == keptKey { log.add("\(name) key \(key.action)") }
        return key.code == keptKey
    }

    /// Called when it is removed.
    var onRemove: () -> Void = {}

    func remove(at timestamp: TimeInterval) {
        log.add("\(name) removed")
        onRemove()
    }
}

/// Collects the keys that are pressed.
private final class KeyField: View {
    var codes: [UInt16] = []
    override var canBecomeFirstResponder: Bool { true }
    override func pressesBegan(_ presses: Set<Press>, with event: PressesEvent?) {
        codes += presses.map(\.pressedKey.code)
    }
}

/// Logs the times of reports that reach nobody.
private final class IdleTimes: DeliveryObserver {
    var times: [TimeInterval] = []
    func didIgnoreTouch(at timestamp: TimeInterval) { times.append(timestamp) }
}

@Suite("Filters between the queue and the touches")
struct InputFilterTests: LoggingSuite {
    let stage = Stage()
    let log = CallLog()

    init() {
        for phase in [Touch.Phase.began, .moved, .ended, .cancelled] {
            stage.window.addHandler(for: phase) { [log] _, _ in log.add("\(phase)") }
        }
    }

    private func filter(_ name: String = "filter") -> LeftFilter { LeftFilter(name, stage.application, log) }

    @Test("What is kept at its beginning is kept to its end, and what is let through is not kept later")
    func keptToTheEnd() {
        stage.application.inputFilters = [filter()]
        let (left, right) = (stage.finger(), stage.finger())

        left.lands(at: 100, 100)
        left.moves(to: 900, 100)
        left.lifts()
        right.lands(at: 900, 100)
        right.moves(to: 100, 100)
        right.lifts()

        #expect(log.lines == ["filter began", "filter moved", "filter ended", "began", "moved", "ended"])
    }

    @Test("Filters are asked in their order, and see what those before them deliver")
    func order() {
        let (first, second) = (filter("first"), filter("second"))
        first.passesOn = true
        stage.application.inputFilters = [first, second]

        stage.finger().taps(at: 100, 100)

        #expect(log.lines == ["first began", "second began", "first ended", "second ended"])
    }

    @Test("A removed device ends what is kept of it, once")
    func removedDevice() {
        let filter = filter()
        filter.keptKey = 28
        stage.application.inputFilters = [filter]
        stage.finger(at: 100, 100)
        stage.keyboard.presses(28)

        stage.unplug(.touchscreen)
        stage.unplug(.keyboard)

        #expect(log.lines == ["filter began", "filter key pressed", "filter cancelled"])
    }

    @Test("When every touch is cancelled, so is what is kept; its lift reaches nobody")
    func everythingCancelled() {
        let filter = filter()
        filter.passesOn = true
        stage.application.inputFilters = [filter]
        let finger = stage.finger(at: 100, 100)

        stage.application.cancelAllTouches()
        finger.moves(to: 200, 100)
        finger.lifts()

        #expect(log.lines == ["filter began", "began", "filter cancelled", "cancelled"])
    }

    @Test("A handler of a cancellation may remove the filter whose touches are being cancelled")
    func removedWhileCancelling() {
        let filter = filter()
        filter.passesOn = true
        stage.window.isMultipleTouchEnabled = true
        stage.window.addHandler(for: .cancelled) { [stage] _, _ in stage.application.inputFilters = [] }
        stage.application.inputFilters = [filter]
        for x in [100.0, 200, 300] { stage.finger(at: x, 100) }

        stage.application.cancelAllTouches()

        #expect(log.lines.count { $0 == "began" } == 3 && log.lines.count { $0 == "cancelled" } == 3)
        #expect(stage.application.inputFilters.isEmpty)
    }

    @Test("A change of the filters that a handler makes while one is removed is not lost")
    func changedWhileRemoving() {
        let (first, second) = (filter("first"), filter("second"))
        first.onRemove = { [stage] in stage.application.inputFilters = [second] }
        stage.application.inputFilters = [first]

        stage.application.inputFilters = []

        #expect(stage.application.inputFilters.count == 1 && stage.application.inputFilters[0] === second)
    }

    @Test("A handler of an end in the same frame may remove the filter before it is asked")
    func removedBeforeAsking() {
        let filter = filter()
        filter.passesOn = true
        let (first, second) = (stage.finger(at: 900, 100), stage.finger())
        stage.application.inputFilters = [filter]
        stage.window.addHandler(for: .ended) { [stage] touch, _ in
            if touch.id == 1 { stage.application.inputFilters = [] }
        }

        stage.send(first.lifting(), second.landing(at: 100, 100))
        second.lifts()

        #expect(log.lines == ["began", "ended", "filter removed", "began", "ended"])
    }

    @Test("A filter that is removed keeps nothing any more, and a touch of the same number continues")
    func removedFilter() {
        let (keeping, passing) = (filter("keeping"), filter("passing"))
        passing.passesOn = true
        let (kept, passed) = (stage.finger(), stage.finger())
        stage.application.inputFilters = [keeping]
        kept.lands(at: 100, 100)
        stage.application.inputFilters = [passing]
        passed.lands(at: 200, 100)

        stage.application.inputFilters = []
        kept.lifts()
        passed.lifts()

        #expect(
            log.lines == ["keeping began", "keeping removed", "passing began", "began", "passing removed", "ended"])
    }

    @Test("A finger that is down when a filter is added stays its view's")
    func addedInTheMiddle() {
        let finger = stage.finger(at: 100, 100)

        stage.application.inputFilters = [filter()]
        finger.moves(to: 200, 100)
        finger.lifts()

        #expect(log.lines == ["began", "moved", "ended"])
    }

    @Test("What is kept counts as use of the screen, at the time of its report")
    func timeOfUse() {
        let times = IdleTimes()
        stage.application.observers = [times]
        stage.application.inputFilters = [filter()]
        let finger = stage.finger(at: 100, 100)
        let landing = stage.time.seconds
        finger.lifts()

        #expect(times.times == [landing, stage.time.seconds])
    }

    @Test("Keys have the same door")
    func keys() {
        let filter = filter()
        filter.keptKey = 28
        stage.application.inputFilters = [filter]
        let field = KeyField()
        stage.window.addSubview(field)
        field.becomeFirstResponder()
        for code: UInt16 in [28, 29] {
            stage.keyboard.presses(code)
            stage.keyboard.releases(code)
        }

        #expect(log.lines == ["filter key pressed"])
        #expect(field.codes == [29])
    }
}
