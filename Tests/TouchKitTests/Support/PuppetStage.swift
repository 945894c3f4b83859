import Foundation
import TouchKitTesting

@testable import TouchKit

/// The start of tests of a recognizer's states: a view that accepts many fingers, with puppets attached.
class PuppetStage: LoggingSuite {
    let stage = Stage()
    let log = CallLog()
    let view: RecordingView

    init() {
        view = RecordingView("view", stage.screen.bounds, log: log)
        view.isMultipleTouchEnabled = true
        stage.window.addSubview(view)
    }

    /// Adds a recognizer to the view; the test sets its states.
    @discardableResult
    func puppet(_ name: String, delaysBegan: Bool = false) -> Puppet {
        let puppet = Puppet(name, log: log)
        puppet.delaysTouchesBegan = delaysBegan
        view.addGestureRecognizer(puppet)
        return puppet
    }

    /// Adds a recognizer to the view, and logs its state whenever it acts.
    @discardableResult
    func add(_ gesture: Gesture, delaysBegan: Bool = false) -> GestureRecognizer {
        let recognizer = gesture.makeRecognizer()
        recognizer.delaysTouchesBegan = delaysBegan
        recognizer.addHandler { [log] in log.add("\($0.state)") }
        view.addGestureRecognizer(recognizer)
        return recognizer
    }
}
