import Evdev
import Foundation
import Layout
import TouchKit

/// A running layout in its own application, with fingers, and a list of its steps.
final class Kiosk {
    let application: Application
    let scene: Scene
    /// `TRIGGER NAME` of each performed step.
    private(set) var steps: [String] = []
    /// Every occasion, in the same order.
    private(set) var occasions: [Occasion] = []
    /// Called with each step before it is recorded.
    var onStep: ((HandlerStep, Occasion) -> Void)?
    /// The time of the last frame, in microseconds; every frame advances it by 10 ms.
    var clock: Int64 = 1_000_000

    /// Shows a layout; with `replacing`, in place of another with its state.
    init(_ text: String, replacing old: Kiosk? = nil) throws {
        application = old?.application ?? Application()
        let document = try LayoutDocument(text: text, file: "kiosk.yaml", handlers: ["log"])
        weak var kiosk: Kiosk?
        scene = Scene(document, application: application) { kiosk?.perform($0, $1) }
        kiosk = self
        old?.scene.deactivate()
        if let old {
            clock = old.clock
            scene.adoptState(of: old.scene)
        }
        scene.activate()
    }

    private func perform(_ step: HandlerStep, _ occasion: Occasion) {
        onStep?(step, occasion)
        steps.append("\(occasion.trigger.rawValue) \(step.name)")
        occasions.append(occasion)
        guard case .action(let action) = step.kind else { return }
        if case .command(let command) = action { try? command.apply(to: scene) }
    }

    /// The id of the view that is hit at a point of a screen.
    func hit(_ x: Double, _ y: Double, onScreen number: Int = 0) -> String? {
        scene.windows[number].hitTest(CGPoint(x: x, y: y), with: nil)?.identifier
    }

    func down(_ x: Double, _ y: Double, finger: UInt32 = 1) { send(.began, x, y, finger) }
    func move(_ x: Double, _ y: Double, finger: UInt32 = 1) { send(.moved, x, y, finger) }
    func lift(_ x: Double, _ y: Double, finger: UInt32 = 1) { send(.ended, x, y, finger) }
    func cancel(_ x: Double, _ y: Double, finger: UInt32 = 1) { send(.cancelled, x, y, finger) }

    func tap(_ x: Double, _ y: Double) {
        down(x, y)
        lift(x, y)
    }

    /// Advances the time without a frame, in seconds.
    func wait(_ seconds: Double) {
        clock += Int64(seconds * 1e6)
        application.advanceTime(to: InputTimestamp(microseconds: clock))
    }

    private func send(_ phase: Contact.Phase, _ x: Double, _ y: Double, _ finger: UInt32) {
        let bounds = scene.windows[0].bounds
        let position = SurfacePoint(x: x / bounds.width, y: y / bounds.height)
        clock += 10_000
        application.enqueue(
            InputFrame(
                device: DeviceID(rawValue: 1), timestamp: InputTimestamp(microseconds: clock),
                contacts: [Contact(id: finger, phase: phase, position: position)]))
        application.drainEvents()
    }
}
