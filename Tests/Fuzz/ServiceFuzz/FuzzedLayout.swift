import Evdev
import Foundation
import Layout
import Reports
import TouchKit

/// Reads a text as a layout, and runs an accepted one under four fingers.
///
/// An error has a position in the text. An accepted layout can be drawn and explained, and every touch that begins on
/// it ends or is cancelled once, whatever its handlers hide, disable, show or switch.
enum FuzzedLayout {
    /// A seat map with more views only takes more time.
    private static let viewLimit = 500

    static func violation(_ text: String) -> String? {
        // In a folder that does not exist, so that relative paths of `include:` find nothing.
        let check = LayoutDocument.check(text: text, file: "/nowhere/fuzzed.yaml", handlers: ["log"])
        if let costly = costly(check.cost, bytes: text.utf8.count) ?? misplaced(check.findings, in: text) {
            return costly
        }
        guard let document = check.document else { return check.findings.isEmpty ? "refused without a reason" : nil }
        return use(document)
    }

    /// The cost oracle: without aliases and grids the cost of a check is proportional to the text; with them it is
    /// within the limits of the expanded layout.
    private static func costly(_ cost: LayoutCost, bytes: Int) -> String? {
        // A node has at least two bytes and is visited a few times: as a node, as a key, as a default, as a name.
        // Misspelled names are compared with all others, and stacked views with those in front of them, up to separate
        // limits.
        let expanded = cost.reading * 8 + bytes * 8 + 4096
        for (name, steps) in cost.phases {
            let limit =
                switch name {
                case "parsing": bytes * 8 + 256
                case "reading": LayoutLimit.readingSteps + bytes
                case "suggestions": min(LayoutLimit.nearestNameSteps, expanded * 512) + LayoutLimit.nameLength
                case "reach": min(LayoutLimit.coverSteps, expanded * expanded) + expanded
                case "gestures": expanded * LayoutLimit.gesturesOfTouch
                default: expanded
                }
            if steps > limit { return "\(name) took \(steps) steps for \(bytes) bytes" }
        }
        if cost.expandedBytes > LayoutLimit.expandedSize + LayoutLimit.fileSize {
            return "expanded to \(cost.expandedBytes) bytes"
        }
        return nil
    }

    private static func misplaced(_ findings: [LayoutFinding], in text: String) -> String? {
        // libyaml's lines are those of YAML 1.1, which has five line breaks.
        let lines = 2 + text.unicodeScalars.count { "\n\r\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0) }
        let finding = findings.first {
            $0.location.file == "/nowhere/fuzzed.yaml"
                && !((1...lines).contains($0.location.line) && $0.location.column >= 1) || $0.message.isEmpty
        }
        return finding.map { "a finding without words or a place: \($0)" }
    }

    private static func use(_ document: LayoutDocument) -> String? {
        guard document.viewCount <= viewLimit else {
            return nil
        }
        if !LayoutDrawing(document).svg().hasSuffix("</svg>\n") { return "a drawing without an end" }

        let application = Application()
        var ledger = TouchLedger()
        application.didDeliver = { ledger.record($0) }
        weak var shown: Scene?
        var steps = 0
        let scene = Scene(document, application: application) { step, _ in
            steps += 1
            // A repeating control, or pages that show each other, may continue for long.
            if steps < 1000, let shown { perform(step, on: shown, of: document) }
        }
        shown = scene
        scene.activate()
        for screen in document.screens {
            let middle = CGPoint(x: screen.size.width / 2, y: screen.size.height / 2)
            if scene.hit(middle, onScreen: screen.name) == nil { return "a screen that is not there: \(screen)" }
        }
        touch(application)
        scene.deactivate()
        application.cancelAllTouches()
        return ledger.close()
    }

    /// Performs steps that change the layout; nothing is sent or started.
    private static func perform(_ step: HandlerStep, on scene: Scene, of document: LayoutDocument) {
        switch step.kind {
        case .run(let name, _):
            guard let handler = document.handlers.first(where: { $0.name == name }) else { return }
            for case .action(let action) in handler.allSteps.map(\.kind) { perform(action, on: scene) }
        case .action(let action): perform(action, on: scene)
        }
    }

    private static func perform(_ action: HandlerAction, on scene: Scene) {
        // Only a missing target can fail, and the check has reported all of them.
        if case .command(let command) = action { try? command.apply(to: scene) }
    }

    /// Taps, drags, a pinch and a long press across the screen.
    private static func touch(_ application: Application) {
        var time: Int64 = 1_000_000
        func send(_ phase: Contact.Phase, _ fingers: [(id: UInt32, x: Double, y: Double)], after: Int64 = 10_000) {
            time += after
            application.enqueue(
                InputFrame(
                    device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: time),
                    contacts: fingers.map {
                        Contact(id: $0.id, phase: phase, position: SurfacePoint(x: $0.x, y: $0.y))
                    }))
            application.drainEvents()
        }
        for (number, place) in [0.01, 0.2, 0.35, 0.5, 0.65, 0.8, 0.99].enumerated() {
            let finger = UInt32(number + 1)
            send(.began, [(finger, place, place)])
            send(.moved, [(finger, place, 1 - place * 0.999)])
            send(.ended, [(finger, place, 1 - place * 0.999)])
        }
        send(.began, [(20, 0.4, 0.5), (21, 0.6, 0.5)])
        for step in 1...4 {
            let spread = Double(step) * 0.08
            send(.moved, [(20, 0.4 - spread, 0.5 - spread), (21, 0.6 + spread, 0.5 + spread)])
        }
        send(.ended, [(20, 0.08, 0.2)])
        application.advanceTime(to: InputTimestamp(microseconds: time + 2_000_000))
        time += 2_000_000
        send(.moved, [(21, 0.5, 0.5)])
        // The second finger stays down, for `cancelAllTouches` to end.
    }
}

/// Tracks the delivered touches, and records the first violation.
struct TouchLedger {
    private var down: Set<Int> = []
    private var violation: String?

    mutating func record(_ delivery: TouchDelivery) {
        let touch = delivery.touch.id
        switch delivery.phase {
        case .began: if !down.insert(touch).inserted { violation = violation ?? "touch \(touch) began twice" }
        case .moved, .stationary:
            if !down.contains(touch) { violation = violation ?? "touch \(touch) moved and is not down" }
        case .ended, .cancelled:
            if down.remove(touch) == nil { violation = violation ?? "touch \(touch) ended and was not down" }
        }
    }

    /// Ends the input: whatever is still down never ends.
    func close() -> String? { violation ?? (down.isEmpty ? nil : "touches \(down.sorted()) never ended") }
}
