import Foundation

/// Observes the touches of a view and its subviews and recognizes a gesture (`UIGestureRecognizer`).
///
/// It receives touches before the views do, whatever the views do with them. It is a finite state machine: see `State`.
/// A subclass overrides the four touches methods and `reset()`, and sets `state`.
///
/// ```swift
/// final class AnyTouchGestureRecognizer: GestureRecognizer {
///     override func touchesBegan(_ touches: Set<Touch>, with event: Event) { state = .ended }
/// }
///
/// view.addGestureRecognizer(AnyTouchGestureRecognizer { _ in print("touched") })
/// ```
// Explicit, although it is the module's default, for the reason given at `Responder`.
@MainActor @preconcurrency open class GestureRecognizer {
    /// The state of a recognizer (`UIGestureRecognizer.State`).
    ///
    /// A discrete gesture goes from possible to ended or failed. A continuous gesture goes from possible to failed or
    /// began, then any number of times to changed, then to ended or cancelled. Ended, cancelled and failed go back to
    /// possible when all the gesture's touches are gone.
    public nonisolated enum State: Int, Sendable {
        /// The gesture is not recognized yet, but may be.
        case possible
        /// A continuous gesture began.
        case began
        /// A continuous gesture changed.
        case changed
        /// A discrete gesture was recognized, or a continuous one ended.
        case ended
        /// A continuous gesture was cancelled.
        case cancelled
        /// The touches do not match the gesture.
        case failed

        /// UIKit's other name for `ended`, for discrete gestures.
        public nonisolated static let recognized = State.ended
    }

    // Safe: a view clears this reference when it is deallocated.
    final unowned(unsafe) var attachedView: View?
    final weak var ownDelegate: (any GestureRecognizerDelegate)?
    /// The view the recognizer is attached to.
    open var view: View? { attachedView }
    /// Decides about touches and competing recognizers.
    open weak var delegate: (any GestureRecognizerDelegate)? {
        get { ownDelegate }
        set { ownDelegate = newValue }
    }
    /// A delegate that the recognizer keeps.
    package final var keptDelegate: (any GestureRecognizerDelegate)? {
        didSet { ownDelegate = keptDelegate }
    }
    /// A name for logs.
    public var name: String?

    /// Whether recognizing cancels the touches in their views, with `touchesCancelled`; true by default.
    open var cancelsTouchesInView = true
    /// Whether views receive a beginning only after the recognizer has failed; false by default.
    open var delaysTouchesBegan = false
    /// Whether views receive an end only after the recognizer has failed; true by default.
    open var delaysTouchesEnded = true

    /// Whether recognizing cancels the touches in the program that draws the screen; false by default.
    ///
    /// This and the next property are for touchscreens whose touches touchd forwards to that program, and additions to
    /// UIKit: `cancelsTouchesInView` and `delaysTouchesBegan` for another process.
    public final var cancelsForwardedTouches = false
    /// Whether that program receives touches only after the recognizer has failed; false by default.
    public final var delaysForwardedTouches = false

    /// Whether the recognizer receives touches; disabling it cancels a gesture in progress.
    open var isEnabled = true {
        didSet { if !isEnabled, oldValue { environment?.disable(self) } }
    }

    // Not checked at run time for overlapping accesses, for the reasons given at `Touch`.
    /// The current gesture's touches that are down or end in the current event, in the order in which they began.
    final var activeTouches: [Touch] = []
    /// Every touch of the current gesture.
    final var sequenceTouches: [Touch] = []
    /// Whether one of the gesture's touches is concealed, even if it is over: its measures would reveal where that was.
    package internal(set) final var hadConcealedTouch = false
    /// Whether it ignored its last touch, so that nothing ends a gesture that begins now (B20).
    final var hasIgnoredLastTouch = false
    /// Whether it stayed possible when its touches were gone, and may keep what it counted.
    final var needsReset = false
    /// Where the recognizer is in its gesture.
    final private(set) var progress = Progress.idle
    private var hasReportedState = false
    /// The recognizers that must fail before this one recognizes.
    var failureRequirements: [Weak<GestureRecognizer>] = []
    final var handlers: [GestureHandlerToken] = []
    final weak var environment: GestureEnvironment?
    /// The state that an action is for, while it runs; the gesture may be further already.
    private var shownState: State?
    private var timer: ScheduledAction?

    /// Makes a recognizer without an action.
    public convenience init() { self.init(target: nil, action: nil) }

