@testable import ControlProtocol
import Evdev
import EventLoop
import Foundation
import Handlers
import Layout
import Logging
import Outputs
import Testing
import TouchKit

@testable import Service
import TouchKitTesting

/// The touches with journal entries, by a layout's `journal:`.
@Suite("Touches in the journal") struct JournalOutputTests {
    private let journald = JournalReceiver()

    /// Delivers one finger for a second, moved every 10 ms, on a layout with two screens; returns the entries.
    private func entries(_ journal: String, movesPerSecond: Int? = nil) throws -> [[String: String]] {
        let document = try LayoutDocument(
            text: """
                screens: {left: {size: [100, 100]}, right: {size: [200, 200]}}
                views: [{id: wall, screen: right, frame: [0, 0, 200, 200]}]
                \(journal)
                """, file: "kiosk.yaml", handlers: ["log"])
        let output = TouchJournal(JournalSender(loop: try EpollRunLoop(), path: journald.path))
        output.follow(
            hasTouches: document.journal.hasTouches, movesPerSecond: movesPerSecond ?? document.journal.moves)
        let describer = Describer { _ in "Panel" }
        let application = Application()
        let scene = Scene(document, application: application) { _, _ in }
        scene.activate()
        describer.scene = scene
        application.onDelivery { delivery in
            let touch = delivery.touch
            let header = EventHeader(
                .touch, isStep: delivery.phase == .moved, touch: touch.id, time: touch.timestamp)
            guard output.wants(header) else { return }
            let record = describer.describe(touch, delivery.phase, handlers: delivery.handlerNames)
            output.note(OutputEvent(.touch(record), header))
        }
        let device = DeviceID(rawValue: 1)
        application.setScreen(try #require(scene.screen(named: "right")), for: device)
        var entries: [[String: String]] = []
        for step in 0...100 {
            let phase: Contact.Phase = step == 0 ? .began : step == 100 ? .ended : .moved
            let contact = Contact(id: 1, phase: phase, position: SurfacePoint(x: Double(step) / 200, y: 0.5))
            application.enqueue(
                InputFrame(
                    device: device, timestamp: InputTimestamp(microseconds: Int64(step) * 10_000), contacts: [contact]))
            application.drainEvents()
            // The kernel's queue is short.
            entries += journald.receive()
        }
        return entries
    }

    /// Holds a finger on a view with a long press that goes to the second page; returns the entries.
    private func entriesOfPages(_ rest: String) throws -> [[String: String]] {
        let document = try LayoutDocument(
            text: """
                screen: {size: [100, 100]}
                pages:
                  home:
                    views:
                      - {id: corner, frame: [0, 0, 9, 9], gestures: [{long-press: {}, id: hold, run: open}]}
                  service: {}
                handlers: {open: {go: service}}
                \(rest)
                """, file: "kiosk.yaml", handlers: ["log"])
        let output = TouchJournal(JournalSender(loop: try EpollRunLoop(), path: journald.path))
        output.follow(hasTouches: document.journal.hasTouches, movesPerSecond: 0)
        let describer = Describer { _ in "Panel" }
        let application = Application()
        var shown: Scene?
        let scene = Scene(document, application: application) { _, _ in try? shown?.go(to: "service") }
        shown = scene
        describer.scene = scene
        let observer = Reporter { recognizer, trigger in
            let header = EventHeader(.gesture, isStep: trigger == .changed, time: 1.5)
            guard output.wants(header) else { return }
            output.note(OutputEvent(.gesture(describer.describe(recognizer, trigger, time: 1.5)), header))
        } onPage: {
            let header = EventHeader(.page, time: 1.5)
            if output.wants(header) { output.note(OutputEvent(.page(PageRecord(time: 1.5, page: $0)), header)) }
        }
        scene.observer = observer
        defer { scene.observer = nil }
        scene.activate()
        let contact = Contact(id: 1, phase: .began, position: SurfacePoint(x: 0.05, y: 0.05))
        application.enqueue(
            InputFrame(
                device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: 1_000_000), contacts: [contact]))
        application.drainEvents()
        application.advanceTime(to: InputTimestamp(microseconds: 2_000_000))
        return journald.receive()
    }

