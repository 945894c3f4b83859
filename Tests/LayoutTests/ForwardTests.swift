import Layout
import Testing

/// `forward:` and what goes with it.
@Suite struct ForwardLayouts {
    private func document(_ text: String) throws -> LayoutDocument {
        try LayoutDocument(text: "screen: {size: [10, 10]}\n" + text, file: "kiosk.yaml", handlers: ["log"])
    }

    private let panel = "devices: [{match: {name: a}, forward: true}]\n"

    @Test("forward is read in device rules, views, gestures, idle times and the layout")
    func everywhere() throws {
        let document = try document(
            panel + """
                forward: {default: false, cooldown: 500 ms, lift-cancelled: true}
                views:
                  - frame: [0, 0, 10, 10]
                    forward: true
                    gestures: [{tap: {}, run: log, cancels-forwarded: true}, {swipe: left, run: log, delays-forwarded: true}]
                    views: [{frame: [0, 0, 5, 5], forward: false}, {frame: [5, 5, 5, 5]}]
                idle: {after: 60, forward: false, run: log}
                """)

        #expect(document.devices.map(\.forwards) == [true] && document.warnings.isEmpty)
        #expect(!document.forward.isDefault && document.forward.cooldown == 0.5 && document.forward.liftsCancelled)
        let view = document.views[0]
        #expect(view.forwards == true && view.views.map(\.forwards) == [false, nil])
        #expect(view.gestures.map(\.cancelsForwardedTouches) == [true, false])
        #expect(view.gestures.map(\.delaysForwardedTouches) == [false, true])
        #expect(document.idle.map(\.forwards) == [false])
    }

    @Test("without a forwarded panel, the first key about forwarding gets a warning; grab beside forward gets one too")
    func warnings() throws {
        #expect(
            try document("forward: false\n").warnings.map(\.description) == [
                "kiosk.yaml:2:10: warning: no touch is forwarded: no device rule has forward: true; add it to the rule of "
                    + "the touchscreen"
            ])
        #expect(
            try document("devices: [{match: {name: a}, forward: true, grab: true}]\n").warnings.map(\.description) == [
                "kiosk.yaml:2:51: warning: 'grab' has no effect beside forward: true, which grabs the panel; remove it"
            ])
    }

    @Test("a cooldown of a view that is no control is an error")
    func cooldownWithoutControl() {
        #expect(throws: LayoutError.self) { try document("views: [{frame: [0, 0, 5, 5], cooldown: 1}]\n") }
    }
}
