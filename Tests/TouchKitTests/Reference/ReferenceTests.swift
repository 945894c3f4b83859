import Foundation
import Testing

@testable import TouchKit

@Suite("TouchKit and the reference")
struct ReferenceTests {
    /// 30,000 steps from seed 1 by default; `make test-reference` sets others.
    static let steps = number("TOUCHKIT_REFERENCE_STEPS") ?? 30_000
    static let seed = number("TOUCHKIT_REFERENCE_SEED") ?? 1

    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap(Int.init) }

    @Test("random scenes cause the same calls in TouchKit and in the reference")
    func randomScenarios() {
        let stepsPerScenario = 25
        var found = 0
        for number in 0..<max(1, Self.steps / stepsPerScenario) {
            let scenario = ScenarioGenerator.scenario(seed: UInt64(Self.seed + number), steps: stepsPerScenario)
            guard let difference = ScenarioDifference(scenario) else { continue }
            Issue.record("seed \(Self.seed + number): \(difference.shrunk().description)")
            found += 1
            if found == 5 { return }
        }
    }
}
