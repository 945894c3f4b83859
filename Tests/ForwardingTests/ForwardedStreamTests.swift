import Evdev
import Foundation
import Layout
import Testing

@testable import Forwarding
@testable import TouchKit

@Suite("Random layouts and fingers") struct ForwardedStreamTests {
    @Test("the forwarded stream, decoded again, is exactly the touches that the rules let through", arguments: 1...40)
    func randomFingers(seed: UInt64) throws {
        var random = Numbers(state: seed &* 0x9e37_79b9_7f4a_7c15)
        let rotation: [Rotation] = [.none, .quarter, .half]
        let turned = rotation[Int(seed % 3)]
        let kiosk = try ForwardedKiosk(RandomLayout.text(&random), panel: .panel(2000, 2000) { $0.rotation = turned })
        let oracle = Oracle(kiosk)
        var fingers: [UInt32: (x: Double, y: Double)] = [:]
        var last: UInt32 = 0
        for step in 0..<400 {
            var changes: [(finger: UInt32, phase: Contact.Phase, x: Double, y: Double)] = []
            switch random.next(20) {
            case 0:
                if kiosk.application.isIgnoringInteractionEvents {
                    kiosk.application.endIgnoringInteractionEvents()
                } else if random.next(3) == 0 {
                    kiosk.application.beginIgnoringInteractionEvents()
                }
            case 1:
                if kiosk.router.isSuspended {
                    kiosk.router.resume(swallowing: false)
                } else if random.next(3) == 0 {
                    oracle.suspend()
                }
            case 2: kiosk.pass(0.7)
            default:
                for (finger, before) in fingers.sorted(by: { $0.key < $1.key }) where random.next(2) == 0 {
                    if random.next(4) == 0 {
                        changes.append((finger, .ended, before.x, before.y))
                        fingers[finger] = nil
                    } else {
                        let place = (x: Double(random.next(1000)), y: Double(random.next(500)))
                        fingers[finger] = place
                        changes.append((finger, .moved, place.x, place.y))
                    }
                }
                if fingers.count < 8, random.next(2) == 0 {
                    last += 1
                    let place = (x: Double(random.next(1000)), y: Double(random.next(500)))
                    fingers[last] = place
                    changes.append((last, .began, place.x, place.y))
                }
                kiosk.send(changes)
            }
            oracle.finishStep()
            let wrong = oracle.expected.filter { oracle.received[$0.key] != $0.value }
            try #require(oracle.received == oracle.expected, "step \(step) of seed \(seed), not: \(wrong)")
        }
        kiosk.send(fingers.sorted { $0.key < $1.key }.map { ($0.key, .ended, $0.value.x, $0.value.y) })
        kiosk.pass(5)
        oracle.finishStep()
        #expect(oracle.received == oracle.expected)
        // Every contact that began was lifted or cancelled once.
        #expect(oracle.received.values.allSatisfy { $0.count { $0.hasPrefix("ended") || $0 == "cancelled" } == 1 })
        #expect(!kiosk.panel.encoder.hasContacts)
    }
}

/// Computes what the rules let through, from the touches, the recognizers' states and a separate hit test.
private final class Oracle {
    private let kiosk: ForwardedKiosk
    /// The expected and the decoded changes of each contact, by the order in which contacts began.
    private(set) var expected: [Int: [String]] = [:]
    private(set) var received: [Int: [String]] = [:]
    private var followed: [Followed] = []
    private var began = 0
    private var decoded: [UInt32: Int] = [:]
    private var recognized: Set<Int> = []

    private struct Followed {
        let touch: Touch
        /// The number of its contact; nil while a gesture delays it.
        var number: Int?
        var path: [String]
        var isOver = false
    }

    init(_ kiosk: ForwardedKiosk) {
        self.kiosk = kiosk
        kiosk.application.didChangeState = { [weak self] recognizer, former in
            // A touch that joins a gesture in progress is not taken back, as in UIKit.
            guard former == .possible, [.began, .changed, .ended].contains(recognizer.actualState),
                recognizer.cancelsForwardedTouches || recognizer.delaysForwardedTouches
            else { return }
            for touch in recognizer.sequenceTouches { self?.recognized.insert(touch.id) }
        }
        kiosk.application.willDeliver = { [weak self] event in
            for touch in event.touches where touch.phase != .stationary { self?.note(touch) }
        }
        kiosk.application.didFinishEvent = { [weak self] in self?.finishEvent() }
    }

    func suspend() {
        for index in followed.indices { cancel(index) }
        followed = []
        kiosk.router.suspend()
    }

    /// Applies what the recognizers decided in an event, or between two.
    private func finishEvent() {
        for index in followed.indices where recognized.contains(followed[index].touch.id) {
            cancel(index)
        }
        for index in followed.indices where followed[index].touch.phase == .cancelled { cancel(index) }
        for index in followed.indices where !followed[index].isOver && followed[index].number == nil {
            if !isDelayed(followed[index].touch) { begin(index) }
        }
        followed.removeAll { $0.isOver || ($0.number != nil && $0.path.last?.hasPrefix("ended") == true) }
    }

