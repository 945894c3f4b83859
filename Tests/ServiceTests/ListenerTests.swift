import ControlProtocol
import Evdev
import Foundation
import Outputs
import Testing

@testable import Service

/// A listener of the test's own, which wants everything, in a daemon with a PIN pad.
@Suite("A listener") struct ListenerTests {
    /// Keeps all that it receives, in every form that a listener can see: the event as JSON, and each stored value.
    private final class Collector: TouchListener {
        private(set) var told: [String] = []
        private(set) var notices: [EventHeader.Kind] = []

        func wants(_ header: EventHeader) -> Bool { true }

        func note(_ event: OutputEvent) {
            notices.append(event.header.kind)
            var stored = ""
            if case .control(let record, let own) = event.content {
                // It is for the client that has published the control, and this one has not.
                if let own { #expect(own.opened(by: ObjectIdentifier(self)) == nil) }
                dump(record, to: &stored)
            } else {
                dump(event.content, to: &stored)
            }
            told.append(event.text + stored)
        }
    }

    private static let layout = """
        screen: {size: [800, 400]}
        pages:
          home:
            views:
              - {id: door, frame: [0, 0, 400, 400], gestures: [{pan: {}}], on: {ended: [{publish: {topic: open, message: "{view}"}}]}}
              - id: pad
                frame: [400, 0, 400, 400]
                private: true
                views:
                  - id: secret-1
                    frame: [0, 0, 200, 400]
                    control: toggle
                    on: {pressed: [{publish: {topic: pressed, message: secret-message}}]}
                  - id: secret-2
                    frame: [200, 0, 200, 400]
                    multiple-touch: true
                    gestures: [{tap: {}, id: secret-tap}, {long-press: {}, id: secret-hold}, {pan: {}, id: secret-pan}]
              - id: slot
                frame: [0, 300, 400, 100]
                slot: keys
        """

    @Test("learns of a touch in a private view only that it was there: no key, no position, no gesture, no message")
    func privacy() throws {
        let stage = try SlotStage(Self.layout)
        let collector = Collector()
        stage.listeners.add(collector)
        for step in 0..<400 {
            let x = Double(400 + step * 37 % 399), y = Double(step * 53 % 399)
            stage.finger(.began, x, y)
            if step % 3 == 0 { stage.finger(.moved, min(x + 20, 799), y) }
            stage.finger(step % 7 == 0 ? .cancelled : .ended, x, y, after: step % 2 == 0 ? 700 : 50)
        }
        #expect(collector.notices.count > 800)
        #expect(collector.told.contains { $0.contains("(private)") })
        let leak = collector.told.first { line in
            line.contains("secret") || line.firstMatch(of: /"[xy]": |\b[xy]: Optional/) != nil
        }
        #expect(leak == nil)
        let words = ["pad", "home", "(private)"]
        #expect(collector.told.allSatisfy { line in words.contains { line.contains($0) } })
    }

    @Test("gets the message of a handler that is not private, and everything else of a touch")
    func publicView() throws {
        let stage = try SlotStage(Self.layout)
        let collector = Collector()
        stage.listeners.add(collector)
        stage.finger(.began, 11, 13)
        stage.finger(.ended, 11, 13)
        #expect(collector.told.contains { $0.contains(#""message": "door""#) })
        #expect(collector.told.contains { $0.contains(#""x": 11, "y": 13, "view": "door""#) })
    }

    @Test("that wants nothing causes no record")
    func unwanted() throws {
        final class Deaf: TouchListener {
            func wants(_ header: EventHeader) -> Bool { false }
            func note(_ event: OutputEvent) { Issue.record("told \(event.text)") }
        }
        let stage = try SlotStage(Self.layout)
        stage.listeners.add(Deaf())
        stage.finger(.began, 11, 13)
        var isDescribed = false
        let header = EventHeader(.page, time: 1)
        stage.listeners.notify(header) {
            isDescribed = true
            return OutputEvent(.page(PageRecord(time: 1, page: "home")), header)
        }
        #expect(!isDescribed)
    }
}
