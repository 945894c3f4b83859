import Evdev
import Foundation

nonisolated extension LayoutChecker {
    /// Checks that handlers do not run each other endlessly, too deeply, or too often for one touch.
    mutating func checkHandlerSteps() {
        let handlers = document.handlers
        let numbers = Dictionary(zip(handlers.map(\.name), handlers.indices)) { first, _ in first }
        var graph = ReferenceGraph(count: handlers.count)
        for (number, handler) in handlers.enumerated() {
            for step in handler.allSteps {
                if case .run(let name, _) = step.kind, let other = numbers[name] { graph.add(from: number, to: other) }
            }
        }
        let result = search(graph, "handlers run each other") { (handlers[$0].name, handlers[$0].location) }
        guard result.circles.isEmpty else { return }
        let costs = checkDepthAndSteps(in: result.order, graph, numbers)
        checkTriggers(costs, numbers)
        checkProgramArguments(in: result.order, numbers)
    }

    /// Reports arguments of handlers that stand in a program's arguments although they may be texts from outside: what a
    /// published view passes, and what contains a device's name.
    ///
    /// - Parameter order: The handlers, each before those that run it.
    private mutating func checkProgramArguments(in order: [Int], _ numbers: [String: Int]) {
        guard !references.programArguments.isEmpty else { return }
        let (handlers, slotHandlers) = (document.handlers, references.slotHandlers)
        var outside = handlers.map { _ in Set<String>() }
        var looked = 0
        func isOutside(_ name: String, in number: Int) -> Bool {
            slotHandlers.contains(handlers[number].name) || outside[number].contains(name)
        }
        func follow(_ steps: [HandlerStep], of caller: Int?) {
            looked += steps.count
            for step in steps {
                guard case .run(let name, let arguments) = step.kind, let number = numbers[name] else { continue }
                for (argument, template) in arguments {
                    let hasText = template.factNames.contains { name in
                        Fact(rawValue: name).map { $0.kind == .text } ?? caller.map { isOutside(name, in: $0) } ?? false
                    }
                    if hasText { outside[number].insert(argument) }
                }
            }
        }
        document.forEachTrigger { follow($0, of: nil) }
        for number in order.reversed() { follow(handlers[number].allSteps, of: number) }
        cost.checking += looked
        for (name, handler, location) in references.programArguments {
            guard let number = numbers[handler], isOutside(name, in: number) else { continue }
            error(at: location, Fact.refusal(ofArgument: name))
        }
    }

    /// - Returns: The cost of each handler; 0 for a handler that was reported, so that its callers are not reported
    ///   too.
    private mutating func checkDepthAndSteps(
        in order: [Int], _ graph: ReferenceGraph, _ numbers: [String: Int]
    ) -> [Int] {
        var costs = Array(repeating: 0, count: document.handlers.count)
        // The next handler on the longest path from each handler, and the length of that path.
        var next = Array(repeating: -1, count: costs.count), depths = Array(repeating: 1, count: costs.count)
        for number in order {
            let handler = document.handlers[number]
            for target in graph.targets(of: number).map(Int.init) where depths[target] >= depths[number] {
                (depths[number], next[number]) = (depths[target] + 1, target)
            }
            if depths[number] > LayoutLimit.handlerDepth {
                var way = [number]
                while next[way[way.count - 1]] >= 0 { way.append(next[way[way.count - 1]]) }
                error(
                    at: handler.location,
                    "handlers run each other more than \(LayoutLimit.handlerDepth) deep: "
                        + "\(way.map { document.handlers[$0].name }.way); run some of them from one handler")
                depths[number] = 1
                next[number] = -1
            }
            let lists = handler.cases.map(\.steps) + [handler.otherwise]
            let taken = lists.map { total($0, costs, numbers) }.max() ?? 0
            costs[number] = handler.cases.reduce(0) { $0 + $1.conditions.count } + taken
            guard costs[number] > LayoutLimit.stepsPerEvent else { continue }
            error(
                at: handler.location,
                "handler '\(handler.name)' takes more than \(LayoutLimit.stepsPerEvent) steps (got \(costs[number]), with "
                    + "those of the handlers it runs); run fewer")
            costs[number] = 0
        }
        return costs
    }

    private mutating func checkTriggers(_ costs: [Int], _ numbers: [String: Int]) {
        var found: [(place: SourceLocation, steps: Int)] = []
        var looked = 0
        document.forEachTrigger { steps in
            looked += steps.count
            let count = total(steps, costs, numbers)
            if count > LayoutLimit.stepsPerEvent, let first = steps.first, found.count <= LayoutLimit.findings {
                found.append((first.location, count))
            }
        }
        cost.checking += looked
        for (place, steps) in found {
            error(
                at: place,
                "this runs more than \(LayoutLimit.stepsPerEvent) steps (got \(steps)); run fewer handlers")
        }
    }

    private func total(_ steps: [HandlerStep], _ costs: [Int], _ numbers: [String: Int]) -> Int {
        // A handler within the limit has a cost so small that no sum overflows.
        steps.reduce(0) { sum, step in
            sum + step.cost + (step.handler.flatMap { numbers[$0] }.map { costs[$0] } ?? 0)
        }
    }

    // MARK: Actions

    /// Checks actions: the kernel knows their keys, and only trusted users can change their programs.
    mutating func checkActions() {
        var known: [ProgramTrust: [ProgramTrust.Problem]] = [:]
        for (action, location) in document.actions {
            cost.checking += 1
            switch action {
            case .emit(let keys):
                for key in keys where KeyName.code(of: key) == nil {
                    error(
                        at: location,
                        "'emit': unknown key '\(key.prefix(80))'; input-event-codes.h lists all keys")
                }
            case .exec(let spec):
                // A layout names few commands, most of them many times.
                let trust = ProgramTrust(spec)
                let problems = known[trust] ?? trust.problems
                known[trust] = problems
                // `touchd check` reports the unusable ones.
                for problem in problems where problem.kind != .unusable {
                    guard let severity = problem.kind == .refused ? .error : foreignFiles else { continue }
                    findings.add(severity, at: location, "'exec': \(problem)")
                }
            case .command(.turned(.accommodate, _)) where document.accommodations == nil:
                error(at: location, "\(SceneError.noAccommodations)")
            default: break
            }
        }
    }
}

nonisolated extension HandlerStep {
    /// The name of the handler that the step runs; nil for an action.
    fileprivate var handler: String? {
        if case .run(let name, _) = kind { name } else { nil }
    }

    /// The cost of the step without the handler that it runs; see `LayoutLimit.stepsPerEvent`.
    package var cost: Int {
        switch kind {
        case .run(_, let arguments): 1 + arguments.values.reduce(0) { $0 + $1.cost }
        case .action(.log(let text)): 1 + text.cost
        case .action(.exec(let spec)):
            1 + spec.arguments.reduce(0) { $0 + $1.cost } + (spec.input?.cost ?? 0)
        case .action(.publish(let spec)): 1 + spec.topic.cost + (spec.message?.cost ?? 0)
        case .action(.http(let spec)):
            1 + spec.url.cost + (spec.body?.cost ?? 0) + spec.headers.values.reduce(0) { $0 + $1.cost }
        case .action(.emit(let keys)): keys.count
        case .action: 1
        }
    }
}

nonisolated extension Template {
    /// The cost of filling in the template.
    fileprivate var cost: Int {
        segments.reduce(0) { sum, segment in
            switch segment {
            case .text(let text): sum + text.utf8.count / LayoutLimit.textBytesOfStep
            case .fact: sum + 1
            }
        }
    }
}
