import Foundation

/// Scenarios as Swift code, to be pasted into a test.
nonisolated extension Scenario {
    var swift: String {
        """
        let scenario = Scenario(
            views: [
                \(views.map(\.swift).joined(separator: ",\n        "))
            ],
            recognizers: [
                \(recognizers.map(\.swift).joined(separator: ",\n        "))
            ],
            reactions: [
                \(reactions.map { "Reaction(call: \"\($0.call)\", change: \($0.change.swift))" }.joined(separator: ",\n        "))
            ],
            steps: [
                \(steps.map(\.swift).joined(separator: ",\n        "))
            ])
        #expect(ScenarioDifference(scenario) == nil)
        """
    }
}

nonisolated extension ViewPlan {
    fileprivate var swift: String {
        let parent = parent.map { "\($0)" } ?? "nil"
        let frame = "CGRect(x: \(frame.minX), y: \(frame.minY), width: \(frame.width), height: \(frame.height))"
        return "ViewPlan(parent: \(parent), frame: \(frame), kind: .\(kind), flags: \(flags.swift))"
    }
}

nonisolated extension RecognizerPlan {
    fileprivate var swift: String {
        "RecognizerPlan(kind: .\(kind), view: \(view), flags: \(flags.swift), requires: \(requires), waitsFor: \(waitsFor), "
            + "holdsUp: \(holdsUp), alongside: \(alongside))"
    }
}

nonisolated extension Set {
    fileprivate var swift: String { "[" + map { ".\($0)" }.sorted().joined(separator: ", ") + "]" }
}

nonisolated extension Change {
    fileprivate var swift: String {
        switch self {
        case .remove(let view): ".remove(view: \(view))"
        case .add(let view, let parent): ".add(view: \(view), to: \(parent))"
        case .hide(let view, let isHidden): ".hide(view: \(view), \(isHidden))"
        case .interaction(let view, let isEnabled): ".interaction(view: \(view), \(isEnabled))"
        case .enable(let view, let isEnabled): ".enable(view: \(view), \(isEnabled))"
        case .toFront(let view): ".toFront(view: \(view))"
        case .turn(let recognizer, let isOn): ".turn(recognizer: \(recognizer), on: \(isOn))"
        case .detach(let recognizer): ".detach(recognizer: \(recognizer))"
        case .attach(let recognizer, let view): ".attach(recognizer: \(recognizer), to: \(view))"
        case .cancelAll: ".cancelAll"
        case .ignore(let ignores): ".ignore(\(ignores))"
        }
    }
}

nonisolated extension Step {
    fileprivate var swift: String {
        switch self {
        case .frame(let after, let fingers):
            let fingers = fingers.map { "Finger(id: \($0.id), phase: .\($0.phase), x: \($0.x), y: \($0.y))" }
            return ".frame(after: \(after), [\(fingers.map { ".init" + $0.dropFirst(6) }.joined(separator: ", "))])"
        case .wait(let milliseconds): return ".wait(\(milliseconds))"
        case .change(let change): return ".change(\(change.swift))"
        }
    }
}
