import Foundation
import TouchKitTesting

@testable import TouchKit

/// Plays a scenario on TouchKit, and logs all calls.
final class ScenarioPlayer: ReferencePlayer {
    private var reactions: [Reaction]
    private var calls: [String] = []

    /// The calls that each step causes.
    static func calls(of scenario: Scenario) -> [[String]] {
        let player = ScenarioPlayer(scenario)
        return scenario.steps.map { player.play($0) }
    }

    private init(_ scenario: Scenario) {
        reactions = scenario.reactions
        super.init(devices: [.touchscreen])
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
}
