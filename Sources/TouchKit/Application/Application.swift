import Evdev
import EventLoop
import Foundation

/// The object that takes every event from the queue and hands it to windows and responders (`UIApplication`).
///
/// Everything happens on the main thread, in the call that empties the queue; nothing is sent later or from elsewhere.
open class Application: Responder {
    /// The process's application.
    public static var shared = Application()

    /// Decides what the application does at its start, and is last in the responder chain if it is a responder.
    ///
    /// The application keeps its delegate alive.
    public var delegate: (any ApplicationDelegate)? {
        didSet { delegateResponder = delegate as? Responder }
    }

    /// The windows that are shown, from back to front.
    public private(set) var windows: [Window] = []
    /// The window that events without a place go to.
    public private(set) weak var keyWindow: Window?

    /// Is called once for each touch and phase, after its responders were called; for logs.
    ///
    /// Nothing is gathered for it while it is nil.
    public var didDeliver: ((TouchDelivery) -> Void)?
    /// Is called when something happens that a program's author wants to know of; for logs.
    public var didReport: ((Diagnostic) -> Void)?
    /// How many calls went up a responder chain to its end without anything handling them.
    public internal(set) var discardedCallCount = 0

    lazy var touches = TouchTracker(application: self)
    lazy var interpreter = FrameInterpreter(application: self)
    var queue = EventQueue()
    /// What empties the queue in the run loop the application is attached to.
    var queueSource: SignalledSource?

    private var delegateResponder: Responder?
    private var screensByDevice: [DeviceID: Screen] = [:]
    private var ignoringCount = 0
    private var isDraining = false
    private var isDrainAsked = false

    /// Makes an application of its own, with an empty queue and no windows; programs use `shared`.
    public override init() { super.init() }

    /// The delegate, if it is a responder.
    open override var next: Responder? { delegateResponder === self ? nil : delegateResponder }

    // MARK: The queue

    /// Puts a frame at the end of the queue and wakes the run loop that the application is attached to.
    ///
    /// The frame is copied into storage that is kept, so nothing is allocated once the queue is warm.
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
        while let frame = queue.popFrame() {
            let timestamp = frame.timestamp.seconds
            for _ in 0..<frame.contactCount {
                interpreter.apply(queue.popContact(), of: frame.device, at: timestamp)
            }
            if let motion = frame.pointer { interpreter.apply(motion, of: frame.device, at: timestamp) }
            for _ in 0..<frame.keyCount { interpreter.apply(queue.popKey(), of: frame.device, at: timestamp) }
            if frame.kind == .removal { interpreter.remove(frame.device) }
            if frame.onlyMovesContacts, queue.head?.onlyMovesContacts == true { continue }
            touches.sendPending()
        }
    }

    /// Empties the queue if that was asked while touches were being cancelled.
    func drainIfAsked() {
        if isDrainAsked { drainEvents() }
    }

    // MARK: Sending

    /// Hands an event to the windows it concerns: a touch event to each window that has touches in it, the front-most
    /// first.
    ///
    /// A subclass that overrides it sees every event; what it does not pass to super reaches no window.
    open func sendEvent(_ event: Event) {
        for window in windows.reversed()
        where event.touches.contains(where: { $0.window === window && $0.delivery.isPending }) {
            window.sendEvent(event)
        }
    }

    /// Cancels every touch that is down: each view that was told of a beginning is told of the cancelling, once.
    public func cancelAllTouches() { touches.cancelAll() }

    /// Whether events are thrown away at the moment.
    public var isIgnoringInteractionEvents: Bool { ignoringCount > 0 }

    /// Throws events away until `endIgnoringInteractionEvents()` was called as often; touches that are down are cancelled.
    public func beginIgnoringInteractionEvents() {
        ignoringCount += 1
        cancelAllTouches()
    }

    /// Undoes one `beginIgnoringInteractionEvents()`.
    ///
    /// Touches that began in between stay ignored.
    public func endIgnoringInteractionEvents() {
        precondition(ignoringCount > 0, "endIgnoringInteractionEvents() without a beginIgnoringInteractionEvents()")
        ignoringCount -= 1
    }

    // MARK: Windows and screens

    /// The screens of the application's windows and devices, the main screen first.
    public var screens: [Screen] {
        var screens = [Screen.main]
        for screen in windows.map(\.screen)
            + screensByDevice.sorted(by: { $0.key.rawValue < $1.key.rawValue }).map(\.value)
        where !screens.contains(where: { $0 === screen }) {
            screens.append(screen)
        }
        return screens
    }

    /// The screen a device touches: the main one, unless it was given another.
    public func screen(for device: DeviceID) -> Screen { screensByDevice[device] ?? .main }

    /// Gives a device a screen; touches that are down stay on theirs.
    public func setScreen(_ screen: Screen, for device: DeviceID) { screensByDevice[device] = screen }

    func add(_ window: Window) {
        guard !windows.contains(where: { $0 === window }) else { return }
        windows.append(window)
        sortWindows()
    }

    func remove(_ window: Window) {
        touches.cancel(inBranch: window)
        windows.removeAll { $0 === window }
        if keyWindow === window { keyWindow = windows.last }
    }

    func makeKey(_ window: Window) {
        guard windows.contains(where: { $0 === window }) else { return }
        keyWindow = window
    }

    func sortWindows() {
        // `sort` is stable, so windows of one level stay in the order in which they were shown.
        windows.sort { $0.windowLevel < $1.windowLevel }
    }
}
