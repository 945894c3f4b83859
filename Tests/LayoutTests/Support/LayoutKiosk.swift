import ControlProtocol
import Foundation
import Layout
import TouchKit
import TouchKitTesting

/// A running layout in its own application, with two fingers, and a list of its steps.
final class LayoutKiosk: Stage, SceneObserver {
    let scene: Scene
    /// What the scene reported to its observer.
    private(set) var droppedPresses = 0
    var shownPages: [String] = []
    /// What the talking mode said.
    private(set) var told: [AccessibilityRecord] = []
    /// `VIEW on` or `VIEW off` of each toggle that was switched.
    private(set) var switches: [String] = []
    private(set) lazy var first = finger()
    private(set) lazy var second = finger()
    /// `TRIGGER NAME` of each performed step.
    private(set) var steps: [String] = []
    /// Every context, in the same order.
    private(set) var contexts: [HandlerContext] = []
    /// Called with each step before it is recorded.
    var onStep: ((HandlerStep, HandlerContext) -> Void)?

    /// Shows a layout; with `replacing`, in place of another with its state.
    convenience init(_ text: String, replacing old: LayoutKiosk? = nil) throws {
        self.init(try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"]), replacing: old)
    }

    /// Shows a layout that was read before.
    init(_ document: LayoutDocument, replacing old: LayoutKiosk? = nil) {
        let application = old?.application ?? Application()
        weak var kiosk: LayoutKiosk?
        scene = Scene(document, application: application) { kiosk?.perform($0, $1) }
        super.init(application)
        kiosk = self
        scene.observer = self
        if let old {
            time = old.time
            // In the order of the service.
            scene.adoptState(of: old.scene)
            old.scene.deactivate()
        }
        scene.activate()
    }

    /// Shows one view `a` that fills a screen of 400 by 400 points, or a part of it, with these other keys.
    convenience init(view keys: String, size: Int = 100) throws {
        try self.init("screen: {size: [400, 400]}\nviews: [{id: a, frame: [0, 0, \(size), \(size)], \(keys)}]\n")
    }

    func gestureRecognized(_ recognizer: GestureRecognizer, _ trigger: GestureRecord.Trigger) {}
    func controlChanged(_ control: Control, _ change: ControlRecord.Change, _ event: Event?) {
        if change == .toggled {
            switches.append("\(control.accessibilityIdentifier ?? "-") \(control.isSelected ? "on" : "off")")
        }
    }
    func pressDropped() { droppedPresses += 1 }
    func pageShown(_ page: String) { shownPages.append(page) }
    func told(_ record: AccessibilityRecord, of view: View?) { told.append(record) }

    /// Plays fingers and time: `tap X Y`, of the first finger `down X Y`, `to X Y`, `up` and `palm`, and `wait SECONDS`.
    func play(_ script: String) {
        for command in script.split(separator: "; ") {
            let words = command.split(separator: " "), numbers = words.dropFirst().compactMap { Double($0) }
            switch words[0] {
            case "tap": taps(at: numbers[0], numbers[1])
            case "down": first.lands(at: numbers[0], numbers[1])
            case "to": first.moves(to: numbers[0], numbers[1])
            case "up": first.lifts()
            case "palm": first.becomesPalm()
            case "wait": advanceTime(by: numbers[0])
            default: preconditionFailure("unknown command '\(command)'")
            }
        }
    }

    private func perform(_ step: HandlerStep, _ context: HandlerContext) {
        onStep?(step, context)
        steps.append("\(context.trigger.rawValue) \(step.name)")
        contexts.append(context)
        guard case .action(let action) = step.kind else { return }
        if case .command(let command) = action { try? command.apply(to: scene) }
    }

    /// The id of the view that is hit at a point of a screen.
    func hit(_ x: Double, _ y: Double, onScreen number: Int = 0) -> String? {
        scene.windows[number].hitTest(CGPoint(x: x, y: y), with: nil)?.accessibilityIdentifier
    }
}
