import Foundation

/// A scenario in which the calls of TouchKit and the reference differ.
struct ScenarioDifference: CustomStringConvertible {
    let scenario: Scenario
    /// The first step whose calls differ.
    let step: Int
    let touchKit: [String]
    let reference: [String]

    /// Nil if they agree.
    init?(_ scenario: Scenario) {
        let (touchKit, reference) = (ScenarioPlayer.calls(of: scenario), Reference.calls(of: scenario))
        guard let step = scenario.steps.indices.first(where: { touchKit[$0] != reference[$0] }) else { return nil }
        self.scenario = scenario
        self.step = step
        self.touchKit = touchKit[step]
        self.reference = reference[step]
    }

    /// A smaller scenario that still shows a difference.
    func shrunk() -> Self {
        var best = self
        while let next = best.scenario.smaller(upTo: best.step).lazy.compactMap(ScenarioDifference.init).first {
            best = next
        }
        return best
    }

    var description: String {
        """
        TouchKit and the reference differ in step \(step) of
        \((scenario.views as [Any] + scenario.recognizers + scenario.reactions + scenario.steps).map { "\($0)" }
            .joined(separator: "\n"))
        TouchKit:  \(touchKit.joined(separator: ", "))
        reference: \(reference.joined(separator: ", "))
        """
    }
}

nonisolated extension Scenario {
    /// The scenarios without one part of this one; views and recognizers keep their numbers.
    fileprivate func smaller(upTo step: Int) -> [Scenario] {
        var all: [Scenario] = []
        func add(_ change: (inout Scenario) -> Void) {
            var scenario = self
            change(&scenario)
            if scenario != self { all.append(scenario) }
        }
        add { $0.steps = Array(steps.prefix(step + 1)) }
        for index in steps.indices { add { $0.steps.remove(at: index) } }
        for index in reactions.indices { add { $0.reactions.remove(at: index) } }
        for simplification in simplifications { add(simplification) }
        return all
    }
}
