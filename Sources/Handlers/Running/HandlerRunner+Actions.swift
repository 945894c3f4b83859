import Layout
import Logging

/// The actions, each with the facts it uses.
extension HandlerRunner {
    func perform(
        _ action: HandlerAction, of step: HandlerStep, _ facts: OccasionFacts
    ) throws(HandlerFailure) {
        if isRehearsal, action.isSeenOutside { return }
        switch action {
        case .log(let text): log(text, facts)
        case .exec(let spec): try actions.programs.start(spec, at: step.location, facts)
        case .publish(let spec): try actions.publish(spec, facts, delegate)
        case .http(let spec): try actions.network.send(actions.request(spec, facts), of: facts.origin)
        case .command(.ignore(let seconds)): touchBreak.begin(for: seconds)
        case .command(.reload): delegate?.reloadLayout()
        case .command(let command): try change { try command.apply(to: $0) }
        case .emit(let keys): try actions.emit(keys)
        }
    }

    /// The steps of a handler's first case whose conditions are true, or those of its `else`.
    func steps(of spec: HandlerSpec) throws(HandlerFailure) -> [HandlerStep] {
        for entry in spec.cases where try conditionsHold(entry.conditions) { return entry.steps }
        return spec.otherwise
    }

    /// Whether all conditions are true.
    private func conditionsHold(_ conditions: [ConditionSpec]) throws(HandlerFailure) -> Bool {
        guard !conditions.isEmpty else { return true }
        guard let scene else { throw .noLayout }
        do {
            return try conditions.allSatisfy { try holds($0, in: scene) }
        } catch {
            throw .layout("\(error)")
        }
    }

    private func holds(_ condition: ConditionSpec, in scene: Scene) throws -> Bool {
        switch condition {
        case .page(let name): scene.currentPages.contains(name)
        case .shown(let id): try scene.isShown(id)
        case .hidden(let id): try !scene.isShown(id)
        case .enabled(let id): try scene.isEnabled(id)
        case .disabled(let id): try !scene.isEnabled(id)
        case .switchedOn(let id): try scene.isOn(id)
        case .switchedOff(let id): try !scene.isOn(id)
        }
    }

    /// Logs the layout's text, or a sentence about the occasion if there is no text, with the facts as metadata.
    func log(_ text: Template?, _ facts: OccasionFacts) {
        // Both are computed only if the logger accepts this level.
        logger.notice("\(text.map(facts.line) ?? facts.sentence)", metadata: facts.metadata)
    }

    private func change(_ body: (Scene) throws -> Void) throws(HandlerFailure) {
        guard let scene else { throw .noLayout }
        do {
            try body(scene)
        } catch {
            throw .layout("\(error)")
        }
    }
}

extension HandlerAction {
    /// Whether the action has effects outside touchd.
    fileprivate var isSeenOutside: Bool {
        switch self {
        case .exec, .publish, .http, .emit, .command(.reload), .log: true
        case .command: false
        }
    }
}
