import Foundation
import Layout
import TouchKit

/// Notices that nobody touches the screens, and that somebody does again.
///
/// A touch costs it two assignments: the one timer there is looks, when it fires, how long ago the last touch was, and is
/// set anew. A finger that rests tells nothing, so what lies on a screen does not keep it from being idle.
///
/// `woken` handlers run when the views of the first touch are found, and before anybody is told of it: the touch is for
/// what was there when it was touched, and is delivered unless the handlers take that away or ignore touches.
public final class IdleWatch {
    private let specs: [IdleSpec]
    private let application: Application
    private let perform: (HandlerStep, Occasion) -> Void
    private var lastTouch: TimeInterval?
    /// How many of the times are over.
    private var passed = 0
    private var timer: Application.ScheduledAction?

    /// Makes a watch; nil where a layout has no `idle:`, as there is nothing to do then.
    ///
    /// - Parameters:
    ///   - specs: What to do after which times, the shortest first.
    ///   - application: Whose touches are watched, and whose clock counts.
    ///   - former: The watch of the layout before: what is over for it does not happen again.
    ///   - perform: Takes a step.
    public init?(
        _ specs: [IdleSpec], application: Application, after former: IdleWatch? = nil,
        perform: @escaping (HandlerStep, Occasion) -> Void
    ) {
        guard !specs.isEmpty else { return nil }
        self.specs = specs.sorted { $0.delay < $1.delay }
        self.application = application
        self.perform = perform
        lastTouch = former?.lastTouch
        if let former, former.passed > 0 {
            let over = former.specs[former.passed - 1].delay
            passed = self.specs.count { $0.delay <= over }
        }
    }

    /// Begins to watch: from now on, or where `waits`, from the first touch on, as in a recording.
    public func start(waitingForTouch waits: Bool = false) {
        if !waits, lastTouch == nil { lastTouch = application.currentTime }
        arm()
    }

    /// Stops watching.
    public func stop() {
        timer?.cancel()
        timer = nil
    }

    /// Takes note of a touch event; to be called from `Application.willDeliver`.
    public func touched(at time: TimeInterval) {
        lastTouch = time
        if passed > 0 { wake() }
        if timer == nil { arm() }
    }

    private func wake() {
        let over = specs.prefix(passed)
        passed = 0
        stop()
        for spec in over { take(spec, .woken) }
    }

    private func arm() {
        guard let lastTouch, passed < specs.count else { return }
        timer = application.schedule(at: lastTouch + specs[passed].delay) { [weak self] in self?.look() }
    }

    private func look() {
        timer = nil
        guard let lastTouch, passed < specs.count else { return }
        let spec = specs[passed]
        // Moments are held to the microsecond, sums of them are not.
        if application.currentTime > lastTouch + spec.delay - 0.000_001 {
            passed += 1
            take(spec, .idle)
        }
        if timer == nil { arm() }
    }

    private func take(_ spec: IdleSpec, _ trigger: HandlerBinding.Trigger) {
        for binding in spec.on where binding.trigger == trigger { perform(binding.step, Occasion(trigger, .idle)) }
    }
}
