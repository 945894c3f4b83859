import Recordings
import Evdev
import EventLoop
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
            stage = Stage(size: CGSize(width: recording.width, height: recording.height))
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
            recognizer.addHandler { [log, event = stage.application.touches.event] in
                if $0.state != .changed { log.add("\(name) \($0.state) at \(event.timestamp)") }
            }
            stage.window.addGestureRecognizer(recognizer)
        }

        func process(_ frame: borrowing InputFrame) {
            stage.application.enqueue(frame)
            stage.application.drainEvents()
        }
    }

    @Test("A recorded gesture is recognized as its kind only", arguments: RecordedGesture.all)
    func recognized(_ recording: RecordedGesture) throws {
        let scene = Scene(recording)
        try scene.stage.plays(recording.path, description: recording.descriptionPath)
        // Long enough for recognizers that wait for another tap to fail.
        scene.stage.advanceTime(by: 1)

        let withoutTimes = scene.log.lines.map {
            String($0.prefix(upTo: $0.range(of: " at ")?.lowerBound ?? $0.endIndex))
        }
        #expect(withoutTimes == recording.recognized)
        #expect(scene.stage.application.touches.active.isEmpty)
    }

    @Test(
        "A recording played on a run loop gives the same result at any speed",
        arguments: RecordedGesture.all)
    func anySpeed(_ recording: RecordedGesture) throws {
        func play(_ speed: RecordingPlayer.Speed) throws -> [String] {
            let scene = Scene(recording)
            let loop = try EpollRunLoop()
            scene.stage.application.attach(to: loop, followsClock: false)
            var last: Int64 = 0
            let player = RecordingPlayer(
                try recording.reader(), path: recording.name, loop: loop, speed: speed,
                onFrame: { frame in
                    last = frame.timestamp.microseconds
                    scene.process(frame)
                },
                onEnd: { error in
                    #expect(error == nil)
                    loop.stop()
                })
            player.start()
            #expect(loop.run(until: .after(.seconds(600))) == .stopped)
            scene.stage.application.advanceTime(to: InputTimestamp(microseconds: last + 1_000_000))
            return scene.log.lines
        }

        let atOnce = try play(.maximum)

        #expect(!atOnce.isEmpty)
        #expect(try play(.factor(50)) == atOnce)
        #expect(try play(.factor(1000)) == atOnce)
    }
}
