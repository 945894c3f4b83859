import Foundation
import Testing

@testable import TouchKit

@Suite("TouchKit and the reference")
struct ReferenceTests {
    /// 15,000 steps from seed 1 by default; `make test-reference` sets others.
    static let steps = number("TOUCHKIT_REFERENCE_STEPS") ?? 15_000
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

    /// 3,000 by default, spread evenly over all; `make test-exhaustive` sets another number.
    @Test("small scenes cause the same calls in TouchKit and in the reference")
    func exhaustiveScenarios() {
        let wanted = Self.number("TOUCHKIT_REFERENCE_SCENES") ?? 3000
        let all = ExhaustiveScenarios.count
        var found = 0
        for number in 0..<min(wanted, all) {
            // A prime far from the sizes of the parts, so that the numbers visit every combination of them.
            let (_, product) = UInt64(number).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            let scenario = ExhaustiveScenarios.scenario(Int(product % UInt64(all)))
            guard let difference = ScenarioDifference(scenario) else { continue }
            Issue.record("\(difference.shrunk().description)")
            found += 1
            if found == 5 { return }
        }
        print("compared \(min(wanted, all)) of \(all) small scenes")
    }
}
