import EventLoop
import Evdev
import Layout
import Logging
import TouchKit

/// Takes the steps of a layout: finds handlers by their names, asks their conditions, and performs their actions in order.
///
/// Everything happens in the call, on the main actor; what can block (a program, a network peer) is started and left. A step
/// that fails is logged under its handler's name, and the next one is taken.
public final class HandlerRunner {
    /// How deep handlers may run each other. The check of a layout has the same limit, but does not know what a page's
    /// handlers and a program's handlers run.
    public nonisolated static let depthLimit = LayoutLimit.handlerDepth

    /// The handlers of the program, which come before a layout's.
    public let registry: HandlerRegistry
    /// Which handler runs at the moment, for a watchdog on another thread.
    public nonisolated let running = RunningHandler()
    /// The layout at work; nil where a program has none.
    public weak var scene: Scene?
    /// Is called when a handler or action has run: its name, how long it took, and what failed, if anything did.
    ///
    /// No clock is read while it is nil.
    public var didRun: ((_ name: String, _ duration: Duration, _ failure: HandlerFailure?) -> Void)?
    /// Whether only the layout is changed, and which touches are taken: programs, messages, requests and keys are left out.
    public var isRehearsal = false
    /// Is called when something fails after its handler has returned: a program, a request.
    public var didFailLater: ((_ name: String, _ failure: HandlerFailure) -> Void)?

    /// What an entry about a failure has beside the handler's name, such as an identity by which it is found.
    public var failureMetadata: (HandlerFailure) -> Logger.Metadata = { _ in [:] }

    /// The time in which touches are thrown away, which `ignore` begins and others may.
    public let touchBreak: TouchBreak
    let actions: HandlerActions
    let logger: Logger
    private let surroundings: OccasionFacts.Surroundings
    private var defined: [String: HandlerSpec] = [:]
    private var slots: [String: Int] = [:]
    /// The names of the handlers that are running, the innermost last.
    private var stack: [String] = []
    /// How many steps the occasion has taken that the outermost of them runs for.
    private var stepCount = 0
    /// What failed first in the innermost of them.
    private var failure: HandlerFailure?

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - registry: The program's handlers.
    ///   - application: Whose touches `ignore` throws away, and whose clock timers follow.
    ///   - loop: Reports what programs and network peers do.
    ///   - logger: Takes what `log` writes, and what goes wrong.
    ///   - deviceName: Names a device for people.
    public init(
        registry: HandlerRegistry, application: Application, loop: EpollRunLoop, logger: Logger,
        deviceName: @escaping (DeviceID) -> String
    ) {
        self.registry = registry
        self.logger = logger
        let late = LateFailures(), places = PlaceNames()
        actions = HandlerActions(loop: loop, failures: late)
        touchBreak = TouchBreak(application: application, logger: logger)
        surroundings = OccasionFacts.Surroundings(
            deviceName: deviceName, page: { places.page(of: $0) }, screen: { places.screen(of: $0) },
            now: { application.currentTime })
        places.runner = self
        late.didFail = { [weak self] name, failure in self?.failedLater(name, failure) }
    }

    /// Defines what a layout's `handlers:` says, in place of what an earlier layout said.
    public func define(_ specs: [HandlerSpec]) {
        defined = Dictionary(specs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        slots.removeAll()
    }

    /// Takes a step for an occasion.
    public func perform(_ step: HandlerStep, for occasion: Occasion) {
        if case .action(let action) = step.kind {
            enter(step.name) { () throws(HandlerFailure) in
                try perform(action, of: step, facts(occasion, step.name, [:]))
            }
        } else {
            take(step, for: occasion, of: step.name, arguments: [:])
        }
    }

    /// Runs a handler by its name; for what is no layout's step.
    public func run(_ name: String, for occasion: Occasion) {
        enter(name) { () throws(HandlerFailure) in try runHandler(named: name, for: occasion, arguments: [:]) }
    }

    /// Takes a step of a handler; what fails is logged, and the handler goes on.
    private func take(
        _ step: HandlerStep, for occasion: Occasion, of handler: String, arguments: [String: String]
    ) {
        switch step.kind {
        case .run(let name, let templates):
            let facts = facts(occasion, handler, arguments)
            enter(name) { () throws(HandlerFailure) in
                let given = templates.isEmpty ? [:] : templates.mapValues { facts.fill($0) }
                // Each handler could double what it hands on.
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
                log(handler, error)
            }
        }
    }

    private func runHandler(
        named name: String, for occasion: Occasion, arguments: [String: String]
    ) throws(HandlerFailure) {
        if let handler = registry.handler(named: name) { return handler(occasion) }
        if let spec = defined[name] {
            let steps = try conditionsHold(spec.conditions) ? spec.steps : spec.otherwise
            for step in steps {
                // The check of a layout allows as many; pages that handlers show have handlers as well.
                guard stepCount < LayoutLimit.occasionSteps else { throw .tooManySteps }
                stepCount += 1
                take(step, for: occasion, of: name, arguments: arguments)
            }
        } else if name == "log" {
            log(nil, facts(occasion, name, arguments))
        } else {
            throw .unknown(name)
        }
    }

    /// What is known of an occasion, for those who tell of it without being a layout's step.
    public func facts(of occasion: Occasion, for handler: String) -> OccasionFacts { facts(occasion, handler, [:]) }

    private func facts(_ occasion: Occasion, _ handler: String, _ arguments: [String: String]) -> OccasionFacts {
        OccasionFacts(occasion, handler: handler, arguments: arguments, surroundings: surroundings)
    }

    /// Does something under a handler's name: measured, watched, and its failure logged.
    private func enter(_ name: String, _ body: () throws(HandlerFailure) -> Void) {
        guard stack.count < Self.depthLimit else { return log(name, .circle(stack.suffix(3) + [name])) }
        if stack.isEmpty { stepCount = 0 }
        stack.append(name)
        let outer = (slot: running.enter(slot(of: name)), failure: failure)
        failure = nil
        let start = didRun == nil ? nil : Deadline.now
        do {
            try body()
        } catch {
            failure = error
            log(name, error)
        }
        if let start { didRun?(name, Deadline.now - start, failure) }
        failure = outer.failure
        stack.removeLast()
        running.leave(to: outer.slot)
    }

    private func slot(of name: String) -> Int {
        if let slot = slots[name] { return slot }
        let slot = running.slot(for: name)
        slots[name] = slot
        return slot
    }

    private func failedLater(_ name: String, _ failure: HandlerFailure) {
        log(name, failure)
        didFailLater?(name, failure)
    }

    private func log(_ name: String, _ failure: HandlerFailure) {
        let metadata = failureMetadata(failure).merging(["TOUCHD_HANDLER": "\(name)"]) { $1 }
        logger.error("handler '\(name)': \(failure)", metadata: metadata)
    }
}

/// Answers which page and screen a responder is on, from whatever scene the runner has.
private final class PlaceNames {
    weak var runner: HandlerRunner?

    func page(of responder: Responder?) -> String? {
        guard let scene = runner?.scene else { return nil }
        return responder == nil ? scene.currentPage() : scene.page(of: responder)
    }

    func screen(of responder: Responder?) -> String? { runner?.scene?.screenName(of: responder) }
}

/// Where programs and connections tell what failed after their handler had returned.
final class LateFailures {
    var didFail: ((String, HandlerFailure) -> Void)?

    func tell(_ failure: HandlerFailure, of handler: String) { didFail?(handler, failure) }
}
