import Evdev
import EventLoop
// As `import UIKit` does: `CGRect` and `TimeInterval` are Foundation's.
@_exported import Foundation

/// The object that takes every event from the queue and sends it to windows and responders (`UIApplication`).
///
/// All delivery happens on the main thread, synchronously, in the call that drains the queue.
open class Application: Responder {
    /// The process's application.
    public static let shared = Application()

    /// The delegate, which decides whether the application launches. If it is a responder, it ends the responder chain.
    ///
    /// The application keeps a strong reference to its delegate.
    public var delegate: (any ApplicationDelegate)? {
        didSet { delegateResponder = delegate as? Responder }
    }

    /// The visible windows, from back to front.
    public internal(set) final var windows: [Window] = []
    /// The window that receives events without a location.
    public internal(set) weak var keyWindow: Window?
    /// Whether the application accepts events (`UIApplication.State`); active by default.
    public internal(set) var applicationState = State.active
    /// Whether media keys are remote-control events; by default they are presses.
    public internal(set) var isReceivingRemoteControlEvents = false

    /// The observers of deliveries, in the order in which they are called. They are retained.
    ///
    /// Without observers nothing is recorded for them. In the service `TouchObservers` sets the whole list.
    package var observers: [any DeliveryObserver] {
        get { gestures.observers }
        set { gestures.observers = newValue }
    }
    /// Returns the private view at a location of a screen, if there is one; nil if no view is private.
    package var privateView: ((CGPoint, Screen) -> View?)?
    /// Called with facts that help a program's author to find errors; for logs.
    package var didReport: ((Diagnostic) -> Void)?

    /// The time in seconds after which a touch that has not begun yet is dropped; nil, the default, for no limit.
    ///
    /// A user whose touch had no effect for seconds does something else. The clock must be that of the frames.
    package var touchAgeLimit: TimeInterval?

    /// The clock of the frames, for recognizers and `schedule(at:_:)`.
    final let timers = GestureTimers()
    lazy var touches = TouchTracker(application: self)
    lazy var gestures = GestureEnvironment(application: self)
    lazy var pointers = PointerTracker(application: self)
    lazy var presses = PressTracker(application: self)
    /// The detectors of the devices with an accelerometer, and the receivers of the shakes in progress.
    final var shakes: [DeviceID: ShakeDetector] = [:]
    final var shakeReceivers: [DeviceID: Responder] = [:]
    // The queue calls no code outside itself, so accesses cannot overlap.
    final var queue = EventQueue()
    /// Drains the queue from the run loop that the application is attached to.
    var queueSource: SignalledSource?
    /// Wakes that run loop when a recognizer's timeout ends.
    var gestureTimer: RunLoopTimer?
    /// Runs Foundation's timers in that run loop.
    final var foundationLoop: FoundationLoop?
    private var ignoringCount = 0
    /// Whether a view in a window needs layout before the next event.
    final var needsLayout = false
    private var screensByDevice: [DeviceID: Screen] = [:]

    private var delegateResponder: Responder?
    final var isDraining = false
    final var isDrainAsked = false

    /// Makes a separate application with an empty queue and no windows; programs use `shared`.
    public override init() { super.init() }

    /// The delegate, if it is a responder.
    open override var next: Responder? { delegateResponder === self ? nil : delegateResponder }

    /// The touches that are down, in the order in which they began.
    ///
    /// An addition to UIKit, which has them only in an event (`UIEvent.allTouches`).
    package var touchesDown: [Touch] { touches.active.filter { !$0.isOver } }

    /// Whether a touch is down.
    var isTracking: Bool { touches.active.contains { !$0.isOver } }

    // MARK: Sending

    /// Sends an event to its windows (`UIApplication.sendEvent(_:)`).
    ///
    /// A touch event goes to each window that contains one of its touches, the front-most first. Any other event goes
    /// to the window of its receiver, or directly to a receiver without a window. An override sees every event; events
    /// that it does not pass to super reach no window.
    open func sendEvent(_ event: Event) {
        switch event.type {
        case .touches:
            let windows = windows
            for place in windows.indices.reversed() where event.isPending(in: windows[place]) {
                windows[place].sendEvent(event)
            }
        case .presses:
            guard let event = event as? PressesEvent, let press = event.allPresses.first(where: \.isPending) else {
                return
            }
            if let window = press.window { window.sendEvent(event) } else { event.deliver() }
        case .motion, .remoteControl, .scroll, .hover:
            guard let receiver = event.message?.receiver else { return }
            if let window = receiver.owningWindow { window.sendEvent(event) } else { event.deliverMessage() }
        }
    }

