import Foundation

/// An object that watches the touches of a view, and of the views in it, for a gesture (`UIGestureRecognizer`).
///
/// It sees touches before the views do, whatever views do with them, and is a finite state machine: see `State`. A
/// subclass overrides the four touches methods and `reset()`, and sets `state`.
// Said here, though it is the module's default, for the reason that `Responder` has.
@MainActor
open class GestureRecognizer {
    /// Where a recognizer is in its gesture (`UIGestureRecognizer.State`).
    ///
    /// A discrete gesture goes from possible to ended or failed. A continuous one goes from possible to failed, or to began,
    /// then to changed any number of times, and then to ended or cancelled. From ended, cancelled and failed it
    /// goes back to possible when all its touches are gone.
    public enum State: Int, Sendable {
        /// The gesture was not recognized yet, but may be.
        case possible
        /// A continuous gesture began.
        case began
        /// A continuous gesture changed.
        case changed
        /// The gesture was recognized, or a continuous one ended.
        case ended
        /// A continuous gesture is over without having ended.
        case cancelled
        /// The touches are not this gesture.
        case failed

        /// UIKit's other name for `ended`, for discrete gestures.
        public nonisolated static let recognized = State.ended
    }

    // Safe, as the view takes it back when it goes.
    /// The view the recognizer is attached to.
    @exclusivity(unchecked) public internal(set) final unowned(unsafe) var view: View?
    /// Decides about touches and other recognizers.
    @exclusivity(unchecked) public final weak var delegate: (any GestureRecognizerDelegate)?
    /// A name for logs.
    public var name: String?

    /// Whether recognizing takes the touches from their views, which get `touchesCancelled`; true at first.
    open var cancelsTouchesInView = true
    /// Whether views are told of a beginning only when the recognizer has failed; false at first.
    open var delaysTouchesBegan = false
    /// Whether views are told of an end only when the recognizer has failed; true at first.
    open var delaysTouchesEnded = true

    /// Whether the recognizer is given touches; turning it off in the middle of a gesture cancels that.
    open var isEnabled = true {
        didSet { if !isEnabled, oldValue { environment?.disable(self) } }
    }

    // Not checked at run time for overlapping accesses, as the properties of `Touch`.
    /// The touches of the current gesture that are down, or end in the event at hand, in the order in which they began.
    @exclusivity(unchecked) final var activeTouches: [Touch] = []
    /// Every touch of the current gesture.
    @exclusivity(unchecked) final var sequenceTouches: [Touch] = []
    /// What the recognizer is ready for, but must wait to do until others have failed.
    @exclusivity(unchecked) final var pendingState: State?
    /// What the recognizer assigned to its state during the event under way; nil between events.
    @exclusivity(unchecked) final var requestedState: State?
    /// Whether the recognizer assigned began, or changed instead, on the way to the state that it is to enter.
    @exclusivity(unchecked) final var passesBegan = false
    private var hasReportedState = false
    /// Those that must fail before this one recognizes.
    var failureRequirements: [WeakRecognizer] = []
    @exclusivity(unchecked) final var handlers: [GestureHandlerToken] = []
    @exclusivity(unchecked) final weak var environment: GestureEnvironment?
    /// The state it is in; `state` may be an earlier one for the length of that one's action.
    @exclusivity(unchecked) final private(set) var actualState = State.possible
    @exclusivity(unchecked) private var shownState: State?
    private var timer: GestureTimers.Timer?

    /// Makes a recognizer without an action.
    public init() {}

    /// Makes a recognizer that has a responder perform an action, with the recognizer as the sender.
    public convenience init(target: Responder?, action: Selector) {
        self.init()
        addTarget(target, action: action)
    }

    /// Makes a recognizer that calls a closure when it recognizes.
    public convenience init(name: String? = nil, _ body: @escaping (GestureRecognizer) -> Void) {
        self.init()
        addHandler(name: name, body)
    }

    // MARK: State

