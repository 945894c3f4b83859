import Foundation
import Testing

@testable import TouchKit

@Suite("Random trees, touches and handlers")
struct PropertyTests {
    /// 20,000 steps by default; `TOUCHKIT_PROPERTY_STEPS` sets another number.
    static var steps: Int {
        ProcessInfo.processInfo.environment["TOUCHKIT_PROPERTY_STEPS"].flatMap(Int.init) ?? 20_000
    }

    @Test("recognizers that delay and take touches act only in legal order")
    func invariantsWithRecognizers() {
        let stepsPerSeed = 2000
        var actions = 0
        for seed in 1...UInt64(max(1, Self.steps / stepsPerSeed)) {
            let chaos = Chaos(seed: seed, recognizers: 30)
            for _ in 0..<stepsPerSeed where chaos.violations.isEmpty { chaos.step() }
            chaos.finish()
            #expect(chaos.violations == [], "seed \(seed)")
            actions += chaos.actionCount
        }

        // The run must have checked something.
        #expect(actions > Self.steps / 100)
    }

    @Test(
        "every touch that began ends or is cancelled once, on one view"
    )
    func invariants() {
        let stepsPerSeed = 2000
        var counts = (began: 0, ended: 0, cancelled: 0)
        for seed in 1...UInt64(max(1, Self.steps / stepsPerSeed)) {
            let chaos = Chaos(seed: seed)
            for _ in 0..<stepsPerSeed where chaos.violations.isEmpty { chaos.step() }
            chaos.finish()
            #expect(chaos.violations == [], "seed \(seed)")
            counts.began += chaos.beganCount
            counts.ended += chaos.endedCount
            counts.cancelled += chaos.cancelledCount
        }

        #expect(counts.began == counts.ended + counts.cancelled)
        // The run must have checked something.
        #expect(counts.ended > Self.steps / 100 && counts.cancelled > Self.steps / 100, "\(counts)")
    }
}
