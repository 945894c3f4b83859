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

    @Test("In a replay, a press is recognized and a scheduled closure runs at its time, not with the next event")
    func deadlinesBetweenEvents() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "touchd-press-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = """
            N: panel
            P: 02
            A: 2f 0 9 0 0
            A: 35 0 99 0 0
            A: 36 0 99 0 0
            A: 39 0 65535 0 0
            E: 1.0 0003 0039 4
            E: 1.0 0003 0035 50
            E: 1.0 0003 0036 50
            E: 1.0 0000 0000 0
            E: 3.0 0003 0039 -1
            E: 3.0 0000 0000 0

            """
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let stage = Stage(size: CGSize(width: 100, height: 100)), log = CallLog()
        let press = Gesture.press().makeRecognizer()
        press.addHandler { log.add("press \($0.state)") }
        stage.window.addGestureRecognizer(press)
        let application = stage.application
        application.schedule(at: 1.25) { log.add("closure at \(application.currentTime)") }
        let player = application.player(
            try RecordingReader(path: path), path: path, rules: [], on: try EpollRunLoop(), speed: .recorded
        ) { _ in log.add("end") }
        application.setScreen(stage.screen, for: player.info.id)

        #expect(player.playDue(at: .zero) == .milliseconds(500))
        #expect(log.lines == [])
        #expect(player.playDue(at: .milliseconds(500)) == .milliseconds(1250))
        #expect(log.lines == ["press began"])
        #expect(player.playDue(at: .milliseconds(1250)) == .seconds(2))
        #expect(log.lines == ["press began", "closure at 1.25"])
        #expect(player.playDue(at: .seconds(2)) == nil)
        #expect(log.lines == ["press began", "closure at 1.25", "press ended", "end"])
    }
}
