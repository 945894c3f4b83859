import Evdev
import EventLoop
// As `import UIKit` does: `CGRect` and `TimeInterval` are Foundation's.
@_exported import Foundation

/// The object that takes every event from the queue and sends it to windows and responders (`UIApplication`).
///
/// All delivery happens on the main thread, synchronously, in the call that drains the queue.
///
/// A program has `shared`; a test makes its own, and delivers a recording:
///
/// ```swift
/// let application = Application()
/// let window = Window(frame: Screen.main.bounds, application: application)
/// window.makeKeyAndVisible()
/// try application.replay("Recordings/visit.evemu")
/// ```
@MainActor @preconcurrency open class Application: Responder {
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

    /// What sees the contacts and keys of devices before they become touches and presses, in this order; none by default.
    ///
    /// A filter that is no longer in the list is removed; what it has kept until then reaches nobody.
    package final var inputFilters: [any InputFilter] {
        get { chain.filters }
        set { chain.set(newValue, at: currentTime) }
    }

    /// The touchscreens that are connected: what a filter touches by itself appears to come from one of them.
    package final var panels: Set<DeviceID> = []

    /// Whether hit tests also find elements that take no touches: somebody reads, and touches nothing.
    package final var isFindingElements = false

    /// The sound cards with something in their headphone jack.
    private final var jacks: Set<DeviceID> = []
    /// Whether headphones are plugged in.
    package final var hasHeadphones: Bool { !jacks.isEmpty }
    /// Called when headphones are plugged in, with true, or out; nil, the default, for nothing.
    package final var headphonesHandler: ((Bool) -> Void)?
    /// A key that has no presses, and what it does; nil, the default, for none.
    package final var keyHandler: (code: UInt16, pressed: () -> Void)?

    /// The clock of the frames, for recognizers and `schedule(at:_:)`.
    final let timers = GestureTimers()
    lazy var touches = TouchTracker(application: self)
    lazy var gestures = GestureEnvironment(application: self)
    lazy var pointers = PointerTracker(application: self)
    lazy var presses = PressTracker(application: self)
    /// The detectors of the devices with an accelerometer, and the receivers of the shakes in progress.
    private var shakes: [DeviceID: ShakeDetector] = [:]
    private var shakeReceivers: [DeviceID: Responder] = [:]
    // The queue calls no code outside itself, so accesses cannot overlap.
    final var queue = EventQueue()
    private let chain = FilterChain()
    private var lastMadeContact = UInt32.max
    /// Drains the queue from the run loop that the application is attached to.
    private var queueSource: SignalledSource?
    /// Wakes that run loop when a recognizer's timeout ends.
    private var gestureTimer: RunLoopTimer?
    /// Runs Foundation's timers in that run loop.
    private var foundationLoop: FoundationLoop?
    private var ignoringCount = 0
    /// Whether a view in a window needs layout before the next event.
    final var needsLayout = false
    private var screensByDevice: [DeviceID: Screen] = [:]

    private var delegateResponder: Responder?
    private var isDraining = false
    private var isDrainAsked = false

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
        if needsLayout { layOutWindows() }
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
    ///
    /// A device that is removed keeps its screen: it has the same number when it returns to its port.
    public func setScreen(_ screen: Screen, for device: DeviceID) { screensByDevice[device] = screen }

    /// The touchscreen with the smallest number that belongs to a screen, or else any device that does; 0 if none does.
    func panel(on screen: Screen) -> DeviceID {
        let devices = screensByDevice.filter { $0.value === screen }.keys.sorted { $0.rawValue < $1.rawValue }
        return devices.first(where: panels.contains) ?? devices.first ?? DeviceID(rawValue: 0)
    }

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
    public nonisolated enum State: Int, Sendable {
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
        didBecomeActive()
    }

    func didBecomeActive() {
        delegate?.applicationDidBecomeActive(self)
        post(Self.didBecomeActiveNotification)
    }

    /// Cancels every touch that is down; each view that received `touchesBegan` receives `touchesCancelled` once.
    public func cancelAllTouches() {
        chain.cancelContacts(at: touches.event.timestamp)
        touches.cancelAll()
    }

