import Evdev
import EventLoop
import Foundation
import Layout
import TouchKit

/// A layout at work of which no handler runs: what would run is noted, and so is what each touch does.
final class DryKiosk {
    /// What a touch did.
    struct Deed {
        var touch: Int
        var phase: Touch.Phase
        weak var view: View?
        /// In points of its window.
        var location: CGPoint
    }

    let application = Application()
    let document: LayoutDocument
    private(set) var scene: Scene
    /// The device whose touches come; it touches the screen that `aim(at:)` names.
    var device: DeviceID? {
        didSet { place() }
    }
    /// What touches did since `forget()`, moves among it.
    private(set) var deeds: [Deed] = []
    /// The handlers and actions that would have run since `forget()`, with their triggers.
    private(set) var steps: [(trigger: HandlerBinding.Trigger, name: String)] = []
    /// How often each touch that ever began has ended or was cancelled.
    private(set) var ends: [Int: Int] = [:]
    /// From the device's stamp until its view was found, of each touch that began, in seconds.
    private(set) var delays: [Double] = []
    private var screen = 0

    init(_ document: LayoutDocument) {
        self.document = document
        let notes = Notes()
        scene = Scene(document, application: application) { step, occasion in
            notes.didTake?(occasion.trigger, step.name)
        }
        notes.didTake = { [unowned self] in steps.append(($0, $1)) }
        application.didDeliver = { [unowned self] in note($0) }
        scene.activate()
    }

    /// Kept by the scene, which is there before the kiosk is whole.
    private final class Notes {
        var didTake: ((HandlerBinding.Trigger, String) -> Void)?
    }

    /// Has the device touch a screen of the layout, by its place there.
    func aim(at screen: Int) {
        self.screen = screen
        place()
    }

    /// Forgets deeds and steps; `ends` and `delays` go on.
    func forget() {
        deeds = []
        steps = []
    }

    /// How many touches are over since `forget()`.
    var endCount: Int { deeds.count { $0.phase == .ended || $0.phase == .cancelled } }

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
        deeds.append(
            Deed(touch: touch.id, phase: delivery.phase, view: touch.view, location: touch.location(in: nil)))
    }
}
