import Evdev
import Foundation
import TouchKit

/// An application with one window, and fingers, a mouse and a keyboard for it: for tests of views and recognizers.
///
/// A finger's frames take the path of a panel's: queue, window, hit-testing, recognizers, views. They have been
/// delivered when its method returns. Nothing waits: the stage's clock advances only with frames and with
/// `advanceTime(by:)`.
///
/// ```swift
/// let stage = Stage(size: CGSize(width: 800, height: 480))
/// let button = Button(frame: CGRect(x: 100, y: 100, width: 200, height: 80))
/// stage.window.addSubview(button)
/// let finger = stage.finger()
///
/// finger.lands(at: button.center)
/// #expect(button.isHighlighted)
/// finger.moves(to: 600, 400, over: 0.5)
/// finger.lifts()
/// ```
///
/// Subclass it for the views that several tests share.
open class Stage {
    /// The application; not `Application.shared`, so that tests do not share it.
    public let application: Application
    /// The screen of the touchscreen and the mouse.
    public let screen: Screen
    /// The time of the last frame. If it is set, the application notices with the next frame, as after a pause in which
    /// it was busy.
    public var time = InputTimestamp(microseconds: 1_000_000)
    /// The time between two frames in seconds: at first 0.01, as for a panel with 100 reports a second.
    public var frameInterval: TimeInterval = 0.01
    private let ownWindow: Window?
    private var lastContact: UInt32 = 0
    /// The contacts of fingers that are down, with their devices.
    var contactsDown: [UInt32: DeviceID] = [:]

    /// Creates an application with a key window that covers its screen.
    ///
    /// - Parameter size: the screen's size in points. The default is a power of two, so that points convert to the unit
    ///   square of a device, and back, exactly.
    public init(size: CGSize = CGSize(width: 1024, height: 1024)) {
        application = Application()
        screen = Screen(bounds: CGRect(origin: .zero, size: size))
        let window = Window(frame: screen.bounds, application: application, screen: screen)
        window.accessibilityIdentifier = "window"
        ownWindow = window
        assignScreen()
        window.makeKeyAndVisible()
    }

    /// Creates a stage for an application that makes its own windows.
    ///
    /// ```swift
    /// let stage = Stage(application, screen: .main)
    /// let kiosk = Kiosk(application: stage.application)
    /// stage.finger().taps(at: kiosk.startButton.center)
    /// ```
    public init(_ application: Application, screen: Screen = .main) {
        self.application = application
        self.screen = screen
        ownWindow = nil
        assignScreen()
    }

    private func assignScreen() {
        for device in [DeviceID.touchscreen, .mouse] { application.setScreen(screen, for: device) }
    }

    /// The stage's window, or the key window of an application that makes its own.
    public var window: Window {
        guard let window = ownWindow ?? application.keyWindow else {
            preconditionFailure("the application has no key window; call makeKeyAndVisible() first")
        }
        return window
    }

    /// A finger that is not down yet.
    public func finger(on device: DeviceID = .touchscreen) -> Finger { Finger(on: self, device: device) }

    /// A finger that comes down at a point.
    @discardableResult
    public func finger(at x: CGFloat, _ y: CGFloat) -> Finger {
        let finger = finger()
        finger.lands(at: x, y)
        return finger
    }

    /// A finger comes down, and is lifted in the next frame.
    public func taps(at x: CGFloat, _ y: CGFloat) { finger().taps(at: x, y) }

    /// Sends one frame in which several contacts change, each once.
    ///
    /// ```swift
    /// stage.send(thumb.landing(at: 100, 100), finger.landing(at: 200, 100))
    /// ```
    ///
    /// As in a panel's report, ends come before moves, and moves before beginnings, whatever the order of the arguments.
    public func send(
        _ contacts: Contact..., device: DeviceID = .touchscreen, file: StaticString = #file, line: UInt = #line
    ) {
        enqueue(contacts, device: device, file: file, line: line)
        application.drainEvents()
    }

    /// Queues one frame without delivering it; `Application.drainEvents()` delivers it.
    public func enqueue(
        _ contacts: [Contact], device: DeviceID = .touchscreen, file: StaticString = #file, line: UInt = #line
    ) {
        if Set(contacts.map(\.id)).count < contacts.count {
            fatalError("a contact changes twice in one frame; send two frames", file: file, line: line)
        }
        // Stable: contacts of one phase stay in the order of the arguments.
        let ordered = contacts.sorted { $0.phase.rank < $1.phase.rank }
        application.enqueue(InputFrame(device: device, timestamp: tick(), contacts: ordered))
    }

    /// Advances the clock by a frame's interval, and returns it: the time for a frame that a test makes itself.
    @discardableResult
    public func tick() -> InputTimestamp {
        time.microseconds += Self.microseconds(frameInterval)
        return time
    }

    /// Lets seconds pass without a frame: recognizers that wait, such as a long press, notice.
    public func advanceTime(by seconds: TimeInterval) {
        time.microseconds += Self.microseconds(seconds)
        application.advanceTime(to: time)
    }

    /// Unplugs a device: its touches and presses are cancelled.
    public func unplug(_ device: DeviceID) {
        contactsDown = contactsDown.filter { $0.value != device }
        application.enqueueRemoval(of: device, at: tick())
        application.drainEvents()
    }