    /// Reads what the other program received.
    func finishStep() {
        for contact in kiosk.reader.take() {
            let (x, y) = (contact.position.x * 1000, contact.position.y * 500)
            let place = "\(Int(x.rounded())) \(Int(y.rounded()))"
            switch contact.phase {
            case .began:
                decoded[contact.id] = decoded.count + 1
                received[decoded.count] = ["began \(place)"]
            case .moved: received[decoded[contact.id] ?? 0, default: []].append("moved \(place)")
            case .ended: received[decoded[contact.id] ?? 0, default: []].append("ended \(place)")
            case .cancelled: received[decoded[contact.id] ?? 0, default: []].append("cancelled")
            }
        }
    }

    private func note(_ touch: Touch) {
        let place = touch.location(in: nil)
        let words = "\(Int(place.x.rounded())) \(Int(place.y.rounded()))"
        if touch.phase == .began {
            guard !kiosk.router.isSuspended, isForwarded(at: place) else { return }
            guard followed.count(where: { $0.number != nil && !$0.isOver }) < 10 else { return }
            followed.append(Followed(touch: touch, path: ["began \(words)"]))
            if !isDelayed(touch) { begin(followed.count - 1) }
        }
        guard let index = followed.firstIndex(where: { $0.touch === touch }), !followed[index].isOver else { return }
        if touch.phase == .moved {
            // A delayed touch arrives with one move, to where it is then.
            if followed[index].number == nil { followed[index].path = [followed[index].path[0]] }
            let from = followed[index].path.last?.split(separator: " ").dropFirst().joined(separator: " ")
            if words != from { followed[index].path.append("moved \(words)") }
        } else if touch.phase == .ended, followed[index].path.last?.hasPrefix("ended") != true {
            let at = followed[index].path.last?.split(separator: " ").dropFirst().joined(separator: " ") ?? ""
            followed[index].path.append("ended \(at)")
        }
        if let number = followed[index].number { expected[number] = followed[index].path }
    }

    private func begin(_ index: Int) {
        began += 1
        followed[index].number = began
        expected[began] = followed[index].path
    }

    private func cancel(_ index: Int) {
        guard !followed[index].isOver else { return }
        followed[index].isOver = true
        guard let number = followed[index].number else { return }
        // A lift in the same event as the recognition was not sent yet.
        if followed[index].path.last?.hasPrefix("ended") == true { followed[index].path.removeLast() }
        expected[number] = followed[index].path + ["cancelled"]
    }

    private func isDelayed(_ touch: Touch) -> Bool {
        touch.gestureRecognizers.contains {
            $0.delaysForwardedTouches && $0.state == .possible && $0.sequenceTouches.contains(touch)
        }
    }

    /// The deepest view of the file that contains the point decides, or the nearest ancestor that does.
    private func isForwarded(at point: CGPoint) -> Bool {
        var value = kiosk.scene.document.forward.isDefault
        var (views, origin) = (kiosk.scene.document.views, CGPoint.zero)
        while let view = views.last(where: { $0.frame.offsetBy(dx: origin.x, dy: origin.y).contains(point) }) {
            value = view.forwards ?? value
            origin = CGPoint(x: origin.x + view.frame.minX, y: origin.y + view.frame.minY)
            views = view.views
        }
        return value
    }
}

/// Writes layouts of nested views with random `forward:` and gestures.
private enum RandomLayout {
    static func text(_ random: inout Numbers) -> String {
        var text = "screen: {size: [1000, 500]}\ndevices: [{match: {name: \"*\"}, forward: true}]\n"
        text += "forward: \(random.next(4) != 0)\nviews:\n"
        for _ in 0..<4 {
            let size = (400 + random.next(400), 200 + random.next(200))
            text += view(at: (random.next(300), random.next(150)), size, "  ", depth: 0, &random)
        }
        return text
    }

    private static func view(
        at place: (Int, Int), _ size: (Int, Int), _ indent: String, depth: Int, _ random: inout Numbers
    ) -> String {
        var text = "\(indent)- frame: [\(place.0), \(place.1), \(size.0), \(size.1)]\n"
        text += "\(indent)  multiple-touch: true\n"
        if random.next(2) == 0 { text += "\(indent)  forward: \(random.next(2) == 0)\n" }
        let gestures = ["tap: {}", "tap: {taps: 2}", "long-press: {}", "pan: {}", "swipe: left", "pinch: {}"]
        if random.next(2) == 0 {
            let flags = ["cancels-forwarded: true", "delays-forwarded: true", "cancels-touches: false"]
            text += "\(indent)  gestures: [{\(gestures[random.next(6)]), \(flags[random.next(3)]), run: log}]\n"
        }
        guard depth < 2 else { return text }
        text += "\(indent)  views:\n"
        for _ in 0..<2 {
            text += view(
                at: (random.next(size.0 / 2), random.next(size.1 / 2)), (size.0 / 2, size.1 / 2), indent + "    ",
                depth: depth + 1, &random)
        }
        return text
    }
}

/// Repeatable random numbers.
private struct Numbers {
    var state: UInt64

    mutating func next(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(count))
    }
}
