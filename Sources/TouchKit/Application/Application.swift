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
    /// Without observers nothing is recorded for them. In the service `EventPath` sets the whole list.
    package var observers: [any DeliveryObserver] {
        get { gestures.observers }
        set { gestures.observers = newValue }
    }
    /// Called with facts that help a program's author to find errors; for logs.
    package var didReport: ((Diagnostic) -> Void)?

    /// The time in seconds after which a touch that has not begun yet is dropped; nil, the default, for no limit.
    ///
    /// A user whose touch had no effect for seconds does something else. The clock must be that of the frames.
    package var touchAgeLimit: TimeInterval?

    lazy var touches = TouchTracker(application: self)
    lazy var gestures = GestureEnvironment(application: self)
    lazy var interpreter = FrameInterpreter(application: self)
    // The queue calls no code outside itself, so accesses cannot overlap.
    final var queue = EventQueue()
    /// Drains the queue from the run loop that the application is attached to.
    var queueSource: SignalledSource?
    /// Wakes that run loop when a recognizer's timeout ends.
    var gestureTimer: RunLoopTimer?
    /// Runs Foundation's timers in that run loop.
    final var foundationLoop: FoundationLoop?
    var ignoringCount = 0
    /// Whether a view in a window needs layout before the next event.
    final var needsLayout = false
    var screensByDevice: [DeviceID: Screen] = [:]

    private var delegateResponder: Responder?
    private var isDraining = false
    private var isDrainAsked = false

    /// Makes a separate application with an empty queue and no windows; programs use `shared`.
    public override init() { super.init() }

    /// The delegate, if it is a responder.
    open override var next: Responder? { delegateResponder === self ? nil : delegateResponder }

    // MARK: The queue

    /// Appends a frame to the queue and wakes the run loop that the application is attached to.
    ///
    /// The queue copies the frame into storage that it reuses, so a warm queue does not allocate. When more than 1,024
    /// frames are queued, the moves of one touch are merged; nothing else is ever dropped.
    public func enqueue(_ frame: borrowing InputFrame) {
        queue.append(frame)
        queueSource?.signal()
    }

    /// Appends the removal of a device to the queue; its touches are cancelled in order with the frames before it.
    public func enqueueRemoval(of device: DeviceID, at timestamp: InputTimestamp) {
        queue.appendRemoval(of: device, at: timestamp)
        queueSource?.signal()
    }

    /// Sends every queued event, first in, first out.
    ///
    /// A call from a handler does nothing: frames queued in the meantime are sent after the handlers of the current
    /// event.
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
        guard queue.count > 0 else { return }
        var onlyMoves = true
        repeat {
            if queue.head?.onlyMovesContacts == false { onlyMoves = false }
        } while interpreter.interpretNextFrame(of: self)
        foundationLoop?.delivered(onlyMoves: onlyMoves)
    }

    /// Drains the queue if a drain was requested while touches were being cancelled.
    func drainIfAsked() {
        if isDrainAsked { drainEvents() }
    }

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

    func noteDiscarded(_ event: Event) { didReport?(.eventDiscarded(type: event.type)) }
}
