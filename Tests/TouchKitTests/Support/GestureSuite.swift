import TouchKitTesting

@testable import TouchKit

/// Tests that watch the states of recognizers on the window of a stage.
protocol GestureSuite {
    var stage: Stage { get }
    var log: CallLog { get }
}

extension GestureSuite {
    /// Adds a recognizer to the window, and logs its state whenever it acts.
    func attach<Recognizer: GestureRecognizer>(_ recognizer: Recognizer) -> Recognizer {
        recognizer.addHandler { [log] in log.add("\($0.state)") }
        stage.window.addGestureRecognizer(recognizer)
        return recognizer
    }
}
