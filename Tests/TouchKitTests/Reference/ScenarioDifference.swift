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
        var found = true
        while found {
            found = false
            for smaller in best.scenario.smaller(upTo: best.step) {
                if let difference = ScenarioDifference(smaller) {
                    best = difference
                    found = true
                    break
                }
            }
        }
        return best
    }

    var description: String {
        """
        TouchKit and the reference differ in step \(step) of

        \(scenario.swift)

        TouchKit:  \(touchKit.joined(separator: ", "))
        reference: \(reference.joined(separator: ", "))
        """
    }
}

nonisolated extension Scenario {
    /// The scenarios with one part removed, the smallest first.
    fileprivate func smaller(upTo step: Int) -> [Scenario] {
        var all: [Scenario] = []
        func add(_ change: (inout Scenario) -> Void) {
            var scenario = self
            change(&scenario)
            if scenario != self { all.append(scenario) }
        }
        add { $0.steps = Array(steps.prefix(step + 1)) }
        for index in recognizers.indices.reversed() where steps.allSatisfy({ !$0.names(recognizer: index) }) {
            add { $0.leaveOut(recognizer: index) }
        }
        for index in views.indices.reversed() { add { $0.leaveOut(view: index) } }
        for index in reactions.indices { add { $0.reactions.remove(at: index) } }
        for index in steps.indices { add { $0.steps.remove(at: index) } }
        for (index, step) in steps.enumerated() {
            guard case .frame(let after, let fingers) = step else { continue }
            for finger in fingers.indices where fingers.count > 1 {
                var fewer = fingers
                fewer.remove(at: finger)
                add { $0.steps[index] = .frame(after: after, fewer) }
            }
            if after != 10 { add { $0.steps[index] = .frame(after: 10, fingers) } }
        }
        // Fingers that never came down can be removed.
        for id in Set(steps.flatMap(\.fingers).map(\.id)) {
            add { scenario in
                scenario.steps = scenario.steps.map { step in
                    guard case .frame(let after, let fingers) = step else { return step }
                    return .frame(after: after, fingers.filter { $0.id != id })
                }
            }
        }
        for (index, plan) in views.enumerated() {
            for flag in plan.flags { add { $0.views[index].flags.remove(flag) } }
            if plan.kind != .plain { add { $0.views[index].kind = .plain } }
            if plan.frame != CGRect(x: 0, y: 0, width: 1024, height: 1024) {
                add { $0.views[index].frame = CGRect(x: 0, y: 0, width: 1024, height: 1024) }
            }
        }
        for (index, plan) in recognizers.enumerated() {
            for flag in plan.flags { add { $0.recognizers[index].flags.remove(flag) } }
            add { $0.recognizers[index].requires = [] }
            add { $0.recognizers[index].waitsFor = [] }
            add { $0.recognizers[index].holdsUp = [] }
            add { $0.recognizers[index].alongside = [] }
            if plan.view != 0 { add { $0.recognizers[index].view = 0 } }
        }
        return all
    }

    private mutating func leaveOut(recognizer index: Int) {
        recognizers.remove(at: index)
        func renumber(_ indices: [Int]) -> [Int] { indices.filter { $0 != index }.map { $0 > index ? $0 - 1 : $0 } }
        for other in recognizers.indices {
            recognizers[other].requires = renumber(recognizers[other].requires)
            recognizers[other].waitsFor = renumber(recognizers[other].waitsFor)
            recognizers[other].holdsUp = renumber(recognizers[other].holdsUp)
            recognizers[other].alongside = renumber(recognizers[other].alongside)
        }
        reactions = reactions.filter { !$0.change.names(recognizer: index) && !$0.call.hasPrefix("r\(index) ") }
        for other in reactions.indices { reactions[other].renumber(recognizersAbove: index) }
        steps = steps.map { $0.renumbered(recognizersAbove: index) }
    }

    /// Removes a view only if nothing refers to it; usually the last one.
    private mutating func leaveOut(view index: Int) {
        guard index == views.count - 1, index > 0, !views.contains(where: { $0.parent == index }),
            !recognizers.contains(where: { $0.view == index }),
            !reactions.contains(where: { $0.change.names(view: index) || $0.call.hasPrefix("v\(index) ") }),
            !steps.contains(where: { $0.names(view: index) })
        else { return }
        views.remove(at: index)
    }
}

nonisolated extension Reaction {
    fileprivate mutating func renumber(recognizersAbove index: Int) {
        for other in (index + 1)..<10 where call.hasPrefix("r\(other) ") {
            call = "r\(other - 1) " + call.dropFirst("r\(other) ".count)
            break
        }
        change = change.renumbered(recognizersAbove: index)
    }
}

nonisolated extension Step {
    fileprivate var fingers: [Finger] { if case .frame(_, let fingers) = self { fingers } else { [] } }
    fileprivate func names(recognizer index: Int) -> Bool {
        if case .change(let change) = self { change.names(recognizer: index) } else { false }
    }
    fileprivate func names(view index: Int) -> Bool {
        if case .change(let change) = self { change.names(view: index) } else { false }
    }
    fileprivate func renumbered(recognizersAbove index: Int) -> Step {
        if case .change(let change) = self { .change(change.renumbered(recognizersAbove: index)) } else { self }
    }
}

nonisolated extension Change {
    fileprivate func names(recognizer index: Int) -> Bool {
        switch self {
        case .turn(index, _), .detach(index), .attach(index, _): true
        default: false
        }
    }

    fileprivate func names(view index: Int) -> Bool {
        switch self {
        case .remove(index), .add(index, _), .add(_, index), .hide(index, _), .interaction(index, _), .enable(index, _),
            .toFront(index), .attach(_, index):
            true
        default: false
        }
    }

    fileprivate func renumbered(recognizersAbove index: Int) -> Change {
        switch self {
        case .turn(let other, let isOn) where other > index: .turn(recognizer: other - 1, on: isOn)
        case .detach(let other) where other > index: .detach(recognizer: other - 1)
        case .attach(let other, let view) where other > index: .attach(recognizer: other - 1, to: view)
        default: self
        }
    }
}
