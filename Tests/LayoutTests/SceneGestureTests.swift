import Testing

@testable import Layout

/// Gestures with parameters of the layout.
@Suite struct SceneGestures {
    @Test(
        "the pause of taps, the margin of an edge and the movement of a pan are those of the layout",
        arguments: [
            ("tap: {taps: 2}", "tap 50 50; wait 0.5; tap 50 50", false),
            ("tap: {taps: 2, pause: 600 ms}", "tap 50 50; wait 0.5; tap 50 50", true),
            ("tap: {taps: 2, pause: 100 ms}", "tap 50 50; wait 0.2; tap 50 50", false),
            ("pan: {}", "down 50 50; to 70 50", true),
            ("pan: {movement: 30}", "down 50 50; to 70 50", false),
            ("pan: {movement: 30}", "down 50 50; to 80 50", true),
            ("edge-pan: left", "down 40 50; to 60 50", false),
            ("edge-pan: {edge: left, margin: 40}", "down 40 50; to 60 50", true),
            ("edge-pan: {edge: left, margin: 5}", "down 6 50; to 60 50", false),
            ("edge-pan: {edge: left, movement: 4}", "down 6 50; to 10 50", true),
        ])
    func parameters(gesture: String, script: String, isRecognized: Bool) throws {
        let trigger = gesture.hasPrefix("tap") ? "recognized" : "began"
        let kiosk = try LayoutKiosk(view: "gestures: [{\(gesture), on: {\(trigger): log}}]")
        kiosk.play(script)
        #expect(kiosk.steps == (isRecognized ? ["\(trigger) log"] : []))
    }
}
