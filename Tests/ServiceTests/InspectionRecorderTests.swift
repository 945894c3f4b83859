@testable import ControlProtocol
import Evdev
import Foundation
import Handlers
import Layout
import Testing
import TouchKit

@testable import Service
import TouchKitTesting

/// The records for subscribers to inspection, with a real layout and device frames.
@Suite("Records of touch events for inspection") final class InspectionRecorderTests {
    private let application = Application()
    private let device = DeviceID(rawValue: 3)
    private var records: [InspectionRecord] = []
    private var scene: Scene?

    /// A running layout of 100 × 100 points with a running recorder.
    private func start(_ layout: String, movesPerSecond: Int = 1_000_000) throws -> InspectionRecorder {
        let document = try LayoutDocument(
            text: "screen: {size: [100, 100]}\n" + layout, file: "kiosk.yaml", handlers: ["log"])
        let runner = HandlerRunner(
            registry: HandlerRegistry(), application: application, loop: try .init(),
            logger: .init(label: "test") { _ in
                ControlLog()
            }, deviceName: { _ in "" })
        let scene = Scene(document, application: application) { runner.perform($0, for: $1) }
        runner.scene = scene
        self.scene = scene
        scene.activate()
        let recorder = InspectionRecorder(
            application: application, scene: { [unowned self] in self.scene }, movesPerSecond: movesPerSecond,
            isLive: false
        ) { [unowned self] in records.append($0) }
        application.observers = [recorder]
        // It lives as long as the application.
        application.onDelivery { [runner] _ in _ = runner }
        return recorder
    }

    private func touch(_ phase: Contact.Phase, _ x: Double, _ y: Double, at seconds: Double, contact: UInt32 = 1) {
        application.enqueue(
            InputFrame(
                device: device, timestamp: InputTimestamp(microseconds: Int64(seconds * 1e6)),
                contacts: [
                    Contact(
                        id: contact, phase: phase, position: SurfacePoint(x: x / 100, y: y / 100),
                        raw: RawPoint(x: Int32(x * 40), y: Int32(y * 40)))
                ]))
        application.drainEvents()
    }

    @Test("a record has whether a touch is forwarded, also when only that changes")
    func forwarded() throws {
        _ = try start("views: [{id: start, frame: [0, 0, 50, 50]}]")
        application.beforeDelivery { event in
            for touch in event.touches where touch.phase == .began {
                touch.forwarding = touch.location(in: nil).x < 50 ? .kept(.view) : .through
            }
        }
        touch(.began, 20, 30, at: 1)
        touch(.began, 80, 30, at: 2, contact: 2)
        #expect(records.flatMap(\.touches).map(\.forwarded) == ["no: view", "yes"])
        application.touchesDown.first { $0.id == 2 }?.forwarding = .cancelled
        touch(.moved, 21, 30, at: 3)
        let told = try #require(records.last).touches
        #expect(told.map(\.touch) == [1, 2] && told.map(\.forwarded) == ["no: view", "cancelled"])
        #expect(told.last?.phase == .stationary)
    }

    @Test("a record has positions, view, path, responders, recognizers and handlers, and survives encoding")
    func whole() throws {
        _ = try start(
            """
            views:
              - id: panel
                frame: [0, 0, 100, 100]
                gestures: [{tap: {}, id: poke, on: {recognized: log}}]
                views: [{id: start, frame: [10, 10, 50, 50], on: {began: log}}]
            """)
        touch(.began, 20, 30, at: 1)
        let record = try #require(records.first)
        let told = try #require(record.touches.first)
        #expect(record.time == 1 && record.touches.count == 1 && record.latency == nil)
        #expect(told.touch == 1 && told.source == 3 && told.phase == .began && told.view == "start")
        #expect(told.raw == [800, 1200] && told.x == 20 && told.y == 30)
        #expect(told.handlers == ["log"])
        let attachment = try #require(told.attachment)
        #expect(attachment.path == ["start", "panel"] && !attachment.isPrivate)
        #expect(attachment.responders == ["view 'start'", "view 'panel'", "window", "application"])
        #expect(attachment.recognizers.map(\.gesture) == ["tap"] && attachment.recognizers.map(\.id) == ["poke"])
        #expect(attachment.recognizers.map(\.state) == [.possible])
        for record in records {
            #expect(try JSONTree(record.line).decode(InspectionRecord.self) == record)
        }
    }

