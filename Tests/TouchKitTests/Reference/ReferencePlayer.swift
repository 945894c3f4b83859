import Evdev
import Foundation
import TouchKitTesting

@testable import TouchKit

/// Plays a scene on TouchKit, and makes changes in the calls that it receives.
class ReferencePlayer {
    let application = Application()
    let stage: Stage
    /// The screens of the scene, and the devices that touch them.
    let screens: [Screen]
    private let devices: [DeviceID]
    private(set) var views: [View] = []
    private(set) var recognizers: [GestureRecognizer] = []
    private var controllers: [PlayedController] = []
    private var delegates: [PlayedDelegate] = []

    init(devices: [DeviceID]) {
        self.devices = devices
        let bounds = CGRect(x: 0, y: 0, width: Scenario.side, height: Scenario.side)
        screens = devices.map { _ in Screen(bounds: bounds) }
        stage = Stage(application, screen: screens[0])
        for (device, screen) in zip(devices, screens) { application.setScreen(screen, for: device) }
    }

    /// Receives a call, without its touches for one that has none.
    func log(_ call: String, _ touches: Set<Touch>?) {}
    final func log(_ call: String) { log(call, nil) }

    // The classes of the scene.
    func makeWindow(frame: CGRect, on screen: Screen) -> any View & Played {
        PlayedWindow(frame: frame, application: application, screen: screen)
    }
    func makeView(_ plan: ViewPlan) -> any View & Played {
        plan.kind == .button ? PlayedButton(frame: plan.frame) : PlayedView(frame: plan.frame)
    }
    func makeRecognizer(_ plan: RecognizerPlan, _ index: Int) -> GestureRecognizer {
        plan.makeRecognizer(player: self, name: "r\(index)")
    }

    /// Makes the views and recognizers; windows are spread over the screens.
    func makeScene(_ plans: [ViewPlan], _ recognizerPlans: [RecognizerPlan]) {
        for (index, plan) in plans.enumerated() {
            let screen = screens[index % screens.count]
            let view = plan.parent == nil ? makeWindow(frame: plan.frame, on: screen) : makeView(plan)
            view.play(Part(player: self, name: "v\(index)", plan: plan))
            view.accessibilityIdentifier = "v\(index)"
            if plan.flags.contains(.controlled) {
                let controller = PlayedController()
                controller.part = Part(player: self, name: "c\(index)", plan: plan)
                controller.view = view
                controllers.append(controller)
            }
            views.append(view)
            if let parent = plan.parent { views[parent].addSubview(view) }
        }
        for (index, plan) in recognizerPlans.enumerated() {
            let recognizer = makeRecognizer(plan, index)
            delegates.append(PlayedDelegate(of: recognizer, player: self, name: "r\(index)", plan: plan))
            recognizers.append(recognizer)
            views[plan.view].addGestureRecognizer(recognizer)
        }
        for (plan, recognizer) in zip(recognizerPlans, recognizers) {
            for other in plan.requires { recognizer.require(toFail: recognizers[other]) }
        }
        for (plan, view) in zip(plans, views) where view is Window { view.isHidden = plan.flags.contains(.hidden) }
    }

    final func send(_ fingers: [Step.Finger], screen: Int = 0) {
        let contacts = fingers.map {
            Contact(
                id: $0.id, phase: $0.phase, position: SurfacePoint(x: $0.x / Scenario.side, y: $0.y / Scenario.side))
        }
        // Not `Stage.enqueue`, which would put them in order.
        application.enqueue(InputFrame(device: devices[screen], timestamp: stage.tick(), contacts: contacts))
        application.drainEvents()
    }

    final func index(of recognizer: GestureRecognizer) -> Int { recognizers.firstIndex(of: recognizer) ?? -1 }

    final func make(_ change: Change) {
        switch change {
        case .remove(let view): if !(views[view] is Window) { views[view].removeFromSuperview() }
        case .add(let view, let parent):
            if !(views[view] is Window), !views[parent].isDescendant(of: views[view]) {
                views[parent].addSubview(views[view])
            }
        case .hide(let view, let isHidden): views[view].isHidden = isHidden
        case .interaction(let view, let isEnabled): views[view].isUserInteractionEnabled = isEnabled
        case .enable(let view, let isEnabled): (views[view] as? Control)?.isEnabled = isEnabled
        case .toFront(let view): views[view].superview?.bringSubviewToFront(views[view])
        case .turn(let recognizer, let isEnabled): recognizers[recognizer].isEnabled = isEnabled
        case .flip(let recognizer):
            recognizers[recognizer].isEnabled = false
            recognizers[recognizer].isEnabled = true
        case .fail(let recognizer): recognizers[recognizer].state = .failed
        case .detach(let recognizer): recognizers[recognizer].view?.removeGestureRecognizer(recognizers[recognizer])
        case .attach(let recognizer, let view): views[view].addGestureRecognizer(recognizers[recognizer])
        case .cancelAll: application.cancelAllTouches()
        case .ignore(true): application.beginIgnoringInteractionEvents()
        case .ignore(false): if application.isIgnoringInteractionEvents { application.endIgnoringInteractionEvents() }
        }
    }
}
