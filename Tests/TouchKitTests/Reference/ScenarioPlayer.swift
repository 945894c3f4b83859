import Evdev
import Foundation

@testable import TouchKit

/// Plays a scenario on TouchKit, and logs all calls.
final class ScenarioPlayer: Player {
    private static let device = DeviceID(rawValue: 1)
    private let scenario: Scenario
    let application = Application()
    private let screen = Screen(bounds: CGRect(x: 0, y: 0, width: Scenario.side, height: Scenario.side))
    private(set) var views: [View] = []
    private var controllers: [PlayedController] = []
    private(set) var recognizers: [GestureRecognizer] = []
    private var delegates: [PlayedDelegate] = []
    private var reactions: [Reaction]
    private var clock: Int64 = 1_000_000
    private(set) var calls: [String] = []
    /// The last phase of each touch that the observer of deliveries received.
    private var reported: [Int: Touch.Phase] = [:]
    private var mistakes: [String] = []

    /// The calls that each step causes.
    static func calls(of scenario: Scenario) -> [[String]] {
        let player = ScenarioPlayer(scenario)
        var calls = scenario.steps.map { player.play($0) }
        player.finish()
        // The reference makes no mistakes.
        if let last = calls.indices.last { calls[last] += player.mistakes }
        return calls
    }

    private init(_ scenario: Scenario) {
        self.scenario = scenario
        reactions = scenario.reactions
        application.onDelivery { [unowned self] in check($0) }
        application.setScreen(screen, for: Self.device)
        for index in scenario.views.indices { addView(index) }
        for index in scenario.recognizers.indices { addRecognizer(index) }
        for (plan, recognizer) in zip(scenario.recognizers, recognizers) {
            for other in plan.requires { recognizer.require(toFail: recognizers[other]) }
        }
        for case let window as Window in views {
            window.isHidden = scenario.views[views.firstIndex(of: window) ?? 0].flags.contains(.hidden)
        }
    }

    private func addView(_ index: Int) {
        let plan = scenario.views[index]
        let view: any View & Played
        if plan.parent == nil {
            view = PlayedWindow(frame: plan.frame, application: application, screen: screen)
        } else {
            switch plan.kind {
            case .plain: view = PlayedView(frame: plan.frame)
            case .button: view = PlayedButton(frame: plan.frame)
            }
        }
        view.play(Part(player: self, name: "v\(index)", plan: plan))
        if plan.flags.contains(.controlled) {
            let controller = PlayedController()
            controller.part = Part(player: self, name: "c\(index)", plan: plan)
            controller.view = view
            controllers.append(controller)
        }
        views.append(view)
        if let parent = plan.parent { views[parent].addSubview(view) }
    }

    private func addRecognizer(_ index: Int) {
        let plan = scenario.recognizers[index]
        let recognizer = plan.makeRecognizer(player: self, name: "r\(index)")
        delegates.append(PlayedDelegate(of: recognizer, player: self, name: "r\(index)", plan: plan))
        recognizers.append(recognizer)
        views[plan.view].addGestureRecognizer(recognizer)
    }

    private func play(_ step: Step) -> [String] {
        calls = []
        switch step {
        case .frame(let after, let fingers):
            clock += Int64(after) * 1000
            let contacts = fingers.map {
                Contact(
                    id: $0.id, phase: $0.phase,
                    position: SurfacePoint(x: $0.x / Scenario.side, y: $0.y / Scenario.side))
            }
            application.enqueue(
                InputFrame(
                    device: Self.device, timestamp: InputTimestamp(microseconds: clock), contacts: contacts))
            application.drainEvents()
        case .wait(let milliseconds):
            clock += Int64(milliseconds) * 1000
            application.advanceTime(to: InputTimestamp(microseconds: clock))
        case .change(let change): make(change)
        }
        return calls
    }

    /// Logs a call, and makes the scenario's change in its handler.
    func log(_ call: String, _ touches: Set<Touch>?) {
        let ids = touches?.compactMap(\.contact).sorted().map { " \($0)" }.joined() ?? ""
        calls.append(call + ids)
        guard let index = reactions.firstIndex(where: { $0.call == call }) else { return }
        make(reactions.remove(at: index).change)
    }

    /// The observer receives the beginning of each touch first, and its end once.
    private func check(_ delivery: TouchDelivery) {
        let (id, phase) = (delivery.touch.id, delivery.phase)
        let before = reported.updateValue(phase, forKey: id)
        let isFirst = before == nil
        if isFirst != (phase == .began) && phase != .cancelled || before == .ended || before == .cancelled {
            mistakes.append("touch \(id) was reported \(phase) after \(before.map { "\($0)" } ?? "nothing")")
        }
    }

    /// Nothing is left over once all touches are cancelled.
    private func finish() {
        // A hasty recognizer that waits for others may begin after its touches are gone; then nothing ends it.
        if scenario.recognizers.contains(where: { $0.kind == .hasty }) { return }
        application.cancelAllTouches()
        let unfinished = reported.filter { $0.value != .ended && $0.value != .cancelled }.keys.sorted()
        mistakes += unfinished.map { "the end of touch \($0) was not reported" }
        let left = recognizers.filter { $0.environment != nil && $0.state != .possible }
        mistakes += left.map { "\($0.name ?? "") is left \($0.state)" }
        mistakes += application.touches.active.map { "touch \($0.id) is active" }
    }
}