    /// The deepest view at a point, in the front-most window of a screen that contains it; in the screen's coordinates.
    func hitTest(_ point: CGPoint, on screen: Screen, with event: Event?) -> View? {
        if needsLayout { layoutIfNeeded() }
        for window in windows.reversed() where window.screen === screen {
            if let hit = window.hitTest(window.convertFromScreen(point), with: event) { return hit }
        }
        return nil
    }

    /// The first receiver of events without a location: the key window's first responder, the key window, or the
    /// application.
    var placelessReceiver: Responder { keyWindow?.firstResponder ?? keyWindow ?? self }
}

extension Application {
    // MARK: Windows and screens

    /// The screens of the application's windows and devices, the main screen first.
    public var screens: [Screen] {
        let assigned = screensByDevice.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        var screens = [Screen.main]
        for screen in windows.map(\.screen) + assigned where !screens.contains(where: { $0 === screen }) {
            screens.append(screen)
        }
        return screens
    }

    /// The screen that a device belongs to; the main screen by default.
    public func screen(for device: DeviceID) -> Screen { screensByDevice[device] ?? .main }

    /// Assigns a device to a screen; touches that are down keep the screen they began on.
    public func setScreen(_ screen: Screen, for device: DeviceID) { screensByDevice[device] = screen }

    func add(_ window: Window) {
        guard !windows.contains(window) else { return }
        windows.append(window)
        if window.isMarkedForLayout { needsLayout = true }
        sortWindows()
    }

    func remove(_ window: Window) {
        guard windows.contains(window) else { return }
        defer { drainIfAsked() }
        windows.removeAll { $0 === window }
        cancelEverything(inBranch: window)
        // A receiver of a cancellation may have shown the window again.
        if keyWindow === window, !windows.contains(window) { makeKey(windows.last) }
    }

    /// Moves a visible window in front of the other windows of its level.
    func bringToFront(_ window: Window) {
        guard let place = windows.firstIndex(of: window) else { return }
        windows.append(windows.remove(at: place))
        sortWindows()
    }

    func makeKey(_ window: Window?) {
        guard window !== keyWindow else { return }
        let former = keyWindow
        keyWindow = window
        former?.resignKey()
        window?.becomeKey()
    }

    func sortWindows() {
        // `sort` is stable, so windows of one level keep the order in which they were shown.
        windows.sort { $0.windowLevel < $1.windowLevel }
    }

    // MARK: Ignoring events

    /// Whether the application accepts events (`UIApplication.State`).
    public enum State: Int, Sendable {
        /// The application accepts events.
        case active
        /// The application is interrupted and ignores events.
        case inactive
    }

    /// Whether events are ignored because of `beginIgnoringInteractionEvents()`.
    public var isIgnoringInteractionEvents: Bool { ignoringCount > 0 }

    /// Whether events are ignored for any reason.
    var isIgnoringEvents: Bool { ignoringCount > 0 || applicationState == .inactive }

    /// Ignores events until each call is balanced by `endIgnoringInteractionEvents()`; cancels the touches that are
    /// down.
    public func beginIgnoringInteractionEvents() {
        ignoringCount += 1
        cancelEverything()
    }

    /// Balances one call of `beginIgnoringInteractionEvents()`.
    ///
    /// Touches that began while events were ignored stay ignored.
    public func endIgnoringInteractionEvents() {
        precondition(ignoringCount > 0, "endIgnoringInteractionEvents() without a beginIgnoringInteractionEvents()")
        ignoringCount -= 1
    }

    /// Interrupts the application: notifies the delegate, cancels touches and presses, and ignores events from now on.
    public func resignActive() {
        guard applicationState == .active else { return }
        delegate?.applicationWillResignActive(self)
        post(Self.willResignActiveNotification)
        applicationState = .inactive
        cancelEverything()
    }

    /// Accepts events again and notifies the delegate.
    public func becomeActive() {
        guard applicationState == .inactive else { return }
        applicationState = .active
        delegate?.applicationDidBecomeActive(self)
        post(Self.didBecomeActiveNotification)
    }

    /// Cancels every touch that is down; each view that received `touchesBegan` receives `touchesCancelled` once.
    public func cancelAllTouches() { touches.cancelAll() }

    private func cancelEverything() {
        touches.cancelAll()
        presses.cancelAll()
        cancelShakes(at: touches.event.timestamp)
        pointers.leaveAll()
    }

