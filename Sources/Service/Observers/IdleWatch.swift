import Foundation
import Layout
import TouchKit

/// Notices when the screens are idle, and when the first touch after that arrives.
///
/// A touch costs two assignments: the single timer compares the time of the last touch when it fires, and is set again.
/// A resting finger causes no events, so an object on a screen does not keep the screen from being idle.
///
/// `woken` handlers run after the hit test of the first touch, before its delivery. The touch belongs to the views that
/// were there when it began, and is delivered unless the handlers remove them or ignore touches.
package final class IdleWatch: DeliveryObserver {
    private let specs: [IdleSpec]
    private let application: Application
    private let perform: (HandlerStep, HandlerContext) -> Void
    private let setsForwarding: (Bool) -> Void
    private let didChange: (IdleSpec, HandlerBinding.Trigger) -> Void
    private var lastTouch: TimeInterval?
    /// The number of idle times that have passed.
    private var passed = 0
    private var timer: Application.ScheduledAction?

    /// Creates a watch; nil if the layout has no `idle:`.
    ///
    /// - Parameters:
    ///   - former: The watch of the previous layout; the idle times that have passed for it do not fire again.
    ///   - setsForwarding: Called when an idle time with `forward: false` has passed (false), and when a touch ends it
    ///     (true).
    ///   - didChange: Called when an idle time has passed, or with `woken` when a touch ends it, before its steps.
    package init?(
        _ specs: [IdleSpec], application: Application, after former: IdleWatch? = nil,
        setsForwarding: @escaping (Bool) -> Void = { _ in },
        didChange: @escaping (IdleSpec, HandlerBinding.Trigger) -> Void = { _, _ in },
        perform: @escaping (HandlerStep, HandlerContext) -> Void
    ) {
        guard !specs.isEmpty else { return nil }
        self.specs = specs.sorted { $0.delay < $1.delay }
        self.application = application
        (self.setsForwarding, self.didChange, self.perform) = (setsForwarding, didChange, perform)
        lastTouch = former?.lastTouch
        passed = former?.passedCount(of: specs) ?? 0
    }

    /// The number of another layout's idle times that have passed.
    private func passedCount(of specs: [IdleSpec]) -> Int {
        guard passed > 0 else { return 0 }
        let over = self.specs[passed - 1].delay
        return specs.count { $0.delay <= over }
    }

    /// Wakes the screens if fewer idle times have passed by the next layout than by this one, because a touch will not
    /// run the `woken` steps of the others. Call it while the handlers of this layout still exist.
    package func willBeReplaced(by specs: [IdleSpec]) {
        guard passedCount(of: specs) < passed else { return }
        lastTouch = application.currentTime
        wake()
    }

    /// Starts watching now, or, with `waits`, at the first touch, as for a recording.
    package func start(waitingForTouch waits: Bool = false) {
        if !waits, lastTouch == nil { lastTouch = application.currentTime }
        arm()
    }

    /// Whether an idle time with `forward: false` has passed.
    package var keepsTouches: Bool { specs.prefix(passed).contains { !$0.forwards } }

    /// Whether an idle time has passed since the last touch.
    package var isIdle: Bool { passed > 0 }

    package func stop() {
        timer?.cancel()
        timer = nil
    }

    package func willDeliver(_ event: Event) {
        lastTouch = event.timestamp
        if passed > 0 { wake() }
        if timer == nil { arm() }
    }

    /// The screens are in use, for example being cleaned, but a touch that is ignored does not wake them.
    package func didIgnoreTouch(at timestamp: TimeInterval) {
        lastTouch = timestamp
        if timer == nil { arm() }
    }

    private func wake() {
        let over = specs.prefix(passed)
        if keepsTouches { setsForwarding(true) }
        passed = 0
        stop()
        for spec in over { performSteps(spec, .woken) }
    }

    private func arm() {
        guard let lastTouch, passed < specs.count else { return }
        timer = application.schedule(at: lastTouch + specs[passed].delay) { [weak self] in self?.look() }
    }

    private func look() {
        timer = nil
        guard let lastTouch, passed < specs.count else { return }
        let spec = specs[passed]
        // Timestamps are rounded to microseconds, their sums are not.
        if application.currentTime > lastTouch + spec.delay - 0.000_001 {
            passed += 1
            if !spec.forwards { setsForwarding(false) }
            performSteps(spec, .idle)
        }
        if timer == nil { arm() }
    }

    private func performSteps(_ spec: IdleSpec, _ trigger: HandlerBinding.Trigger) {
        didChange(spec, trigger)
        for binding in spec.on where binding.trigger == trigger {
            perform(binding.step, HandlerContext(trigger, .idle))
        }
    }
}
