import Evdev
import EventLoop
import Foundation

/// The object that takes every event from the queue and hands it to windows and responders (`UIApplication`).
///
/// Everything happens on the main thread, in the call that empties the queue; nothing is sent later or from elsewhere.
open class Application: Responder {
    /// The process's application.
    public static let shared = Application()

    /// Decides what the application does at its start, and is last in the responder chain if it is a responder.
    ///
    /// The application keeps its delegate alive.
    public var delegate: (any ApplicationDelegate)? {
        didSet { delegateResponder = delegate as? Responder }
    }

    /// The windows that are shown, from back to front.
    @exclusivity(unchecked) public internal(set) final var windows: [Window] = []
    /// The window that events without a place go to.
    public internal(set) weak var keyWindow: Window?
    /// Whether the application is at work (`UIApplication.State`); it is when it is made.
    public internal(set) var applicationState = State.active
    /// Whether media keys are remote-control events; they are presses until this is asked for.
    public internal(set) var isReceivingRemoteControlEvents = false

    /// Is called with each touch event before anybody is told of it, when the views of new touches are found already; for
    /// those who watch whether anybody touches at all.
    ///
    /// It may cancel touches, of which no responder is told then; `didDeliver` is told that they began and were cancelled.
    package var willDeliver: ((Event) -> Void)? {
        get { touches.willDeliver }
        set { touches.willDeliver = newValue }
    }
    /// Is called once for each touch and phase, after its responders were called; for logs.
    ///
    /// Nothing is gathered for it while it is nil.
    package var didDeliver: ((TouchDelivery) -> Void)? {
        get { touches.didDeliver }
        set { touches.didDeliver = newValue }
    }
    /// Is called when a recognizer is in another state than before, which is given with it; back to possible included.
    ///
    /// For those who look on; nothing is done for it while it is nil.
    package var didChangeState: ((GestureRecognizer, GestureRecognizer.State) -> Void)?
    /// Is called when a touch event is over, and when what recognizers did between two events is: after every responder,
    /// recognizer and handler. For those who look on.
    package var didFinishEvent: (() -> Void)? {
        get { touches.didFinishEvent }
        set { touches.didFinishEvent = newValue }
    }
    /// Is called when something happens that a program's author wants to know of; for logs.
    package var didReport: ((Diagnostic) -> Void)?
    /// How many calls went up a responder chain to its end without anything handling them.
    var discardedCallCount = 0

    lazy var touches = TouchTracker(application: self)
    lazy var gestures = GestureEnvironment(application: self)
    lazy var interpreter = FrameInterpreter(application: self)
    // Nothing that the queue does calls anything outside of it.
    @exclusivity(unchecked) final var queue = EventQueue()
    /// What empties the queue in the run loop the application is attached to.
    var queueSource: SignalledSource?
    /// What wakes that loop when a recognizer has waited long enough.
    var gestureTimer: RunLoopTimer?
    var ignoringCount = 0
    /// Whether a view of a window is to be laid out before the next event.
    @exclusivity(unchecked) final var needsLayout = false
    var screensByDevice: [DeviceID: Screen] = [:]

    private var delegateResponder: Responder?
    @exclusivity(unchecked) private var isDraining = false
    @exclusivity(unchecked) private var isDrainAsked = false

    /// Makes an application of its own, with an empty queue and no windows; programs use `shared`.
    public override init() { super.init() }

    /// The delegate, if it is a responder.
    open override var next: Responder? { delegateResponder === self ? nil : delegateResponder }

    // MARK: The queue

    /// Puts a frame at the end of the queue and wakes the run loop that the application is attached to.
    ///
    /// The frame is copied into storage that is kept, so nothing is allocated once the queue is warm. Beyond
    /// 1024 waiting frames the moves of one touch are folded; nothing else is ever dropped.
    public func enqueue(_ frame: borrowing InputFrame) {
        queue.append(frame)
        queueSource?.signal()
    }

    /// Puts the news that a device is gone at the end of the queue; when its turn comes, its touches are cancelled.
    public func enqueueRemoval(of device: DeviceID, at timestamp: InputTimestamp) {
        queue.appendRemoval(of: device, at: timestamp)
        queueSource?.signal()
    }

    /// Takes every event from the queue, first in, first out, and sends it.
    ///
    /// Called by a handler it does nothing: what is queued then is sent when the handlers of the current event are done.
    public func drainEvents() {
        guard !isDraining else { return }
        guard !touches.isBusy else {
            isDrainAsked = true
            return
        }
        isDrainAsked = false
        isDraining = true
        defer { isDraining = false }
        let interpreter = interpreter
        while interpreter.takeFrame(of: self) {}
    }

    /// Empties the queue if that was asked while touches were being cancelled.
    func drainIfAsked() {
        if isDrainAsked { drainEvents() }
    }

    /// The touches that are down, in the order in which they began.
    ///
    /// Not UIKit's, which has them in an event only (`UIEvent.allTouches`).
    package var touchesDown: [Touch] { touches.active.filter { !$0.isOver } }

    /// Whether a touch is down.
    var isTracking: Bool { touches.active.contains { !$0.isOver } }

    // MARK: Sending

    /// Hands an event to the windows it concerns.
    ///
    /// A touch event goes to each window that has touches in it, the front-most first; other events go to the window of
    /// their receiver, or straight to a receiver that is in none. A subclass that overrides it sees every event; what it
    /// does not pass to super reaches no window.
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

    /// The front-most and lowest view at a point of a screen; the point is in the screen's coordinates.
    func hitTest(_ point: CGPoint, on screen: Screen, with event: Event?) -> View? {
        if needsLayout { layoutIfNeeded() }
        for window in windows.reversed() where window.screen === screen {
            if let hit = window.hitTest(window.convertFromScreen(point), with: event) { return hit }
        }
        return nil
    }

    /// Where events without a place start: the key window's first responder, or the window, or the application.
    var placelessReceiver: Responder { keyWindow?.firstResponder ?? keyWindow ?? self }

    func noteDiscarded(_ event: Event) {
        discardedCallCount += 1
        didReport?(.eventDiscarded(type: event.type))
    }
}