    /// Makes a recognizer with a target and action; the recognizer is the sender
    /// (`UIGestureRecognizer.init(target:action:)`).
    /// - Parameters:
    ///   - target: a responder, or an object of any class if the action has a method; held by a weak reference. Nil searches
    ///     the responder chain.
    ///   - action: the action; nil adds none.
    public init(target: Any?, action: Selector?) {
        if let action { addTarget(target, action: action) }
    }

    /// Makes a recognizer that calls a closure when it recognizes.
    public convenience init(name: String? = nil, _ body: @escaping (GestureRecognizer) -> Void) {
        self.init()
        addHandler(name: name, body)
    }

    // MARK: State

    /// The recognizer's state; only subclasses set it.
    ///
    /// Arbitration and actions use the state at the end of the event. A recognizer that sets began and then cancelled
    /// in one call sends no action and prevents no other recognizer. During the event the property returns the state
    /// that was set. Afterwards it may differ: a recognizer that must wait for others to fail stays possible, and may
    /// fail itself.
    ///
    /// An invalid transition never stops the program. Failed after began counts as cancelled, and cancelled before
    /// began counts as failed. Changed before began counts as began and then changed; began or possible during a
    /// gesture is ignored. Both are logged once for each recognizer. After a final state the recognizer keeps that
    /// state until `reset()`; a recognizer without a view may set possible again.
    ///
    /// The transitions are those of `UIGestureRecognizer.State`.
    open var state: State {
        get { shownState ?? progress.newest }
        set {
            if let environment { return environment.request(newValue, of: self) }
            if progress.state.isFinal, newValue == .possible { return become(.idle) }
            if let choice = choice(of: newValue) { become(Progress(entering: choice.state)) }
        }
    }

    /// The effect of setting a state in the current one; nil if it changes nothing.
    final func choice(of new: State) -> Choice? {
        switch (progress.newest, new) {
        case (.ended, _), (.cancelled, _), (.failed, _), (.possible, .possible): return nil
        case (.possible, .cancelled): return Choice(state: .failed)
        case (.began, .failed), (.changed, .failed), (.began, .cancelled), (.changed, .cancelled):
            // A beginning that had no effect yet fails.
            return Choice(state: progress.state == .possible ? .failed : .cancelled)
        case (.possible, .began): return Choice(state: new, needsBegan: true)
        case (.possible, .changed):
            reportState(.possible, new)
            return Choice(state: new, needsBegan: true)
        case (let current, .possible), (let current, .began):
            reportState(current, new)
            return nil
        case (.began, _), (.changed, _): return Choice(state: new, needsBegan: progress.next?.needsBegan ?? false)
        case (.possible, _): return Choice(state: new, needsBegan: progress.awaited?.needsBegan ?? false)
        }
    }

    /// Sets the state that arbitration handles at the end of the event; nil takes it back.
    final func choose(_ choice: Choice?) { progress.next = choice }

    private func reportState(_ current: State, _ new: State) {
        guard !hasReportedState else { return }
        let application = environment?.application ?? attachedView?.window?.application ?? .shared
        guard let report = application.didReport else { return }
        hasReportedState = true
        report(.stateNotAllowed(recognizer: name ?? "\(type(of: self))", from: current, to: new))
    }

    /// Goes to another place in the gesture, and undoes what belongs to the one it leaves. `GestureEnvironment.move` calls
    /// it; a recognizer that never had a touch has no environment.
    final func become(_ next: Progress) {
        assert(!progress.state.isFinal || next.isIdle, "only idle follows \(progress)")
        progress = next
        switch next {
        case .undecided, .waiting, .active: return
        case .over: stopWaiting()
        case .idle:
            stopWaiting()
            activeTouches.removeAll(keepingCapacity: true)
            sequenceTouches.removeAll(keepingCapacity: true)
            hadConcealedTouch = false
            hasIgnoredLastTouch = false
        }
    }

    /// Sets a state later, when the frames' clock reaches the deadline; replaces an earlier wait. The end of the gesture
    /// cancels it.
    func wait(until deadline: TimeInterval, for state: State) {
        stopWaiting()
        // Retained, because a subclass may have removed itself before it calls super.
        timer = environment?.schedule(at: deadline) { [self] in self.state = state }
    }

    /// Cancels the state to be set, for example before a state that must wait for others.
    func stopWaiting() {
        timer?.cancel()
        timer = nil
    }