    /// Where the recognizer is in its gesture; only subclasses set it.
    ///
    /// Arbitration between recognizers and actions use the state at the end of the event: a recognizer that sets began and
    /// then cancelled in one call sends no action and defeats nobody. It reads what it has set until the event is over.
    /// After that it may read something else: the recognizer may have to wait for others to fail, stays possible
    /// then, and may fail itself.
    ///
    /// A state that cannot follow the current one never stops the program. Failed set after began counts as cancelled, and
    /// cancelled set before began as failed. Changed set before began counts as began and then changed; began or possible
    /// set in the middle of a gesture is ignored. Both are logged once for each recognizer. After its end a recognizer stays
    /// in its state until `reset()`, whatever it sets; one that is on no view may set possible again.
    ///
    /// The states that may follow each other are those of `UIGestureRecognizer.State`.
    public final var state: State {
        get { shownState ?? newestState }
        set {
            if let environment { return environment.request(newValue, of: self) }
            if actualState.isFinal, newValue == .possible { return actualState = .possible }
            guard let next = nextState(for: newValue) else { return }
            actualState = next
            passesBegan = false
        }
    }

    /// The state it is in, or the one it assigned during the event under way.
    @inline(__always)
    final var newestState: State { requestedState ?? actualState }

    /// What becomes of a state that was assigned; nil where it changes nothing.
    final func nextState(for new: State) -> State? {
        let current = newestState
        switch (current, new) {
        case (.ended, _), (.cancelled, _), (.failed, _), (.possible, .possible): return nil
        case (.possible, .cancelled): return .failed
        case (.began, .failed), (.changed, .failed):
            // Nobody has learned yet that it began.
            return actualState == .possible ? .failed : .cancelled
        case (.began, .cancelled), (.changed, .cancelled): return actualState == .possible ? .failed : .cancelled
        case (.possible, .began): passesBegan = true
        case (.possible, .changed):
            passesBegan = true
            reportState(current, new)
        case (.began, .possible), (.changed, .possible), (.began, .began), (.changed, .began):
            reportState(current, new)
            return nil
        default: break
        }
        return new
    }

    private func reportState(_ current: State, _ new: State) {
        guard !hasReportedState else { return }
        let application = environment?.application ?? view?.window?.application ?? .shared
        guard let report = application.didReport else { return }
        hasReportedState = true
        report(.stateNotAllowed(recognizer: name ?? "\(type(of: self))", from: current, to: new))
    }

    /// Takes a state on; what was waited for is over with the gesture.
    func setState(_ state: State) {
        let former = actualState
        actualState = state
        if state.isFinal || state == .possible { stopWaiting() }
        if state != former { environment?.changed(self, from: former) }
    }

    /// Has something done at a moment on the frames' clock, in place of what is waited for already, unless the gesture is
    /// over by then; so it may take the recognizer for granted.
    func wait(until deadline: TimeInterval, _ body: @escaping () -> Void) {
        stopWaiting()
        timer = environment?.schedule(at: deadline, body)
    }

    /// Gives up what is waited for, as before a state that others may keep waiting.
    func stopWaiting() {
        timer?.cancel()
        timer = nil
    }

    /// Calls the actions of a state, which `state` is meanwhile: an action before may have ended the gesture already.
    func act(in state: State, _ event: Event) {
        let before = shownState
        shownState = state
        act(event)
        shownState = before
    }

    /// Forgets the gesture; called when it is over and all its touches are gone. Overrides call super.
    open func reset() {}

    /// Whether the recognizer goes on with the same gesture though no touch is down, as a double tap does between its taps.
    ///
    /// While it does, it holds back what it delays. Not UIKit's, where such recognizers are built in.
    open var awaitsMoreTouches: Bool { false }

    /// Whether in one event others recognize before this one, whoever is told of it first.
    var recognizesLast: Bool { false }

    // MARK: Touches

    /// Gives the recognizer touches that began.
    open func touchesBegan(_ touches: Set<Touch>, with event: Event) {}

    /// Gives the recognizer touches that moved.
    open func touchesMoved(_ touches: Set<Touch>, with event: Event) {}

    /// Gives the recognizer touches that were lifted.
    open func touchesEnded(_ touches: Set<Touch>, with event: Event) {}