    private func cancelEverything() {
        cancelAllTouches()
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
            if recognizer.attachedView?.isDescendant(of: root) == true { gestures.disable(recognizer) }
        }
        // A hidden window keeps its first responder.
        if !(root is Window) { root.endEditing(true) }
    }

    // MARK: Actions

    /// Sends an action to an object, a responder or another (`UIApplication.sendAction(_:to:from:for:)`).
    ///
    /// With a nil target the search starts at the first responder of the key window, or else at the sender.
    /// It continues up the responder chain to the first responder that can perform the action.
    /// - Returns: whether a responder performed the action.
    @discardableResult
    public func sendAction(_ action: Selector, to target: Any?, from sender: Any?, for event: Event?) -> Bool {
        let receiver: AnyObject?
        if let target {
            receiver = target as AnyObject
        } else {
            let place = sender as? Responder ?? (sender as? GestureRecognizer)?.attachedView
            let start = keyWindow?.firstResponder ?? place ?? placelessReceiver
            receiver = start.target(forAction: action, withSender: sender) as AnyObject?
        }
        let responder = receiver as? Responder
        let isPerformed = responder?.canPerformAction(action, withSender: sender)
        guard let receiver, isPerformed ?? action.hasMethod(of: receiver) else {
            // UIKit raises an exception if the target cannot perform the action; a kiosk reports it and continues.
            if let target {
                didReport?(.actionNotPerformed(action: action.description, target: "\(type(of: target))"))
            }
            return false
        }
        if let responder {
            responder.perform(action, with: sender, for: event)
        } else {
            action.call(on: receiver, with: sender)
        }
        return true
    }

    /// Delivers media keys as remote-control events from now on; UIKit requires the same call.
    public func beginReceivingRemoteControlEvents() { isReceivingRemoteControlEvents = true }

    /// Delivers media keys as presses again.
    public func endReceivingRemoteControlEvents() { isReceivingRemoteControlEvents = false }
}

