import Evdev
import EventLoop
import Foundation
import Layout
import Testing
import TouchKit

@testable import Selftest

/// The script of fingers, from the decoder, with correct layouts and faulty screens.
@Suite struct TouchScripts {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func document(_ text: String) throws -> LayoutDocument {
        try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"])
    }

    /// Plays the script on a layout, with a faulty screen between the fingers and the decoder.
    private func findings(
        _ document: LayoutDocument, isVerbose: Bool = false, fault: (LocalScreen) -> any TestScreen = { $0 }
    ) -> [Finding] {
        var findings: [Finding] = []
        let kiosk = SimulatedKiosk(document)
        TouchScript(
            kiosk, Fingers(fault(LocalScreen(kiosk))), Findings { findings.append($0) }, isVerbose: isVerbose
        ).run()
        kiosk.close()
        return findings
    }

    private func details(_ findings: [Finding], _ outcome: Finding.Outcome) -> [String] {
        findings.filter { $0.outcome == outcome }.map(\.detail)
    }

    @Test(
        "the bundled layouts have no errors on any page and screen",
        arguments: ["touchd", "examples/ticket-machine", "examples/museum-wall", "examples/seat-map"])
    func examples(name: String) throws {
        let path = Self.root.appending(path: "config/\(name).yaml").path
        let document = try LayoutDocument(path: path, handlers: ["log"])
        let findings = findings(document)
        #expect(details(findings, .failed) == [])
        // Each page has its taps, and each screen the rest.
        let tapped = findings.filter { $0.outcome == .passed && $0.detail.contains("views tapped") }
        #expect(Set(tapped.map(\.subject)).count == tapped.count)
        #expect(tapped.count >= max(1, document.pages.count - 1))
        #expect(findings.count { $0.detail.hasPrefix("unplugged with a finger down") } == document.screens.count)
        #expect(findings.contains { $0.subject == "ends" && $0.outcome == .passed })
    }

    @Test("each view is tapped at its own point, and its handlers are reported but not run")
    func taps() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "touchd-\(UUID().uuidString)").path
        let document = try document(
            """
            screen: {size: [100, 100]}
            views:
              - {id: below, frame: [0, 0, 100, 100], on: {began: log}}
              - {id: front, frame: [10, 10, 80, 80], control: button, on: {pressed: mark}}
            pages:
              one: {views: [{id: a, frame: [0, 0, 5, 5]}], on: {appeared: mark}}
              two: {views: [{id: b, frame: [0, 0, 5, 5]}], on: {appeared: mark}}
            handlers: {mark: {exec: [/usr/bin/touch, \(file)]}}
            """)
        let passed = details(findings(document, isVerbose: true), .passed)
        #expect(passed.contains("tap on 'front' at (50, 50), would run mark (pressed)"))
        // Its center belongs to the other view.
        #expect(passed.contains { $0.hasPrefix("tap on 'below' at (") && $0.hasSuffix(", would run log (began)") })
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("non-interactive and covered views are named and not tested")
    func untried() throws {
        let document = try document(
            """
            screen: {size: [100, 100]}
            views:
              - {id: hidden, frame: [0, 0, 50, 50], hidden: true}
              - {id: covered, frame: [0, 50, 50, 50]}
              - {id: cover, frame: [0, 50, 50, 50]}
              - id: filled
                frame: [80, 0, 20, 50]
                views: [{id: filling, frame: [0, 0, 20, 50]}]
              - {id: pass, frame: [50, 50, 50, 50], passthrough: true}
              - {id: away, frame: [50, 0, 30, 50], redirect: cover}
            """)
        let findings = findings(document)
        #expect(details(findings, .failed) == [])
        #expect(
            details(findings, .skipped).prefix(2) == [
                "not tried (hidden or disabled): 'hidden'",
                "not tried (covered by other views): 'covered'",
            ])
        #expect(details(findings, .passed).contains("2 views tapped from the decoder; each received its touch"))
    }

    @Test("a mirrored screen is detected, with the views that were touched instead")
    func mirrored() throws {
        let document = try document(
            """
            screen: {size: [100, 100]}
            views: [{id: left, frame: [0, 0, 40, 100]}, {id: right, frame: [60, 0, 40, 100]}]
            """)
        let failed = details(findings(document) { FaultyScreen($0, .mirrored) }, .failed)
        #expect(
            failed.prefix(2) == [
                "tap on 'left': the touch went to view 'right'", "tap on 'right': the touch went to view 'left'",
            ])
    }

    @Test("a screen without events is given up after three taps")
    func deaf() throws {
        let views = (0..<9).map { "{id: v\($0), frame: [\($0 * 10), 0, 10, 100]}" }.joined(separator: ", ")
        let document = try document("screen: {size: [100, 100]}\nviews: [\(views)]\n")
        let failed = details(findings(document) { FaultyScreen($0, .deaf) }, .failed)
        #expect(
            failed.prefix(4) == [
                "tap on 'v0': no touch arrived", "tap on 'v1': no touch arrived", "tap on 'v2': no touch arrived",
                "stopped, because 3 touches in a row did not arrive",
            ])
    }

    @Test("a screen that never reports a lift is detected")
    func stuck() throws {
        let document = try document("screen: {size: [9, 9]}\nviews: [{id: v, frame: [0, 0, 9, 9]}]\n")
        let failed = details(findings(document) { FaultyScreen($0, .neverLifted) }, .failed)
        #expect(failed.first == "tap on 'v': the touch did not end")
    }

    @Test("ten thousand seats are tapped, each separately")
    func manySeats() throws {
        let document = try document(
            """
            screen: {size: [5000, 2500]}
            views:
              - repeat:
                  columns: 100
                  rows: 100
                  frame: [0, 0, 5000, 2500]
                  view: {id: "seat-{index}", control: button, on: {pressed: log}}
            """)
        let findings = findings(document)
        #expect(details(findings, .failed) == [])
        #expect(details(findings, .passed).contains("10000 views tapped from the decoder; each received its touch"))
    }

    @Test("a line has the outcome, the subject and the observation")
    func line() {
        #expect(Finding(outcome: .passed, subject: "layout", detail: "good").line == "pass  layout          good")
        #expect(
            Finding(outcome: .failed, subject: "screen right, page pay", detail: "bad").line.hasPrefix(
                "FAIL  screen right"))
    }
}

/// A screen with a typical fault of panels, cables and rules.
private final class FaultyScreen: TestScreen {
    enum Fault {
        case mirrored, deaf, neverLifted
    }

    let way = "through a fault"
    let isReal = false
    private let screen: LocalScreen
    private let fault: Fault

    init(_ screen: LocalScreen, _ fault: Fault) {
        self.screen = screen
        self.fault = fault
    }

    func send(type: UInt16, code: UInt16, value: Int32) {
        let (positionX, trackingID): (UInt16, UInt16) = (0x35, 0x39)
        switch fault {
        case .deaf: break
        case .neverLifted where type == 3 && code == trackingID && value == -1: break
        case .mirrored where type == 3 && code == positionX:
            screen.send(type: type, code: code, value: TestScreenModel.range - value)
        default: screen.send(type: type, code: code, value: value)
        }
    }

    func wait(until condition: () -> Bool) -> Bool { screen.wait(until: condition) }
    func pass(_ seconds: Double) { screen.pass(seconds) }
    func unplug() { screen.unplug() }
    func plugIn() { screen.plugIn() }
}
