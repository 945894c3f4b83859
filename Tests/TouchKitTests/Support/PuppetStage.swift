import Foundation

@testable import TouchKit

/// What tests of a recognizer's states begin with: a view that takes many fingers, to which puppets are attached.
class PuppetStage {
    let stage = Stage()
    let log = CallLog()
    let view: RecordingView

    init() {
        view = RecordingView("view", stage.screen.bounds, log: log)
        view.isMultipleTouchEnabled = true
        stage.window.addSubview(view)
    }

    /// A recognizer on the view whose states the test decides.
    func puppet(_ name: String) -> Puppet {
        let puppet = Puppet(name, log: log)
        view.addGestureRecognizer(puppet)
        return puppet
    }
}