    /// Calls the closures and actions for a state, and records their names for the delivery observer. `state` returns it in
    /// the meantime, because an earlier action may have ended the gesture.
    func act(in state: State, _ event: Event) {
        let before = shownState
        shownState = state
        for token in handlers where !token.isRemoved && token.states?.contains(state) != false {
            if let name = token.name, event.handlerRuns != nil, let touch = activeTouches.last ?? sequenceTouches.last {
                event.handlerRuns?.append(HandlerRun(touch: touch, name: name))
            }
            token.body(self)
        }
        shownState = before
    }

    /// Clears the gesture; called when it is over and all its touches are gone. Overrides call super.
    ///
    /// A direct subclass that stays possible is not reset, as in UIKit: it may count taps. It is reset when it is disabled
    /// or removed, and it sets failed if its touches do not match its gesture. Subclasses of TouchKit's own recognizers
    /// are also reset if they stay possible.
    open func reset() {}

    /// Whether the recognizer is also reset if it is still possible when its touches are gone.
    var isResetWhenPossible: Bool { false }

    /// Whether the gesture continues while no touch is down, like a double tap between its taps.
    ///
    /// In the meantime the recognizer keeps delaying touches, and others wait for it to fail. An addition to UIKit, where
    /// each recognizer that stays possible has these effects.
    open var awaitsMoreTouches: Bool { false }

    /// Whether a touch that begins continues a gesture that awaits more touches; if not, the gesture fails before it.
    func continues(with touch: Touch) -> Bool { true }

    /// Whether other recognizers recognize before this one in the same event, regardless of the order of delivery.
    var recognizesLast: Bool { false }

    // MARK: Touches

    /// Called with touches that began.
    open func touchesBegan(_ touches: Set<Touch>, with event: Event) {}

    /// Called with touches that moved.
    open func touchesMoved(_ touches: Set<Touch>, with event: Event) {}

    /// Called with touches that ended.
    open func touchesEnded(_ touches: Set<Touch>, with event: Event) {}

    /// Called with touches that were cancelled.
    open func touchesCancelled(_ touches: Set<Touch>, with event: Event) {}

    /// Stops delivering a touch to the recognizer; the touch's view receives it as if the recognizer did not exist.
    open func ignore(_ touch: Touch, for event: Event) {
        activeTouches.removeAll { $0 === touch }
        sequenceTouches.removeAll { $0 === touch }
        touch.recognizers.removeAll { $0 === self }
        // No touch is left that could end the gesture (B20).
        hasIgnoredLastTouch = activeTouches.isEmpty
        if hasIgnoredLastTouch, progress.newest == .began || progress.newest == .changed { state = .cancelled }
    }

    /// Returns whether the recognizer receives the touches that begin in an event; true by default. Called once an
    /// event.
    open func shouldReceive(_ event: Event) -> Bool { true }

    /// The gesture's touches that are down, or all of its touches if none is down, in the order in which they began.
    ///
    /// An addition to UIKit.
    package final var trackedTouches: [Touch] { activeTouches.isEmpty ? sequenceTouches : activeTouches }

    /// The current number of touches in the gesture.
    open var numberOfTouches: Int { activeTouches.count }

    /// The center of the gesture's touches, in a view's coordinates; with nil, in the window's.
    open func location(in view: View?) -> CGPoint {
        trackedTouches.middle { $0.location(in: view) }
    }

    /// The location of one of the gesture's touches, in a view's coordinates; with nil, in the window's.
    open func location(ofTouch index: Int, in view: View?) -> CGPoint {
        precondition(
            activeTouches.indices.contains(index), "there is no touch \(index), but \(activeTouches.count) touches")
        return activeTouches[index].location(in: view)
    }

    // MARK: Others

    /// Makes the recognizer wait until another has failed; if the other recognizes, this one fails.
    public func require(toFail other: GestureRecognizer) {
        failureRequirements.removeAll { $0.object == nil }
        failureRequirements.append(Weak(object: other))
    }

    /// Whether recognizing makes another recognizer fail; true by default.
    open func canPrevent(_ other: GestureRecognizer) -> Bool { true }

    /// Whether the recognizer fails after another has recognized; true by default.
    open func canBePrevented(by other: GestureRecognizer) -> Bool { true }

    /// Whether the recognizer waits for another to fail; false by default.
    open func shouldRequireFailure(of other: GestureRecognizer) -> Bool { false }

    /// Whether another recognizer waits for this one to fail; false by default.
    open func shouldBeRequiredToFail(by other: GestureRecognizer) -> Bool { false }
}

extension GestureRecognizer: Hashable {
    /// Compares identity: a recognizer is equal only to itself.
    public nonisolated static func == (left: GestureRecognizer, right: GestureRecognizer) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