/// The application's queue, and its connection to a run loop.
extension Application {
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
        guard queue.count > 0 else { return }
        isDraining = true
        defer { isDraining = false }
        var onlyMoves = true
        while let frame = queue.popFrame() {
            if !frame.onlyMovesContacts { onlyMoves = false }
            send(frame)
        }
        foundationLoop?.delivered(onlyMoves: onlyMoves)
    }

    /// Drains the queue if a drain was requested while touches were being cancelled.
    func drainIfAsked() {
        if isDrainAsked { drainEvents() }
    }

    /// Sends the events of a frame: contacts become touches here, and pointers and keys go to their trackers.
    ///
    /// Consecutive frames that only move contacts are merged into one event: a slow handler receives one move where the
    /// device reported several.
    private func send(_ frame: QueuedFrame) {
        let (device, timestamp) = (frame.device, timers.limit(frame.timestamp.seconds))
        let touches = touches
        if let due = timers.next, due <= timestamp {
            touches.sendPending()
            timers.advance(to: timestamp)
        }
        timers.pass(timestamp)
        let isFiltered = !chain.filters.isEmpty
        for _ in 0..<frame.contactCount {
            let contact = queue.popContact()
            // While touches are ignored, a filter would act on those that clean the screen.
            if isFiltered, contact.phase != .began || !isIgnoringEvents {
                // Before a filter delivers anything: a handler of an end may remove it.
                touches.sendEnds()
                if chain.keeps(contact, of: device, at: timestamp) {
                    touches.ignore(at: timestamp)
                    continue
                }
            }
            apply(contact, of: device, at: timestamp, touches)
        }
        if let motion = frame.pointer { pointers.move(motion, of: device, at: timestamp) }
        for _ in 0..<frame.keyCount { apply(queue.popKey(), of: device, at: timestamp) }
        if frame.onlyMovesContacts, queue.head?.onlyMovesContacts == true { return }
        touches.sendPending()
        if let delta = frame.scroll { pointers.turn(delta, of: device, at: timestamp) }
        if let acceleration = frame.acceleration { apply(acceleration, of: device, at: timestamp) }
        if frame.kind == .removal {
            chain.cancelContacts(of: device, at: timestamp)
            panels.remove(device)
            touches.remove(device)
            presses.cancel(of: device)
            cancelShake(of: device, at: timestamp)
            shakes[device] = nil
            pointers.remove(device)
        }
    }

    private func apply(
        _ contact: Contact, of device: DeviceID, at timestamp: TimeInterval, _ touches: TouchTracker
    ) {
        if let touch = touches.touch(of: device, contact: contact.id) {
            let phase: Touch.Phase =
                switch contact.phase {
                case .began, .moved: .moved
                case .ended: .ended
                case .cancelled: .cancelled
                }
            touches.change(touch, to: phase, state: TouchState(contact, on: touch.screen, at: timestamp))
        } else if contact.phase == .began {
            let screen = screen(for: device)
            touches.begin(
                device: device, contact: contact.id, type: contact.tool == .pen ? .pencil : .direct, screen: screen,
                state: TouchState(contact, on: screen, at: timestamp))
        } else if isIgnoringEvents {
            touches.ignore(at: timestamp)
        }
    }

    /// A number for a contact that no device has reported: from the largest downwards.
    package func makeContact() -> UInt32 {
        lastMadeContact -= 1
        return lastMadeContact
    }

    /// Delivers a contact of a filter as if a panel had reported it; the filters after it see it, too.
    ///
    /// The event is sent at the end of the device's frame, or with `sendContacts()`; a cancellation at once, also in a
    /// handler.
    package func deliver(
        _ contact: Contact, of device: DeviceID, at timestamp: TimeInterval, after filter: any InputFilter
    ) {
        if chain.keeps(contact, of: device, at: timestamp, after: filter) { return }
        if contact.phase == .cancelled { return touches.cancel(contact.id, of: device) }
        apply(contact, of: device, at: timestamp, touches)
    }

    /// Sends what a filter has delivered outside of a frame: at the end of each of its timers.
    package func sendContacts() { touches.sendPending() }

    private func apply(_ change: KeyChange, of device: DeviceID, at timestamp: TimeInterval) {
        if change.code == KeyCode.left { return pointers.button(change.action, of: device, at: timestamp) }
        touches.sendPending()
        if change.code == KeyCode.headphones {
            let had = hasHeadphones
            if change.action == .pressed { jacks.insert(device) } else { jacks.remove(device) }
            if had != hasHeadphones { headphonesHandler?(hasHeadphones) }
            return
        }
        // The repeats and the release of a kept key have no press.
        if change.action == .pressed, !isIgnoringEvents, keeps(change, of: device, at: timestamp) {
            return touches.ignore(at: timestamp)
        }
        presses.process(change, of: device, at: timestamp)
    }

    private func keeps(_ key: KeyChange, of device: DeviceID, at timestamp: TimeInterval) -> Bool {
        if let keyHandler, keyHandler.code == key.code {
            keyHandler.pressed()
            return true
        }
        return chain.filters.contains { $0.keeps(key, of: device, at: timestamp) }
    }

    // MARK: Shakes

    /// Processes a measurement, and sends an event to the first responder if it begins or ends a shake.
    private func apply(_ acceleration: Acceleration, of device: DeviceID, at timestamp: TimeInterval) {
        guard !isIgnoringEvents else { return }
        guard let change = shakes[device, default: ShakeDetector()].process(acceleration, at: timestamp) else { return }
        send(change, of: device, at: timestamp)
    }

    private func cancelShake(of device: DeviceID, at timestamp: TimeInterval) {
        guard let change = shakes[device]?.interrupt() else { return }
        send(change, of: device, at: timestamp)
    }

    /// Cancels every shake.
    func cancelShakes(at timestamp: TimeInterval) {
        for device in shakes.keys.sorted(by: { $0.rawValue < $1.rawValue }) { cancelShake(of: device, at: timestamp) }
    }

    private func send(_ change: ShakeDetector.Change, of device: DeviceID, at timestamp: TimeInterval) {
        if change == .began { shakeReceivers[device] = placelessReceiver }
        guard let receiver = shakeReceivers[device] else { return }
        if change != .began { shakeReceivers[device] = nil }
        let event = Event(type: .motion, application: self)
        event.subtype = .motionShake
        event.timestamp = timestamp
        let content: EventMessage.Content =
            switch change {
            case .began: .motionBegan
            case .ended: .motionEnded
            case .cancelled: .motionCancelled
            }
        event.message = EventMessage(content: content, receiver: receiver)
        sendEvent(event)
    }

    // MARK: The run loop

    /// Lets a run loop on the main thread drain the queue, in all its common modes.
    ///
    /// The loop wakes when an event is queued, handles the whole queue, and sleeps again. Attaching to another loop
    /// detaches from the first.
    /// - Parameters:
    ///   - loop: the main thread's loop.
    ///   - followsClock: whether the loop's monotonic clock, which is the clock of live devices, fires the timers of
    ///     recognizers. If false, the timestamps of frames do, and the player of a recording.
    public func attach(to loop: EpollRunLoop, followsClock: Bool = true) {
        detach()
        let source = SignalledSource(name: "touchd.events") { [weak self] in
            guard let self else { return }
            if queue.count == 0 { foundationLoop?.deliveredNothing() }
            drainEvents()
        }
        loop.add(source, to: .common)
        queueSource = source
        if queue.count > 0 { source.signal() }
        guard followsClock else { return }
        timers.onEarlier = { [weak self, weak loop] deadline in
            if let self, let loop { wake(loop, at: deadline) }
        }
        wake(loop, at: timers.next)
    }

    /// Removes the application's sources from their loop; events stay queued.
    public func detach() {
        queueSource?.invalidate()
        queueSource = nil
        gestureTimer?.invalidate()
        gestureTimer = nil
        timers.onEarlier = nil
    }

    /// Advances the frames' clock without a frame, for example at the end of a recording; in microseconds.
    public func advanceTime(to timestamp: InputTimestamp) {
        drainEvents()
        timers.advance(to: timestamp.seconds)
    }

    private func wake(_ loop: EpollRunLoop, at deadline: TimeInterval?) {
        gestureTimer?.invalidate()
        gestureTimer = nil
        guard let deadline else { return }
        // A duration may be infinite.
        let moment = Deadline(nanoseconds: Int64((min(deadline, 9e9) * 1e9).rounded(.up)))
        let timer = RunLoopTimer(name: "touchd.gestures", at: moment) { [weak self, weak loop] _ in
            guard let self, let loop else { return }
            advanceTime(to: InputTimestamp(microseconds: Int64((min(deadline, 9e9) * 1e6).rounded(.up))))
            foundationLoop?.turn()
            wake(loop, at: timers.next)
        }
        loop.add(timer, to: .common)
        gestureTimer = timer
    }

    /// Runs a loop until it is stopped or a deadline passes: in its tracking mode while touches are down, otherwise in
    /// its default mode, as UIKit does.
    ///
    /// Sources of the default mode alone wait while touches are down. Attaches the application to the loop if it is not
    /// attached.
    ///
    /// Meanwhile Foundation's run loop of this thread runs too, in its default mode and also while touches are down: a
    /// `Timer` fires at its time, and `RunLoop.main.perform` works. Additions by another thread or by the handler of
    /// a `RunLoopTimer` may wait for the next event; `DispatchQueue.main` runs it at once. Foundation's timers
    /// follow the real time, also when a recording is replayed; use `schedule(at:_:)` for what a recording must repeat.
    @discardableResult
    public func run(on loop: EpollRunLoop, until deadline: Deadline? = nil) -> EpollRunLoop.RunResult {
        if queueSource == nil { attach(to: loop) }
        let isOutermost = foundationLoop == nil
        if isOutermost { foundationLoop = FoundationLoop(on: loop) }
        defer {
            if isOutermost {
                foundationLoop?.invalidate()
                foundationLoop = nil
            }
        }
        while true {
            foundationLoop?.turn()
            // The mode may change after each source, and only a return of the run shows that.
            let result = loop.run(
                mode: isTracking ? .tracking : .default, until: deadline, returnAfterSourceHandled: true)
            if result != .handledSource { return result }
        }
    }

    // MARK: Statistics of the queue

    /// The number of queued device frames.
    package var queuedFrameCount: Int { queue.count }

    /// The time of the oldest queued frame, in seconds on the devices' clock; nil if the queue is empty.
    ///
    /// The queue's age is the current time on that clock minus this time.
    package var oldestQueuedTimestamp: TimeInterval? { queue.head?.timestamp.seconds }

    /// The number of moves that were merged because the queue was full, since the application was created.
    package var coalescedMoveCount: Int { queue.coalescedMoveCount }

    // MARK: The frames' clock

    // The clock of the devices' frames. A recording advances it by its frames; for a live application the run loop does
    // too.

    /// A scheduled closure, and how to cancel it.
    public typealias ScheduledAction = TouchKit.ScheduledAction

    /// The current time in seconds: on the monotonic clock if the application follows it, otherwise the time that the
    /// frames have reached.
    public var currentTime: TimeInterval { timers.now }

    /// Runs a closure at a given time in seconds on that clock, on the main actor and outside of any delivery.
    ///
    /// Due closures run before the next frame is processed, so a recording gives the same result at any speed.
    /// Foundation's `Timer`, `asyncAfter` and `Task.sleep` do not follow this clock: in a replay they fire at their real
    /// time, which may be after its end, and in a test that runs no run loop a `Timer` never fires.
    @discardableResult
    public func schedule(at moment: TimeInterval, _ body: @escaping () -> Void) -> ScheduledAction {
        timers.schedule(at: moment, body)
    }

    // MARK: Recordings

    /// Delivers a whole recording synchronously; for tests.
    ///
    /// The recording takes the path of a live device's events: decoder, queue, views. Recognizers and `schedule(at:_:)`
    /// use the recording's clock, so the result is always the same and does not depend on the recording's length. After
    /// its last event, ten seconds pass on that clock, so that recognizers that still wait can finish. Use a new
    /// application for each recording, because each recording has its own clock. This method detaches the application
    /// from its run loop.
    /// - Parameters:
    ///   - path: evemu text, `libinput record` YAML or `evtest` output; may be gzipped.
    ///   - screen: the recorded device's screen.
    ///   - rules: rules for the device, as for a live one.
    /// - Throws: if the file is not a recording or becomes invalid; everything before that point is delivered.
    public func replay(_ path: String, on screen: Screen = .main, rules: [DeviceRule] = []) throws {
        let played = play(try RecordingReader(path: path), path: path, rules: rules, on: try EpollRunLoop()) { _ in
            screen
        }
        if let failure = played.failure { throw failure }
    }

    /// The result of a playback.
    package struct Played {
        /// The recorded device, as the application receives it.
        package var device: DeviceInfo
        /// The time of the last event.
        package var lastTime: InputTimestamp
        /// The error that ended the playback early.
        package var failure: RecordingError?
    }

    /// Delivers a whole recording synchronously on a run loop, then detaches from the loop, as `replay` does.
    ///
    /// - Parameter screen: returns the screen of the device.
    package func play(
        _ reader: consuming RecordingReader, path: String, rules: [DeviceRule], on loop: EpollRunLoop,
        screen: (DeviceInfo) -> Screen
    ) -> Played {
        attach(to: loop, followsClock: false)
        defer { detach() }
        var failure: RecordingError?
        let player = player(reader, path: path, rules: rules, on: loop, speed: .maximum) { error in
            failure = error
            loop.stop()
        }
        setScreen(screen(player.info), for: player.info.id)
        player.start()
        run(on: loop)
        // Waiting recognizers finish, as if the screen were not touched for ten more seconds.
        advanceTime(to: player.lastTime.adding(microseconds: 10_000_000))
        return Played(device: player.info, lastTime: player.lastTime, failure: failure)
    }

    /// Creates a player of a recording for the application, which must not follow the loop's clock: the player fires the
    /// timers of recognizers and `schedule(at:_:)` at their times.
    package func player(
        _ reader: consuming RecordingReader, path: String, rules: [DeviceRule], on loop: EpollRunLoop,
        speed: RecordingPlayer.Speed, onEnd: @escaping (RecordingError?) -> Void
    ) -> RecordingPlayer {
        let player = RecordingPlayer(
            reader, path: path, loop: loop, speed: speed, rules: rules,
            // Each frame is delivered alone: if the queue coalesced moves, the result would depend on the speed.
            onFrame: { [self] frame in
                enqueue(frame)
                drainEvents()
            },
            onEnd: onEnd)
        player.timers = (
            next: { [timers] in
                timers.next.map { InputTimestamp(microseconds: Int64((min($0, 9e9) * 1e6).rounded())) }
            },
            fire: { [self] in
                if let next = timers.next { timers.advance(to: next) }
                foundationLoop?.turn()
            }
        )
        return player
    }
}

extension TouchState {
    fileprivate init(_ contact: Contact, on screen: Screen, at timestamp: TimeInterval) {
        self.init(
            timestamp: timestamp, location: screen.location(of: contact.position),
            force: CGFloat(contact.pressure ?? 0), hasForce: contact.pressure != nil,
            majorRadius: CGFloat(contact.majorRadius ?? 0) * screen.bounds.width,
            minorRadius: CGFloat(contact.minorRadius ?? 0) * screen.bounds.width,
            orientation: CGFloat(contact.orientation ?? 0), raw: contact.raw)
    }
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
