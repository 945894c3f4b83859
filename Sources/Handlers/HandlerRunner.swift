import ControlProtocol
import Evdev
import EventLoop
import Layout
import Logging
import TouchKit

/// Performs the steps of a layout: finds handlers by name, checks their conditions, and performs their actions in
/// order.
///
/// Everything happens synchronously on the main actor; actions that could block (a program, a network peer) are only
/// started. A step that fails is logged under its handler's name, and the next step follows.
package final class HandlerRunner {
    /// The handlers of the program, which take precedence over a layout's.
    package let registry: HandlerRegistry
    /// The currently running handler, for a watchdog on another thread.
    package nonisolated let running = RunningHandler()
    /// The current layout; nil if the program has none.
    package weak var scene: Scene?
    /// Does what concerns the whole program. Without it the clock is not read.
    package weak var delegate: (any HandlerRunnerDelegate)?
    /// Whether to perform only actions that change the layout or decide which touches are accepted; programs, messages,
    /// requests and keys are skipped.
    package var isRehearsal = false

    /// The period during which touches are dropped; `ignore` and others start it.
    package let touchBreak: TouchBreak
    /// The connection to the process that sends messages and requests.
    package let network: NetworkClient
    package let programs: CommandRunner
    /// The virtual keyboard, or why it could not be created; nil if the layout presses no keys.
    private var keyboard: Result<VirtualKeyboard, HandlerFailure>?
    private let logger: Logger
    private let application: Application
    private let deviceName: (DeviceID) -> String
    private var defined: [String: HandlerSpec] = [:]
    /// When each handler with a `cooldown` ran last, and whether that was its `else`.
    private var lastRuns: [String: (time: Double, isOtherwise: Bool)] = [:]
    /// The names of the running handlers, the innermost last.
    private var stack: [String] = []
    /// The number of steps performed for the current context.
    private var stepCount = 0
    /// The first failure in the innermost running handler.
    private var failure: HandlerFailure?

    /// Creates a runner. `logger` receives the entries of `log` and the failures.
    package init(
        registry: HandlerRegistry, application: Application, loop: EpollRunLoop, logger: Logger,
        network: NetworkEndpoint = .current, deviceName: @escaping (DeviceID) -> String
    ) {
        self.registry = registry
        self.logger = logger
        self.application = application
        self.deviceName = deviceName
        programs = CommandRunner(loop: loop)
        self.network = NetworkClient(loop: loop, endpoint: network)
        touchBreak = TouchBreak(application: application, logger: logger)
        programs.didFail = { [weak self] in self?.failedLater($0, $1) }
        self.network.didFail = { [weak self] in self?.failedLater($0, $1) }
    }

    /// Replaces the handlers of the previous layout with those of a layout's `handlers:`.
    package func define(_ specs: [HandlerSpec]) {
        defined = Dictionary(specs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        lastRuns = lastRuns.filter { defined[$0.key] != nil }
    }

    package func perform(_ step: HandlerStep, for context: HandlerContext) {
        if case .action(let action) = step.kind {
            let facts = facts(context, step.name, [:], at: step.location)
            enter(step.name, facts) { () throws(HandlerFailure) in try perform(action, of: step, facts) }
        } else {
            performStep(step, for: context, of: step.name, arguments: [:])
        }
    }

    /// Performs a step of a handler; a failure is logged, and the handler continues.
    private func performStep(
        _ step: HandlerStep, for context: HandlerContext, of handler: String, arguments: [String: String]
    ) {
        switch step.kind {
        case .run(let name, let templates):
            let facts = facts(context, handler, arguments)
            enter(name) { () throws(HandlerFailure) in
                let given = templates.isEmpty ? [:] : templates.mapValues { facts.fill($0) }
                // Each handler could double the length of its arguments.
                if let (name, text) = given.first(where: { $0.value.utf8.count > LayoutLimit.argumentSize }) {
                    throw .argumentTooLong(name, bytes: text.utf8.count)
                }
                try runHandler(named: name, for: context, arguments: given)
            }
        case .action(let action):
            do {
                try perform(action, of: step, facts(context, handler, arguments))
            } catch {
                failure = failure ?? error
                log(HandlerOrigin(handler), error)
            }
        }
    }

    private func runHandler(
        named name: String, for context: HandlerContext, arguments: [String: String]
    ) throws(HandlerFailure) {
        if let handler = registry.handler(named: name) { return handler(context) }
        if let spec = defined[name] {
            let selected = try selectedCase(of: spec), steps = selected?.steps ?? spec.otherwise
            if spec.cooldown > 0, !steps.isEmpty {
                let now = application.currentTime
                // A run of `else`, such as a hint, does not drop the first press whose conditions are true.
                if let last = lastRuns[name], now - last.time < spec.cooldown, !last.isOtherwise || selected == nil {
                    delegate?.handlerWasDropped(name)
                    return
                }
                lastRuns[name] = (now, isOtherwise: selected == nil)
            }
            for step in steps {
                // The check of a layout has the same limit, but does not count the handlers of pages that handlers
                // show.
                guard stepCount < LayoutLimit.stepsPerEvent else { throw .tooManySteps }
                stepCount += 1
                performStep(step, for: context, of: name, arguments: arguments)
            }
        } else if name == "log" {
            log(nil, facts(context, name, arguments))
        } else {
            throw .unknown(name)
        }
    }

    private func facts(
        _ context: HandlerContext, _ handler: String, _ arguments: [String: String], at location: SourceLocation? = nil
    ) -> HandlerFacts {
        HandlerFacts(
            context, handler: handler, arguments: arguments, at: location, scene: scene, deviceName: deviceName,
            now: { [application] in application.currentTime })
    }

    /// Runs a closure under a handler's name: measured, watched, and its failure logged; `action` are the facts of an
    /// action in an `on:`.
    private func enter(_ name: String, _ action: HandlerFacts? = nil, _ body: () throws(HandlerFailure) -> Void) {
        // The check of a layout does not know what a page's handlers and a program's handlers run.
        guard stack.count < LayoutLimit.handlerDepth else {
            return log(action?.origin ?? HandlerOrigin(name), .circle(stack.suffix(3) + [name]))
        }
        if stack.isEmpty { stepCount = 0 }
        stack.append(name)
        let outer = (name: running.replace(with: name), failure: failure)
        failure = nil
        let start = delegate == nil ? nil : Deadline.now
        do {
            try body()
        } catch {
            failure = error
            log(action?.origin ?? HandlerOrigin(name), error)
        }
        if let start { delegate?.handlerDidRun(name, for: Deadline.now - start, failure: failure) }
        failure = outer.failure
        stack.removeLast()
        running.replace(with: outer.name)
    }

    private func failedLater(_ handler: HandlerOrigin, _ failure: HandlerFailure) {
        log(handler, failure)
        delegate?.handlerDidFailLater(handler.name, failure)
    }

    private func log(_ handler: HandlerOrigin, _ failure: HandlerFailure) {
        var metadata = MessageID(failure).metadata
        metadata["TOUCHD_HANDLER"] = "\(handler.name)"
        if let view = handler.view { metadata["TOUCHD_VIEW"] = "\(view)" }
        logger.error("\(handler.prefix): \(failure)", metadata: metadata)
    }
}

/// The actions, each with the facts it uses.
extension HandlerRunner {
    func perform(
        _ action: HandlerAction, of step: HandlerStep, _ facts: HandlerFacts
    ) throws(HandlerFailure) {
        if isRehearsal, action.isSeenOutside { return }
        switch action {
        case .log(let text): log(text, facts)
        case .exec(let spec): try programs.start(spec, of: place(of: step, spec, facts), facts)
        case .publish(let spec): try publish(spec, facts)
        case .http(let spec): try network.send(facts.request(spec), of: facts.origin)
        case .command(.ignore(let seconds)): touchBreak.begin(for: seconds)
        case .command(.reload): delegate?.reloadLayout()
        // A loudspeaker must not say which key was pressed (EN 301 549, 5.1.3.8).
        case .command(.say) where facts.isPrivate: try inScene { $0.say(AccessibilityRecord.privateLabel) }
        case .command(let command): try inScene { try command.apply(to: $0) }
        case .emit(let keys):
            guard let keyboard else { throw .notEmitted(reason: "the virtual keyboard does not exist") }
            try keyboard.get().press(keys)
        }
    }

    private func place(of step: HandlerStep, _ spec: ExecSpec, _ facts: HandlerFacts) -> CommandRunner.Step {
        if facts.location == nil {
            return .init(owner: facts.handler, place: defined[facts.handler]?.allSteps.firstIndex(of: step))
        }
        let view = facts.context.responder as? View
        var place = CommandRunner.Step(
            owner: facts.handler, view: view?.accessibilityIdentifier, trigger: facts.context.trigger,
            arguments: spec.arguments)
        // Views without an `id` have only their lines in common over a reload.
        if let view, view.accessibilityIdentifier == nil { place.place = step.location.line }
        return place
    }

    private func publish(_ spec: PublishSpec, _ facts: HandlerFacts) throws(HandlerFailure) {
        switch spec.destination {
        case .controlSocket:
            guard let delegate else { throw .nowhereToPublish }
            let message = spec.message.map(facts.fill) ?? facts.json
            delegate.publish(message, to: facts.topic(spec.topic), isPrivate: facts.isPrivate)
        case .mqtt(let host, let port, let qos, let retain):
            let message = try facts.message(spec, host: host, port: port, qos: qos, retain: retain)
            try network.send(message, of: facts.origin)
        }
    }

    /// A handler's first case whose conditions are true; nil if its `else` runs.
    private func selectedCase(of spec: HandlerSpec) throws(HandlerFailure) -> HandlerCase? {
        for entry in spec.cases where try conditionsHold(entry.conditions) { return entry }
        return nil
    }

    private func conditionsHold(_ conditions: [ConditionSpec]) throws(HandlerFailure) -> Bool {
        guard !conditions.isEmpty else { return true }
        return try inScene { scene in try conditions.allSatisfy { try holds($0, in: scene) } }
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

    /// Logs the layout's text, or a sentence about the context if there is no text, with the facts as metadata.
    func log(_ text: Template?, _ facts: HandlerFacts) {
        // Both are computed only if the logger accepts this level.
        logger.notice("\(text.map(facts.line) ?? facts.sentence)", metadata: facts.metadata)
    }

    private func inScene<Result>(_ body: (Scene) throws -> Result) throws(HandlerFailure) -> Result {
        guard let scene else { throw .noLayout }
        do {
            return try body(scene)
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

/// Preparation of a layout's handlers.
extension HandlerRunner {
    /// Prepares a layout's actions, and returns the problems found.
    ///
    /// Call this before the layout replaces the current one, which continues undisturbed. Errors mean that the layout
    /// must be refused. With warnings the layout can be used, and the affected actions fail.
    ///
    /// - Parameter foreignFiles: `.error` if a program that others could change must not be started.
    package func prepare(
        for document: LayoutDocument, foreignFiles: LayoutFinding.Severity? = nil
    ) -> [LayoutFinding] {
        programs.isStrict = foreignFiles == .error
        return document.actions.compactMap { action, location in
            guard case .exec(let spec) = action, let user = spec.user else { return nil }
            return programs.problem(ofUser: user).map { LayoutFinding(.error, at: location, "'exec': \($0)") }
        }
    }

    /// Loads a prepared layout: its handlers replace those of the previous layout.
    package func load(_ document: LayoutDocument) {
        define(document.handlers)
        if !isRehearsal { network.set(document.networkSetup) }
        var keys: Set<String> = []
        for case (.emit(let names), _) in document.actions { keys.formUnion(names) }
        // Recreated only for other keys, because programs that read the keyboard see it unplugged.
        guard keys != (try? keyboard?.get())?.keys ?? [] else { return }
        keyboard = nil
        guard !keys.isEmpty else { return }
        keyboard = Result { () throws(HandlerFailure) in try VirtualKeyboard(keys: keys) }
        if case .failure(.notEmitted(let reason)) = keyboard { logger.warning("'emit' will fail: \(reason)") }
    }

    /// Called before touchd exits: ends programs with a timeout, which could not be enforced afterwards. Other programs
    /// continue, unless systemd ends them with the service.
    ///
    /// - Parameter waitsForNetwork: Whether to wait, for at most 5 s, until messages and requests have arrived; otherwise
    ///   another process sends them.
    package func close(waitsForNetwork: Bool = false) {
        touchBreak.finish()
        let unsent = network.finish(isPatient: waitsForNetwork)
        programs.close()
        if unsent > 0 { logger.warning("\(unsent) requests and messages of handlers were not sent") }
        keyboard = nil
    }
}
