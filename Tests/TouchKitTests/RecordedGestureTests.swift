import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("Recordings of real gestures")
struct RecordedGestureTests {
    /// A window with every touch recognizer, and the recognized gestures.
    private struct Scene {
        let stage: Stage
        let log = CallLog()

        init(_ recording: RecordedGesture) {
            stage = Stage(size: CGSize(width: recording.panel.width, height: recording.panel.height))
            let gestures: [(String, Gesture)] = [
                ("double tap", .tap(taps: 2)), ("two-finger tap", .tap(touches: 2)), ("press", .press()),
                ("two-finger press", .press(touches: 2)), ("four-finger drag", .pan(4...Int.max)), ("pinch", .pinch),
                ("rotation", .rotation),
            ]
            let recognizers = gestures.map { add($0, $1) }
            add("tap", .tap()).require(toFail: recognizers[0])
            let (drag, scroll) = (add("drag", .pan(1...1)), add("two-finger scroll", .pan(2...2)))
            let directions: [(String, SwipeGestureRecognizer.Direction)] = [
                ("left", .left), ("right", .right), ("up", .up), ("down", .down),
            ]
            for (name, direction) in directions {
                for (name, touches, pan) in [("swipe \(name)", 1, drag), ("two-finger swipe \(name)", 2, scroll)] {
                    let swipe = add(name, .swipe(direction, touches: touches))
                    if recording.prefersSwipes { pan.require(toFail: swipe) }
                }
            }
        }

        private func add(_ name: String, _ gesture: Gesture) -> GestureRecognizer {
            let recognizer = gesture.makeRecognizer()
            recognizer.addHandler { [log] in if $0.state != .changed { log.add("\(name) \($0.state)") } }
            stage.window.addGestureRecognizer(recognizer)
            return recognizer
        }
    }

    @Test("A recorded gesture is recognized as its kind only", arguments: RecordedGesture.all)
    func recognized(_ recording: RecordedGesture) throws {
        let scene = Scene(recording)
        try scene.stage.plays(recording.path, description: recording.descriptionPath)
        // Long enough for recognizers that wait for another tap to fail.
        scene.stage.advanceTime(by: 1)

        #expect(scene.log.lines == recording.recognized)
        #expect(scene.stage.application.touches.active.isEmpty)
    }
}
