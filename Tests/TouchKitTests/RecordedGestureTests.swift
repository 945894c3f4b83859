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
            let (tap, double, twoFingerTap) = (
                TapGestureRecognizer(), TapGestureRecognizer(), TapGestureRecognizer()
            )
            double.numberOfTapsRequired = 2
            tap.require(toFail: double)
            twoFingerTap.numberOfTouchesRequired = 2
            let twoFingerPress = LongPressGestureRecognizer()
            twoFingerPress.numberOfTouchesRequired = 2
            let (drag, scroll, fourFingerDrag) = (
                PanGestureRecognizer(), PanGestureRecognizer(), PanGestureRecognizer()
            )
            drag.maximumNumberOfTouches = 1
            scroll.minimumNumberOfTouches = 2
            scroll.maximumNumberOfTouches = 2
            fourFingerDrag.minimumNumberOfTouches = 4
            let recognizers: [(String, GestureRecognizer)] = [
                ("tap", tap), ("double tap", double), ("two-finger tap", twoFingerTap),
                ("press", LongPressGestureRecognizer()), ("two-finger press", twoFingerPress), ("drag", drag),
                ("two-finger scroll", scroll), ("four-finger drag", fourFingerDrag),
                ("pinch", PinchGestureRecognizer()), ("rotation", RotationGestureRecognizer()),
            ]
            for (name, recognizer) in recognizers { add(name, recognizer) }
            for (name, direction) in [
                ("left", SwipeGestureRecognizer.Direction.left), ("right", .right), ("up", .up), ("down", .down),
            ] {
                let (swipe, twoFingerSwipe) = (SwipeGestureRecognizer(), SwipeGestureRecognizer())
                twoFingerSwipe.numberOfTouchesRequired = 2
                for (name, swipe, pan) in [
                    ("swipe \(name)", swipe, drag), ("two-finger swipe \(name)", twoFingerSwipe, scroll),
                ] {
                    swipe.direction = direction
                    if recording.prefersSwipes { pan.require(toFail: swipe) }
                    add(name, swipe)
                }
            }
        }

        private func add(_ name: String, _ recognizer: GestureRecognizer) {
            recognizer.addHandler { [log] in if $0.state != .changed { log.add("\(name) \($0.state)") } }
            stage.window.addGestureRecognizer(recognizer)
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
