import Foundation
import Handlers
import Testing
import TouchKit
import TouchKitTesting

@testable import Layout
@testable import Service
@testable import TestSupport

/// `idle:` on the clock of the frames.
@Suite struct IdleTimes {
    private nonisolated static let layout = """
        on: {began: log, ended: log}
        idle:
          - {after: 60, on: {idle: {log: attract}, woken: {log: welcome}}}
          - {after: 600, on: {idle: {log: screen off}, woken: {log: screen on}}}
        """
    private nonisolated static let pages = """
        pages:
          start: {views: [{id: buy, frame: [0, 0, 100, 100], on: {began: log, ended: log, cancelled: log}}]}
          attract:
            on: {appeared: {log: attract}}
            views: [{id: film, frame: [0, 0, 100, 100], on: {began: log, ended: log, cancelled: log}}]
        idle: [{after: 60, on: {idle: {go: attract}, woken: {go: start}}}]
        """
    private nonisolated static let ignoring = """
        on: {began: log, ended: log, cancelled: log}
        idle: [{after: 60, on: {woken: {ignore: 1}}}]
        """

    /// Plays the words `tap`, `down` and `up` of a finger, and numbers of seconds that pass.
    private func play(_ script: String, on kiosk: IdleKiosk) {
        let finger = kiosk.finger()
        for word in script.split(separator: " ") {
            switch word {
            case "tap": finger.taps(at: 5, 5)
            case "down": finger.lands(at: 5, 5)
            case "up": finger.lifts()
            default: kiosk.advanceTime(by: Double(word) ?? 0)
            }
        }
    }

    @Test(
        "idle steps run once after their time, and woken steps before the next touch is delivered",
        arguments: [
            // Each touch restarts the time.
            (layout, "tap 59.9 tap 59.9", ["1 began", "1 ended", "2 began", "2 ended"]),
            // A longer time fires after a shorter one, and both wake.
            (layout, "tap 60 100 439.9", ["1 began", "1 ended", "attract"]),
            (
                layout, "tap 60 540 tap 60",
                [
                    "1 began", "1 ended", "attract", "screen off", "welcome", "screen on", "2 began", "2 ended",
                    "attract",
                ]
            ),
            // A resting finger does not prevent idle; it wakes the screen when it moves.
            (layout, "down 60 up", ["1 began", "attract", "welcome", "1 ended"]),
            // When woken switches the page, or ignores touches, the waking touch reaches nobody.
            (pages, "tap 60 tap tap", ["1 began", "1 ended", "attract", "3 began", "3 ended"]),
            (ignoring, "tap 60 tap", ["1 began", "1 ended", "touches are ignored for 1.0 s"]),
        ])
    func idleAndWoken(layout: String, script: String, lines: [String]) throws {
        let kiosk = try IdleKiosk(layout)
        play(script, on: kiosk)
        let written = kiosk.lines.map {
            $0.replacing("notice: ", with: "").replacing("touch ", with: "").replacing(#/ on (no view|buy)/#, with: "")
        }
        #expect(written == lines)
    }

    @Test("idle steps run at their own time, even if a recording advances the clock")
    func moment() throws {
        let kiosk = try IdleKiosk(
            "idle: [{after: 60, run: {log: \"idle at {time}\"}}, {after: 70, run: {ignore: 20}}]")
        play("tap 85", on: kiosk)
        #expect(kiosk.lines == ["notice: idle at 61.020000", "notice: touches are ignored for 20.0 s"])
        #expect(kiosk.touchBreak.remaining.map { ($0 * 1000).rounded() } == 5000)
    }

    @Test("a layout loaded while idle does not become idle again, and the next touch wakes")
    func reload() throws {
        let kiosk = try IdleKiosk(Self.layout)
        play("tap 60", on: kiosk)
        kiosk.forgetLines()
        try kiosk.show(Self.layout)
        kiosk.advanceTime(by: 100)
        #expect(kiosk.lines == [])
        kiosk.finger(at: 5, 5)
        #expect(kiosk.lines == ["notice: welcome", "notice: touch 2 began on no view"])
    }

    @Test(
        "a reload that lengthens or removes an idle time that has passed wakes the screens at once, with the old steps",
        arguments: ["idle: {after: 600, run: {log: later}}", "on: {began: log}"])
    func lengthened(layout: String) throws {
        let kiosk = try IdleKiosk(
            """
            handlers: {lit: {log: screen on}}
            idle: {after: 60, run: {log: screen off}, wake: lit}
            """)
        play("tap 60", on: kiosk)
        try kiosk.show(layout)
        #expect(kiosk.lines == ["notice: screen off", "notice: screen on"])
        kiosk.forgetLines()
        // The new time begins with the reload.
        play("599", on: kiosk)
        #expect(kiosk.lines == [])
        play("1", on: kiosk)
        #expect(kiosk.lines == (layout.contains("idle") ? ["notice: later"] : []))
    }

    @Test("touches that are ignored delay idle, but do not wake")
    func ignored() throws {
        let kiosk = try IdleKiosk("idle: {after: 60, run: {log: attract}, wake: {log: welcome}}")
        play("tap 30", on: kiosk)
        kiosk.touchBreak.begin(for: 300)
        play("20 tap 20", on: kiosk)
        #expect(kiosk.idle?.isIdle == false)
        // The moves of a cloth.
        let cloth = kiosk.finger(at: 5, 5)
        kiosk.advanceTime(by: 30)
        cloth.moves(to: 50, 50)
        kiosk.advanceTime(by: 59)
        #expect(kiosk.idle?.isIdle == false)
        kiosk.advanceTime(by: 1)
        #expect(kiosk.idle?.isIdle == true)
        play("tap", on: kiosk)
        #expect(kiosk.lines == ["notice: touches are ignored for 300.0 s", "notice: attract"])
    }

    @Test("an idle time with forward: false keeps touches from its end up to the touch that ends it")
    func forwarding() throws {
        let kiosk = Stage(), idleTime = "idle: {after: 60, forward: false, run: log, wake: log}"
        let document = try LayoutDocument(text: "screen: {size: [9, 9]}\n\(idleTime)", file: "", handlers: ["log"])
        var changes: [Bool] = []
        let idle = IdleWatch(
            document.idle, application: kiosk.application, setsForwarding: { changes.append($0) },
            perform: { _, _ in })
        kiosk.application.observers = [try #require(idle)]
        idle?.start(waitingForTouch: true)
        kiosk.taps(at: 5, 5)
        #expect(changes == [] && idle?.keepsTouches == false)
        kiosk.advanceTime(by: 61)
        #expect(changes == [false] && idle?.keepsTouches == true)
        kiosk.taps(at: 5, 5)
        #expect(changes == [false, true] && idle?.keepsTouches == false)
    }
}

/// The service's part of a kiosk, and fingers.
private final class IdleKiosk: Stage {
    private let log = LogRecorder()
    private let service: SlotStage

    init(_ layout: String) throws {
        service = try SlotStage(Self.text(layout), logger: log.logger)
        super.init(service.application)
    }

    var idle: IdleWatch? { service.observers.idle }
    var touchBreak: TouchBreak { service.runner.touchBreak }
    /// What the handlers logged.
    var lines: [String] { log.lines.filter { $0.hasPrefix("notice") } }

    /// Shows a layout in place of the previous one.
    func show(_ layout: String) throws { try service.reload(Self.text(layout)) }

    func forgetLines() { log.clear() }

    private static func text(_ layout: String) -> String { "screen: {size: [100, 100]}\n\(layout)" }
}
