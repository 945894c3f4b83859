import Foundation
import TouchKitTesting

@testable import TouchKit

/// Plays a scenario on TouchKit, and logs all calls.
final class ScenarioPlayer: Player {
    private let scenario: Scenario
    private var reactions: [Reaction]
    private var calls: [String] = []
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
        super.init(devices: [.touchscreen])
        application.onDelivery { [unowned self] in check($0) }
        makeScene(scenario.views, scenario.recognizers)
    }

    private func play(_ step: Step) -> [String] {
        calls = []
        switch step {
        case .frame(let milliseconds, let fingers):
            stage.frameInterval = Double(milliseconds) / 1000
            send(fingers)
        case .wait(let milliseconds): stage.advanceTime(by: Double(milliseconds) / 1000)
        case .change(let change): make(change)
        }
        return calls
    }

    /// Logs a call, and makes the scenario's change in its handler.
    override func log(_ call: String, _ touches: Set<Touch>?) {
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
