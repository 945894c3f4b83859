import Foundation
import Layout
import Reports
import TouchKit
import TouchKitTesting

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
        if let misplaced = misplaced(check.findings, in: text) { return misplaced }
        guard let document = check.document else { return check.findings.isEmpty ? "refused without a reason" : nil }
        return use(document)
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
        guard document.viewCount <= viewLimit else { return nil }
        if !LayoutDrawing(document).svg().hasSuffix("</svg>\n") { return "a drawing without an end" }

        let application = Application()
        var ledger = TouchLedger()
        application.onDelivery { ledger.record($0) }
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
        let stage = Stage(application)
        let size = stage.screen.bounds.size
        func at(_ x: Double, _ y: Double) -> CGPoint { CGPoint(x: x * size.width, y: y * size.height) }
        for place in [0.01, 0.2, 0.35, 0.5, 0.65, 0.8, 0.99] {
            let finger = stage.finger()
            finger.lands(at: at(place, place))
            finger.moves(to: at(place, 1 - place * 0.999))
            finger.lifts()
        }
        let (first, second) = (stage.finger(), stage.finger())
        stage.send(first.landing(at: at(0.4, 0.5)), second.landing(at: at(0.6, 0.5)))
        for step in 1...4 {
            let spread = Double(step) * 0.08
            stage.send(
                first.moving(to: at(0.4 - spread, 0.5 - spread)), second.moving(to: at(0.6 + spread, 0.5 + spread)))
        }
        first.lifts()
        stage.advanceTime(by: 2)
        // The second finger stays down, for `cancelAllTouches` to end.
        second.moves(to: at(0.5, 0.5))
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