    @Test("each state of a recognizer, in order, with its touches by number")
    func states() throws {
        _ = try start("views: [{id: map, frame: [0, 0, 100, 100], gestures: [{tap: {}, on: {recognized: log}}]}]")
        touch(.began, 20, 30, at: 1)
        touch(.ended, 20, 30, at: 1.1)
        let number = try #require(records.first?.touches.first?.attachment?.recognizers.first?.recognizer)
        let changes = records.flatMap(\.changes)
        #expect(changes.map(\.from) == [.possible, .ended] && changes.map(\.to) == [.ended, .possible])
        #expect(
            changes.allSatisfy { $0.recognizer == number && $0.gesture == "tap" && $0.view == "map" && $0.id == nil })
        #expect(changes.first?.touches == [1])
    }

    @Test("a recognizer keeps its number in a layout, and another layout's are counted from 1")
    func numbers() throws {
        let layout = "views: [{id: map, frame: [0, 0, 100, 100], gestures: [{tap: {}}, {pan: {}}]}]"
        _ = try start(layout)
        for _ in 0..<2 {
            touch(.began, 20, 30, at: 1)
            touch(.ended, 20, 30, at: 1.1)
        }
        scene?.deactivate()
        _ = try start(layout)
        touch(.began, 20, 30, at: 3)
        let numbers = records.flatMap(\.touches).compactMap { $0.attachment?.recognizers.map(\.recognizer) }
        #expect(numbers == [[1, 2], [1, 2], [1, 2]])
    }

    @Test("another recognizer never gets the number of one that is gone, as when views are published again")
    func numbersOfFormerRecognizers() throws {
        _ = try start("views: [{id: map, frame: [0, 0, 100, 100]}]")
        let view = try #require(scene?.view(withIdentifier: "map"))
        func tap(at seconds: Double) {
            touch(.began, 20, 30, at: seconds)
            touch(.ended, 20, 30, at: seconds + 0.1)
        }
        view.gestureRecognizers = [TapGestureRecognizer()]
        let address = try #require(view.gestureRecognizers?.first.map { ObjectIdentifier($0) })
        tap(at: 1)
        view.gestureRecognizers = []
        // Until the memory of the former one is used again, if it is.
        var others: [TapGestureRecognizer] = []
        while others.count < 10_000, others.last.map({ ObjectIdentifier($0) }) != address { others.append(.init()) }
        view.gestureRecognizers = [try #require(others.last)]
        tap(at: 3)
        let numbers = records.flatMap(\.touches).compactMap { $0.attachment?.recognizers.first?.recognizer }
        #expect(numbers == [1, 2], "after \(others.count) recognizers")
    }

    @Test("a recognizer's change without a finger's is a separate record with its own time")
    func timer() throws {
        _ = try start("views: [{id: map, frame: [0, 0, 100, 100], gestures: [{long-press: {}, on: {began: log}}]}]")
        touch(.began, 20, 30, at: 1)
        application.advanceTime(to: InputTimestamp(microseconds: 3_000_000))
        let record = try #require(records.last)
        #expect(records.count == 2 && record.touches.isEmpty)
        #expect(record.changes.map(\.to) == [.began] && record.time == 1.5)
    }

    @Test("a private view's record has no position, subview or gesture id")
    func privateView() throws {
        _ = try start(
            """
            views:
              - id: pad
                frame: [0, 0, 100, 100]
                private: true
                views:
                  - {id: key-5, frame: [0, 0, 50, 50], gestures: [{tap: {}, id: five, on: {recognized: {hide: dot-5}}}]}
                  - {id: dot-5, frame: [60, 60, 10, 10]}
            """)
        touch(.began, 20, 30, at: 1)
        touch(.moved, 21, 30, at: 1.05)
        touch(.ended, 21, 30, at: 1.1)
        let told = records.flatMap(\.touches)
        #expect(told.map(\.phase) == [.began, .moved, .ended])
        #expect(told.allSatisfy { $0.x == nil && $0.y == nil && $0.raw == nil && $0.view == "pad" })
        #expect(told.first?.attachment?.isPrivate == true && told.first?.attachment?.path == ["pad"])
        // The number of a key's gesture would reveal the key.
        #expect(told.first?.attachment?.recognizers == [] && records.allSatisfy(\.changes.isEmpty))
        #expect(told.first?.attachment?.responders == ["view 'pad'", "window", "application"])
        let text = String(decoding: records.flatMap(\.line), as: UTF8.self)
        for secret in ["key-5", "five", "dot-5", "800", "1200"] { #expect(!text.contains(secret)) }
    }

    @Test("a private view's gestures have one number, and neither their order nor their states name the recognized one")
    func privateNumbers() throws {
        let swipes = ["left", "right", "up", "down"].map { "{swipe: \($0), run: log}" }.joined(separator: ", ")
        var told: [[String]] = []
        for (x, y) in [(-1.0, 0.0), (1, 0), (0, -1), (0, 1)] {
            records = []
            _ = try start("views: [{id: pad, frame: [0, 0, 100, 100], private: true, gestures: [\(swipes)]}]")
            touch(.began, 50 - x * 40, 50 - y * 40, at: 1)
            for step in 1...7 {
                let way = Double(step) * 11 - 40
                touch(.moved, 50 + x * way, 50 + y * way, at: 1 + Double(step) / 100)
            }
            touch(.ended, 50 + x * 37, 50 + y * 37, at: 1.08)
            scene?.deactivate()
            told.append(
                records.map { record in
                    let changes = record.changes.map { "\($0.recognizer) \($0.gesture): \($0.from) → \($0.to)" }
                    return "\(changes), \(record.touches.compactMap(\.attachment).map(\.recognizers))"
                })
        }
        let numbers =
            records.flatMap(\.changes).map(\.recognizer)
            + records.flatMap(\.touches).compactMap(\.attachment).flatMap(\.recognizers).map(\.recognizer)
        #expect(Set(numbers) == [1])
        #expect(records.flatMap(\.changes).contains { $0.to == .ended })
        #expect(told.dropFirst().allSatisfy { $0 == told[0] })
    }

    @Test("moves of a fast panel are limited per second; every begin and end is kept")
    func moves() throws {
        _ = try start("views: [{id: map, frame: [0, 0, 100, 100]}]", movesPerSecond: 60)
        touch(.began, 20, 30, at: 1)
        for step in 1...1000 { touch(.moved, 20 + Double(step) / 100, 30, at: 1 + Double(step) / 1000) }
        touch(.ended, 30, 30, at: 2.001)
        let phases = records.flatMap(\.touches).map(\.phase)
        #expect(phases.first == .began && phases.last == .ended)
        #expect((55...61).contains(phases.count { $0 == .moved }))
    }

    @Test("a handler that runs for every move is recorded, and no run is lost")
    func handlersOfMoves() throws {
        _ = try start("views: [{id: map, frame: [0, 0, 100, 100], on: {moved: log}}]", movesPerSecond: 10)
        touch(.began, 20, 30, at: 1)
        touch(.moved, 21, 30, at: 1.01)
        for step in 2...50 { touch(.moved, 20 + Double(step), 30, at: 1 + Double(step) / 100) }
        touch(.ended, 70, 30, at: 1.501)
        let told = records.flatMap(\.touches)
        #expect(
            told.count < 9 && told.dropFirst().dropLast().allSatisfy { $0.phase == .moved && $0.handlers == ["log"] })
        #expect(told.last?.phase == .ended && told.last?.handlers == ["log"])
    }

    @Test("unchanged facts are sent once; a new subscriber receives them, resting touches and the pages")
    func present() throws {
        let recorder = try start("pages: {start: {views: [{id: map, frame: [0, 0, 100, 100]}]}}")
        touch(.began, 20, 30, at: 1)
        touch(.moved, 20, 30, at: 1.1)
        touch(.began, 60, 30, at: 1.2, contact: 2)
        touch(.ended, 60, 30, at: 1.3, contact: 2)
        #expect(records.flatMap(\.touches).filter { $0.touch == 1 }.map { $0.attachment != nil } == [true, false])
        records = []
        recorder.sendSnapshot()
        let record = try #require(records.first)
        #expect(record.whole == true && record.pages == ["start"] && record.views == [])
        #expect(record.latency == nil && records.count == 1)
        let told = try #require(record.touches.first)
        #expect(record.touches.count == 1 && told.touch == 1 && told.phase == .stationary && told.handlers == [])
        #expect(told.x == 20 && told.y == 30 && told.attachment?.path == ["map"])
    }

    @Test("changed pages, and views that differ from the file")
    func layout() throws {
        _ = try start(
            """
            pages:
              start: {views: [{id: on, frame: [0, 0, 50, 50], on: {began: {hide: sign}, ended: {go: next}}}]}
              next: {views: [{id: off, frame: [0, 0, 50, 50]}]}
            views: [{id: sign, frame: [50, 50, 10, 10]}]
            """)
        touch(.began, 20, 30, at: 1)
        touch(.moved, 21, 30, at: 1.1)
        touch(.ended, 21, 30, at: 1.2)
        #expect(records.map(\.pages) == [["start"], nil, ["next"]])
        #expect(records.first?.views == [InspectionRecord.ViewState { ($0.view, $0.hidden) = ("sign", true) }])
        #expect(records.dropFirst().allSatisfy { $0.views == nil })
    }

    @Test("changes without a touch on request, and nothing if nothing changed")
    func changedWithoutTouch() throws {
        let recorder = try start("views: [{id: sign, frame: [0, 0, 100, 100]}]")
        recorder.sendSnapshot()
        records = []
        try scene?.setHidden(true, of: "sign")
        recorder.reportChanges()
        recorder.reportChanges()
        #expect(records.map(\.views) == [[InspectionRecord.ViewState { ($0.view, $0.hidden) = ("sign", true) }]])
        #expect(records.allSatisfy { $0.whole == nil && $0.touches.isEmpty })
        // Nothing after it was stopped.
        application.observers = []
        touch(.began, 20, 30, at: 1)
        #expect(records.count == 1)
    }
}