    /// Cancels touches, presses and recognizers in a subtree that is about to leave its window.
    func cancelEverything(inBranch root: View) {
        touches.cancel(inBranch: root)
        presses.cancel(inBranch: root)
        pointers.leave(branch: root)
        // A recognizer whose touch is on a view that was moved out of the subtree.
        for recognizer in gestures.involved where recognizer.activeTouches.contains(where: { !$0.isOver }) {
            if recognizer.view?.isDescendant(of: root) == true { gestures.disable(recognizer) }
        }
        // A hidden window keeps its first responder.
        if !(root is Window) { root.endEditing(true) }
    }

    // MARK: Actions

    /// Sends an action to a responder (`UIApplication.sendAction(_:to:from:for:)`).
    ///
    /// With a nil target the search starts at the first responder of the key window, or else at the sender.
    /// It continues up the responder chain to the first responder that can perform the action.
    /// - Returns: whether a responder performed the action.
    @discardableResult
    public func sendAction(_ action: Selector, to target: Any?, from sender: Any?, for event: Event?) -> Bool {
        let receiver: Responder?
        if let target {
            receiver = target as? Responder
        } else {
            let place = sender as? Responder ?? (sender as? GestureRecognizer)?.view
            let start = keyWindow?.firstResponder ?? place ?? placelessReceiver
            receiver = start.target(forAction: action, withSender: sender) as? Responder
        }
        guard let receiver, receiver.canPerformAction(action, withSender: sender) else {
            // UIKit raises an exception if the target cannot perform the action; a kiosk reports it and continues.
            if let target {
                didReport?(.actionNotPerformed(action: action.description, target: "\(type(of: target))"))
            }
            return false
        }
        receiver.perform(action, with: sender, for: event)
        return true
    }

    /// Delivers media keys as remote-control events from now on; UIKit requires the same call.
    public func beginReceivingRemoteControlEvents() { isReceivingRemoteControlEvents = true }

    /// Delivers media keys as presses again.
    public func endReceivingRemoteControlEvents() { isReceivingRemoteControlEvents = false }
}

extension Responder {
    /// Whether the responder is a view of the subtree at `root`, or the controller of one.
    func isInBranch(_ root: View) -> Bool {
        let view = self as? View ?? (self as? ViewController)?.viewIfLoaded
        return view?.isDescendant(of: root) == true
    }
}

/// A fact for a program's author, reported when it happens (`Application.didReport`).
package enum Diagnostic: Equatable, Sendable, CustomStringConvertible {
    /// Hit-testing returned a view that is in no visible window of the application, so no view receives the touch.
    case touchHitDetachedView(touch: Int, view: String)
    /// A touch waited longer than `Application.touchAgeLimit` before it could begin, and was dropped; in seconds.
    case touchDropped(age: Double)
    /// A class declares `hitTestsByBounds`, but its overrides return another view; detected in debug builds only.
    case hitTestOverridden(class: String)
    /// A call reached the end of the responder chain unhandled; for debugging.
    case eventDiscarded(type: Event.EventType)
    /// The target of an action has no such action, so nothing was performed.
    case actionNotPerformed(action: String, target: String)
    /// Each of these recognizers waits for the next to fail, and the last for the first; reported once.
    case failureCircle(recognizers: [String])
    /// A recognizer set a state that its current state does not allow; reported once for each recognizer.
    case stateNotAllowed(recognizer: String, from: GestureRecognizer.State, to: GestureRecognizer.State)

    /// A description for logs.
    package nonisolated var description: String {
        switch self {
        case .touchHitDetachedView(let touch, let view):
            "touch \(touch) reaches nobody: hitTest(_:with:) answered '\(view)', which is in no shown window; "
                + "answer a view of the window, or nil"
        case .touchDropped(let age):
            "a touch was dropped, because it waited \((age * 10).rounded() / 10) s for the handlers before it"
        case .actionNotPerformed(let action, let target):
            "nothing is done for action '\(action)': its target, \(target), has no action of that name; give it one with "
                + "addAction(\"\(action)\")"
        case .hitTestOverridden(let name):
            "class '\(name)' declares hitTestsByBounds, but its hitTest(_:with:) returns another view than its bounds give; "
                + "remove the declaration"
        case .failureCircle(let names):
            "recognizers wait for each other to fail: \(names.map { "'\($0)'" }.joined(separator: ", ")); "
                + "the requirement that closes the circle is ignored; remove one of them"
        case .eventDiscarded(let type):
            "nothing handles a \(type) event: it went up the responder chain to its end"
        case .stateNotAllowed(let recognizer, .possible, .changed):
            "recognizer '\(recognizer)' set its state from possible to changed, which counts as began and then changed; "
                + "set began first"
        case .stateNotAllowed(let recognizer, let old, let new):
            "recognizer '\(recognizer)' set its state from \(old) to \(new), which is ignored; "
                + "see GestureRecognizer.State for the states that may follow"
        }
    }
}