    @Test("gestures and pages have entries with their names")
    func gesturesAndPages() throws {
        let entries = try entriesOfPages("")
        #expect(
            entries.prefix(3).map { $0["MESSAGE"] ?? "" } == [
                "page home", "gesture hold began on corner", "page service",
            ])
        #expect(entries[1]["MESSAGE_ID"] == MessageID.gestureRecognized.rawValue)
        #expect(entries[1]["TOUCHD_GESTURE"] == "hold" && entries[1]["TOUCHD_TRIGGER"] == "began")
        #expect(entries[1]["TOUCHD_VIEW"] == "corner" && entries[1]["TOUCHD_PAGE"] == "home")
        #expect(entries[2]["MESSAGE_ID"] == MessageID.pageShown.rawValue)
        #expect(entries[2]["TOUCHD_PAGE"] == "service" && entries[2]["TOUCHD_TIME"] == "1.500000")
    }

    @Test("'touches: false' leaves out gestures, not pages")
    func pagesOnly() throws {
        let messages = try entriesOfPages("journal: {touches: false}").map { $0["MESSAGE"] ?? "" }
        #expect(messages == ["page home", "page service"])
    }

    @Test(
        "a touch has entries for its begin and its end, and as many a second for its moves as asked; the options count",
        arguments: [
            ("", nil, 0), ("journal: {moves: 5}", nil, 5), ("journal: {moves: 5}", 0, 0), ("", 2, 2),
        ] as [(String, Int?, Int)])
    func moves(journal: String, option: Int?, moves: Int) throws {
        let entries = try entries(journal, movesPerSecond: option)
        let phases = entries.compactMap { $0["TOUCHD_PHASE"] }
        #expect(phases == ["began"] + [String](repeating: "moved", count: moves) + ["ended"])
        #expect(entries.allSatisfy { $0["TOUCHD_SCREEN"] == "right" && $0["TOUCHD_VIEW"] == "wall" })
        let moved = entries.filter { $0["TOUCHD_PHASE"] == "moved" }
        #expect(moved.allSatisfy { $0["MESSAGE_ID"] == MessageID.touchMoved.rawValue })
        let times = moved.compactMap { Double($0["TOUCHD_TIME"] ?? "") }
        #expect(times.first == (moves > 0 ? 0.01 : nil))
        let pause = 1 / Double(max(moves, 1))
        #expect(zip(times, times.dropFirst()).allSatisfy { (pause..<pause + 0.02).contains($1 - $0) })
    }

    @Test("without a layout, moves have entries at the rate of the options")
    func movesWithoutLayout() throws {
        let application = Application(), loop = try EpollRunLoop()
        var options = DaemonOptions(output: .journal)
        options.movesPerSecond = 1000
        let logger = Logger(label: "test") { _ in ControlLog() }
        let context = DaemonContext(options, application: application, loop: loop, logger: logger)
        let listeners = Listeners(context, journal: JournalSender(loop: loop, path: journald.path))
        _ = listeners.start(hasClients: false)
        application.observers = [EventReporter(context, listeners: listeners)]
        for (step, phase) in [Contact.Phase.began, .moved, .ended].enumerated() {
            let contact = Contact(id: 1, phase: phase, position: SurfacePoint(x: 0.1 * Double(step), y: 0.5))
            application.enqueue(
                InputFrame(
                    device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: Int64(step) * 10_000),
                    contacts: [contact]))
            application.drainEvents()
        }
        #expect(journald.receive().map { $0["TOUCHD_PHASE"] } == ["began", "moved", "ended"])
        application.observers = []
    }

    @Test("with 'touches: false' a touch has no entry")
    func none() throws {
        #expect(try entries("journal: {touches: false}").isEmpty)
    }
}
