import Foundation
import Handlers

/// Touches as lines for people.
final class TextOutput: TouchOutput {
    let wantsMoves = false
    private let standardOutput: StandardOutput

    init(_ standardOutput: StandardOutput) { self.standardOutput = standardOutput }

    func write(_ facts: TouchFacts, handlers: [String]) {
        let time = String(format: "%10.3f s", facts.time)
        let place = facts.location.map { String(format: " at (%.1f, %.1f)", $0.x, $0.y) } ?? ""
        let phase = facts.phase.word.padding(toLength: 9, withPad: " ", startingAt: 0)
        let ran = handlers.isEmpty ? "" : "  → \(handlers.joined(separator: ", "))"
        standardOutput.append(
            line:
                "\(time)  touch \(facts.touch) \(phase) on \(facts.view ?? "no view")\(place), \(facts.device)\(ran)"
        )
    }
}
