import Evdev
import EventLoop
import Foundation
import Layout
import TouchKit

/// A running layout whose handlers do not run: it records which would run, and the events of each touch.
final class SimulatedKiosk {
    /// An event of a touch.
    struct TouchEvent {
        var touch: Int
        var phase: Touch.Phase
        weak var view: View?
        /// The position in points of its window.
        var location: CGPoint
    }

    let application = Application()
    let document: LayoutDocument
    private(set) var scene: Scene
    /// The device whose touches are delivered, to the screen that `select(at:)` names.
    var device: DeviceID? {
        didSet { place() }
    }
    /// The touch events since `clear()`, including moves.
    private(set) var touchEvents: [TouchEvent] = []
    /// The handlers and actions that would have run since `clear()`, with their triggers.
    private(set) var steps: [(trigger: HandlerBinding.Trigger, name: String)] = []
    /// The number of times that each touch since the start has ended or was cancelled.
    private(set) var ends: [Int: Int] = [:]
    /// The time from the device's timestamp to the hit test, in seconds, for each touch that began.
    private(set) var delays: [Double] = []
    private var screen = 0

    init(_ document: LayoutDocument) {
        self.document = document
        let notes = Notes()
        scene = Scene(document, application: application) { step, occasion in
            notes.didPerform?(occasion.trigger, step.name)
        }
        notes.didPerform = { [unowned self] in steps.append(($0, $1)) }
        application.didDeliver = { [unowned self] in note($0) }
        scene.activate()
    }

    /// The records; separate, because the scene needs them before the kiosk is initialized.
    private final class Notes {
        var didPerform: ((HandlerBinding.Trigger, String) -> Void)?
    }

    /// Assigns the device to a screen of the layout, by its index.
    func select(at screen: Int) {
        self.screen = screen
        place()
    }

    /// Clears `touchEvents` and `steps`, but not `ends` and `delays`.
    func clear() {
        touchEvents = []
        steps = []
    }

    /// The number of touches that are over since `clear()`.
    var endCount: Int { touchEvents.count { $0.phase == .ended || $0.phase == .cancelled } }

    func close() {
        application.detach()
        scene.deactivate()
    }

    private func place() {
        if let device { application.setScreen(scene.windows[screen].screen, for: device) }
    }

    private func note(_ delivery: TouchDelivery) {
        let touch = delivery.touch
        switch delivery.phase {
        case .began:
            ends[touch.id] = 0
            delays.append(Double(Deadline.now.nanoseconds) / 1e9 - touch.timestamp)
        case .ended, .cancelled: ends[touch.id, default: 0] += 1
        case .moved: break
        case .stationary: return
        }
        touchEvents.append(
            TouchEvent(touch: touch.id, phase: delivery.phase, view: touch.view, location: touch.location(in: nil)))
    }
}
