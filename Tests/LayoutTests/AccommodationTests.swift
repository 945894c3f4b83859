import ControlProtocol
import Foundation
import Layout
import Testing
import TouchKit
import TouchKitTesting

/// `accommodations:`, and the action that turns them on and off.
@Suite struct Accommodating {
    private nonisolated static let files = LayoutTable.folder.appending(path: "Files")
    private nonisolated static let keys = """
        screen: {size: [1080, 1920]}
        views:
          - repeat:
              columns: 3
              rows: 3
              frame: [100, 600, 880, 880]
              cells: [k1, k2, k3, k4, k5, k6, k7, k8, k9]
              view: {id: "{cell}", control: button, on: {pressed: log}KEYS}

        """

    /// Presses of nine keys by a hand that trembles, brushes other keys and bounces.
    private func presses(_ accommodations: String, keys: String = "") throws -> [String] {
        let kiosk = try LayoutKiosk(Self.keys.replacing("KEYS", with: keys) + accommodations)
        try kiosk.application.replay(Self.files.appending(path: "tremor.evemu.gz").path)
        return kiosk.contexts.compactMap { ($0.responder as? View)?.accessibilityIdentifier }
    }

    @Test("a hand that trembles presses the keys that it means, and no other")
    func tremor() throws {
        let intended = try String(contentsOf: Self.files.appending(path: "tremor.intended"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
        #expect(intended.count == 20)

        #expect(try presses("").count == 61)
        #expect(try presses("", keys: ", cooldown: 500ms").count == 31)
        let got = try presses("accommodations: {hold: 300ms, ignore-repeat: 500ms, steady: 40}")
        #expect(got == intended, "\(got)")
    }

    @Test("'accommodate' turns them on and off, and touches that are down continue")
    func switched() throws {
        let kiosk = try LayoutKiosk(
            """
            screen: {size: [400, 400]}
            accommodations: {enabled: false, hold: 300ms}
            views: [{id: a, frame: [0, 0, 100, 100], control: button, on: {pressed: log}}]
            """)
        kiosk.play("tap 50 50")
        #expect(kiosk.steps.count == 1)
        kiosk.play("down 50 50")
        try LayoutCommand.turned(.accommodate, on: true).apply(to: kiosk.scene)
        kiosk.play("up")
        #expect(kiosk.steps.count == 2)
        kiosk.play("tap 50 50")
        #expect(kiosk.steps.count == 2 && kiosk.scene.accommodations?.ignoredCount == 1)
        kiosk.play("down 50 50; wait 0.3; up")
        #expect(kiosk.steps.count == 3)
        try LayoutCommand.turned(.accommodate, on: false).apply(to: kiosk.scene)
        kiosk.play("tap 50 50")
        #expect(kiosk.steps.count == 4)
    }

    @Test("a reload keeps them on, unless the file says otherwise now")
    func reloaded() throws {
        func layout(_ keys: String) -> String { "screen: {size: [9, 9]}\naccommodations: {\(keys)ignore-repeat: 1 s}" }
        let first = try LayoutKiosk(layout("enabled: false, "))
        try first.scene.accommodate(true)
        let second = try LayoutKiosk(layout("enabled: false, "), replacing: first)
        #expect(second.scene.isAccommodating && second.application.inputFilters.count == 1)
        let third = try LayoutKiosk(layout(""), replacing: second)
        #expect(third.scene.isAccommodating)
        let fourth = try LayoutKiosk("screen: {size: [9, 9]}", replacing: third)
        #expect(fourth.application.inputFilters.isEmpty)
        #expect(throws: SceneError.noAccommodations) { try fourth.scene.accommodate(true) }
    }
}