    /// Gives the recognizer touches that are over without having been lifted.
    open func touchesCancelled(_ touches: Set<Touch>, with event: Event) {}

    /// Has the recognizer be given nothing more of a touch; its view gets the touch as if the recognizer were not there.
    open func ignore(_ touch: Touch, for event: Event) {
        activeTouches.removeAll { $0 === touch }
        sequenceTouches.removeAll { $0 === touch }
        touch.gestureRecognizers.removeAll { $0 === self }
    }

    /// Whether the recognizer is given the touches that begin in an event; true, unless overridden. Asked once an event.
    open func shouldReceive(_ event: Event) -> Bool { true }

    /// How many touches the gesture has at the moment.
    open var numberOfTouches: Int { activeTouches.count }

    /// The middle of the gesture's touches, in a view's coordinates; with nil, in the window's.
    open func location(in view: View?) -> CGPoint {
        let touches = activeTouches.isEmpty ? sequenceTouches : activeTouches
        return touches.middle { $0.location(in: view) }
    }

    /// Where one of the gesture's touches is, in a view's coordinates.
    open func location(ofTouch index: Int, in view: View?) -> CGPoint {
        precondition(
            activeTouches.indices.contains(index), "there is no touch \(index), but \(activeTouches.count) touches")
        return activeTouches[index].location(in: view)
    }

    // MARK: Others

    /// Has the recognizer wait until another has failed; if the other recognizes, this one fails.
    public func require(toFail other: GestureRecognizer) {
        failureRequirements.append(WeakRecognizer(object: other))
    }

    /// Whether the recognizer, having recognized, makes another fail; true, unless overridden.
    open func canPrevent(_ other: GestureRecognizer) -> Bool { true }

    /// Whether the recognizer fails when another has recognized; true, unless overridden.
    open func canBePrevented(by other: GestureRecognizer) -> Bool { true }

    /// Whether the recognizer waits for another to fail; false, unless overridden.
    open func shouldRequireFailure(of other: GestureRecognizer) -> Bool { false }

    /// Whether another waits for the recognizer to fail; false, unless overridden.
    open func shouldBeRequiredToFail(by other: GestureRecognizer) -> Bool { false }
}

extension GestureRecognizer: Hashable {
    /// A recognizer is equal to itself alone.
    public nonisolated static func == (left: GestureRecognizer, right: GestureRecognizer) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

struct WeakRecognizer {
    weak var object: GestureRecognizer?
}

extension GestureRecognizer.State {
    /// Whether the gesture is over until the recognizer is reset.
    var isFinal: Bool { self == .ended || self == .cancelled || self == .failed }
    /// Whether the gesture was recognized, and is going on or has ended.
    var isRecognized: Bool { self == .began || self == .changed || self == .ended }
}

extension [Touch] {
    /// The mean of what is asked of each touch; zero for none.
    func middle(_ place: (Touch) -> CGPoint) -> CGPoint {
        guard !isEmpty else { return .zero }
        var sum = CGPoint.zero
        for touch in self {
            let point = place(touch)
            sum.x += point.x
            sum.y += point.y
        }
        return CGPoint(x: sum.x / CGFloat(count), y: sum.y / CGFloat(count))
    }

    /// The mean of their places in their screen's coordinates; zero for none.
    var middle: CGPoint {
        guard !isEmpty else { return .zero }
        var sum = CGPoint.zero
        for touch in self {
            sum.x += touch.screenLocation.x
            sum.y += touch.screenLocation.y
        }
        return CGPoint(x: sum.x / CGFloat(count), y: sum.y / CGFloat(count))
    }
}

nonisolated extension Array where Element: AnyObject {
    /// Whether an object itself is among those of the array.
    @inline(__always)
    func holds(_ object: Element) -> Bool {
        for place in indices where self[place] === object { return true }
        return false
    }

    /// Removes an object itself, which is in the array once at most.
    mutating func removeOne(_ object: Element) {
        for place in indices where self[place] === object {
            remove(at: place)
            return
        }
    }
}

extension Set<Touch> {
    /// The touches in the order in which they began.
    var inOrder: [Touch] { count == 1 ? Array(self) : sorted { $0.id < $1.id } }
}