    /// A contact's number is never reused, as a panel's tracking ids are not.
    func newContact() -> UInt32 {
        lastContact += 1
        return lastContact
    }

    /// A point of a device's screen in the unit square of the device.
    func position(of point: CGPoint, on device: DeviceID) -> SurfacePoint {
        let bounds = application.screen(for: device).bounds
        return SurfacePoint(
            x: (point.x - bounds.minX) / bounds.width, y: (point.y - bounds.minY) / bounds.height)
    }

    static func microseconds(_ seconds: TimeInterval) -> Int64 { Int64((seconds * 1e6).rounded()) }
}

extension DeviceID {
    /// The device of a stage's fingers.
    public nonisolated static let touchscreen = DeviceID(rawValue: 1)
    /// The device of `Stage.mouse`.
    public nonisolated static let mouse = DeviceID(rawValue: 2)
    /// The device of `Stage.keyboard`.
    public nonisolated static let keyboard = DeviceID(rawValue: 3)
}

extension Stage {
    /// The mouse, whose pointer begins in the middle of the screen.
    public var mouse: Mouse { Mouse(stage: self) }
    /// The keyboard.
    public var keyboard: Keyboard { Keyboard(stage: self) }

    /// Shakes the device: `motionBegan(_:with:)` and `motionEnded(_:with:)` with the subtype `motionShake`.
    public func shakes() {
        for x in [0, 2, -2, 2.0] { accelerates(x: x, after: 0.1) }
        advanceTime(by: 1)
    }

    /// The accelerometer measures x in units of standard gravity, seconds after the last frame.
    public func accelerates(x: Double, after seconds: TimeInterval) {
        time.microseconds += Self.microseconds(seconds - frameInterval)
        deliver(InputFrame(device: .keyboard, timestamp: tick(), acceleration: Acceleration(x: x, y: 0, z: 1)))
    }

    func deliver(_ frame: borrowing InputFrame) {
        application.enqueue(frame)
        application.drainEvents()
    }
}

extension Stage {
    /// Delivers a recording, after which the stage can go on: with fingers, or with another recording.
    ///
    /// The events take the path of a live device's, through the decoder. The recording's clock continues the stage's.
    /// Contacts that are down at its end are cancelled, as if the device were unplugged.
    ///
    /// ```swift
    /// try stage.plays("visit.evemu")
    /// stage.advanceTime(by: 1)
    /// ```
    /// - Parameters:
    ///   - path: evemu text, `libinput record` YAML or `evtest` output; may be gzipped.
    ///   - description: a file with the device's description for a recording that has none.
    /// - Throws: if the file is not a recording or becomes invalid; everything before that point is delivered.
    public func plays(_ path: String, description: String? = nil) throws(RecordingError) {
        var reader = try RecordingReader(path: path, description: description)
        let device = DeviceID(rawValue: 1000 + newContact())
        application.setScreen(screen, for: device)
        let info = DeviceInfo(
            id: device, path: path, description: reader.description,
            role: DeviceRole(reader.description, udevProperties: reader.udevProperties), use: .used)
        let pipeline = FramePipeline(info) { [application] frame in
            application.enqueue(frame)
            application.drainEvents()
        }
        let start = tick()
        var first: InputTimestamp?
        defer { pipeline.cancelAll(at: time) }
        while var event = try reader.next() {
            let origin = first ?? event.time
            first = origin
            event.time.microseconds += start.microseconds - origin.microseconds
            time = max(time, event.time)
            pipeline.feed(event)
        }
    }
}

/// Closures that see deliveries, for tests inside this package.
extension Application {
    /// Adds an observer that calls a closure before each event is delivered, and before the other observers.
    package func beforeDelivery(_ body: @escaping (Event) -> Void) {
        observers.insert(Watcher(willDeliver: body), at: 0)
    }

    /// Adds an observer that calls a closure for each delivered touch.
    package func onDelivery(_ body: @escaping (TouchDelivery) -> Void) { observers.append(Watcher(didDeliver: body)) }

    /// Adds an observer that calls a closure for each change of a recognizer's state, with the former state.
    package func onStateChange(_ body: @escaping (GestureRecognizer, GestureRecognizer.State) -> Void) {
        observers.append(Watcher(didChangeState: body))
    }
}

private final class Watcher: DeliveryObserver {
    private let before: ((Event) -> Void)?, delivered: ((TouchDelivery) -> Void)?
    private let changed: ((GestureRecognizer, GestureRecognizer.State) -> Void)?

    init(
        willDeliver: ((Event) -> Void)? = nil, didDeliver: ((TouchDelivery) -> Void)? = nil,
        didChangeState: ((GestureRecognizer, GestureRecognizer.State) -> Void)? = nil
    ) { (before, delivered, changed) = (willDeliver, didDeliver, didChangeState) }

    func willDeliver(_ event: Event) { before?(event) }
    func didDeliver(_ delivery: TouchDelivery) { delivered?(delivery) }
    func didChangeState(of recognizer: GestureRecognizer, from former: GestureRecognizer.State) {
        changed?(recognizer, former)
    }
}
