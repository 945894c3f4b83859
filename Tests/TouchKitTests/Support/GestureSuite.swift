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

extension Stage {
    /// Two fingers that come down together.
    func fingers(at first: (x: CGFloat, y: CGFloat), _ second: (x: CGFloat, y: CGFloat)) -> (Finger, Finger) {
        let fingers = (finger(), finger())
        send(fingers.0.landing(at: first.x, first.y), fingers.1.landing(at: second.x, second.y))
        return fingers
    }

    /// A second window, hidden, that covers the screen.
    func newWindow() -> Window { Window(frame: screen.bounds, application: application, screen: screen) }
}
