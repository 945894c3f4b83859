import Foundation
import TouchKitTesting

@testable import TouchKit

/// The start of tests of a recognizer's states: a view that accepts many fingers, with puppets attached.
class PuppetStage {
    let stage = Stage()
    let log = CallLog()
    let view: RecordingView

    init() {
        view = RecordingView("view", stage.screen.bounds, log: log)
        view.isMultipleTouchEnabled = true
        stage.window.addSubview(view)
    }

    /// Adds a recognizer to the view; the test sets its states.
    func puppet(_ name: String) -> Puppet {
        let puppet = Puppet(name, log: log)
        view.addGestureRecognizer(puppet)
        return puppet
    }
}
