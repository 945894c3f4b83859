import EventLoop
import Evdev
import Layout
import Logging
import TouchKit

/// Performs the steps of a layout: finds handlers by name, checks their conditions, and performs their actions in
/// order.
///
/// Everything happens synchronously on the main actor; actions that could block (a program, a network peer) are only
/// started. A step that fails is logged under its handler's name, and the next step follows.
package final class HandlerRunner {
    /// The maximum depth of handlers that run each other. The check of a layout has the same limit, but does not know
    /// what a page's handlers and a program's handlers run.
    package nonisolated static let depthLimit = LayoutLimit.handlerDepth

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
    let actions: HandlerActions
    let logger: Logger
    private let application: Application
    private let deviceName: (DeviceID) -> String
    private var defined: [String: HandlerSpec] = [:]
    /// When each handler with a `cooldown` ran last.
    private var lastRuns: [String: Double] = [:]
    /// The names of the running handlers, the innermost last.
    private var stack: [String] = []
    /// The number of steps performed for the current occasion.
    private var stepCount = 0
    /// The first failure in the innermost running handler.
    private var failure: HandlerFailure?

    /// Creates a runner.
    ///
    /// - Parameters:
    ///   - registry: The program's handlers.
    ///   - application: The application whose touches `ignore` drops and whose clock timers use.
    ///   - loop: Watches programs and network peers.
    ///   - logger: Receives the entries of `log` and the failures.
    ///   - network: Where the process runs that sends messages and requests.
    ///   - deviceName: Returns the display name of a device.
    package init(
        registry: HandlerRegistry, application: Application, loop: EpollRunLoop, logger: Logger,
        network: NetworkPlace = .current, deviceName: @escaping (DeviceID) -> String
    ) {
        self.registry = registry
        self.logger = logger
        self.application = application
        self.deviceName = deviceName
        let late = LateFailures()
        actions = HandlerActions(loop: loop, failures: late, network: network)
        touchBreak = TouchBreak(application: application, logger: logger)
        late.didFail = { [weak self] name, failure in self?.failedLater(name, failure) }
    }

    /// Replaces the handlers of the previous layout with those of a layout's `handlers:`.
    package func define(_ specs: [HandlerSpec]) {
        defined = Dictionary(specs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Performs a step for an occasion.
    package func perform(_ step: HandlerStep, for occasion: Occasion) {
        if case .action(let action) = step.kind {
            let facts = facts(occasion, step.name, [:], at: step.location)
            enter(step.name, facts) { () throws(HandlerFailure) in try perform(action, of: step, facts) }
        } else {
            performStep(step, for: occasion, of: step.name, arguments: [:])
        }
    }

    /// Runs a handler by its name, outside a layout's step.
    package func run(_ name: String, for occasion: Occasion) {
        enter(name) { () throws(HandlerFailure) in try runHandler(named: name, for: occasion, arguments: [:]) }
    }

    /// Performs a step of a handler; a failure is logged, and the handler continues.
    private func performStep(
        _ step: HandlerStep, for occasion: Occasion, of handler: String, arguments: [String: String]
    ) {
        switch step.kind {
        case .run(let name, let templates):
            let facts = facts(occasion, handler, arguments)
            enter(name) { () throws(HandlerFailure) in
                let given = templates.isEmpty ? [:] : templates.mapValues { facts.fill($0) }
                // Each handler could double the length of its arguments.
                if let (name, text) = given.first(where: { $0.value.utf8.count > LayoutLimit.argumentSize }) {
                    throw .argumentTooLong(name, bytes: text.utf8.count)
                }
                try runHandler(named: name, for: occasion, arguments: given)
            }
        case .action(let action):
            do {
                try perform(action, of: step, facts(occasion, handler, arguments))
            } catch {
                failure = failure ?? error
                log(HandlerOrigin(handler), error)
            }
        }
    }

    private func runHandler(
        named name: String, for occasion: Occasion, arguments: [String: String]
    ) throws(HandlerFailure) {
        if let handler = registry.handler(named: name) { return handler(occasion) }
        if let spec = defined[name] {
            if spec.cooldown > 0 {
                let now = application.currentTime
                if let last = lastRuns[name], now - last < spec.cooldown {
                    delegate?.handlerWasDropped(name)
                    return
                }
                lastRuns[name] = now
            }
            for step in try steps(of: spec) {
                // The check of a layout has the same limit, but does not count the handlers of pages that handlers
                // show.
                guard stepCount < LayoutLimit.occasionSteps else { throw .tooManySteps }
                stepCount += 1
                performStep(step, for: occasion, of: name, arguments: arguments)
            }
        } else if name == "log" {
            log(nil, facts(occasion, name, arguments))
        } else {
            throw .unknown(name)
        }
    }

    private func facts(
        _ occasion: Occasion, _ handler: String, _ arguments: [String: String], at location: SourceLocation? = nil
    ) -> OccasionFacts {
        OccasionFacts(
            occasion, handler: handler, arguments: arguments, at: location, scene: scene, deviceName: deviceName,
            now: { [application] in application.currentTime })
    }

    /// Runs a closure under a handler's name: measured, watched, and its failure logged; `action` are the facts of an
    /// action in an `on:`.
    private func enter(_ name: String, _ action: OccasionFacts? = nil, _ body: () throws(HandlerFailure) -> Void) {
        guard stack.count < Self.depthLimit else {
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
        var metadata = delegate?.metadata(for: failure) ?? [:]
        metadata["TOUCHD_HANDLER"] = "\(handler.name)"
        if let view = handler.view { metadata["TOUCHD_VIEW"] = "\(view)" }
        logger.error("\(handler.prefix): \(failure)", metadata: metadata)
    }
}
