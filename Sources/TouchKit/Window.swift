import Foundation

/// The root of a view tree on one screen (`UIWindow`).
///
/// Its frame is in the screen's coordinates.
///
/// A new window is hidden. `makeKeyAndVisible()` shows it; its application keeps a strong reference while it is
/// visible.
///
/// ```swift
/// let window = Window(frame: Screen.main.bounds)
/// window.rootViewController = ViewController()
/// window.makeKeyAndVisible()
/// ```
@MainActor @preconcurrency open class Window: View {
    /// The position of a window in front of or behind others on its screen (`UIWindow.Level`).
    public nonisolated struct Level: Hashable, Comparable, Sendable {
        /// The level's number; windows with greater numbers are in front.
        public var rawValue: CGFloat

        /// Makes a level from its number.
        public nonisolated init(rawValue: CGFloat) { self.rawValue = rawValue }

        /// Makes a level from its number.
        public nonisolated init(_ rawValue: CGFloat) { self.rawValue = rawValue }

        /// A level in front of another by a distance.
        public nonisolated static func + (level: Level, distance: CGFloat) -> Level {
            Level(rawValue: level.rawValue + distance)
        }

        /// A level behind another by a distance.
        public nonisolated static func - (level: Level, distance: CGFloat) -> Level {
            Level(rawValue: level.rawValue - distance)
        }

        /// The level of ordinary windows: 0.
        public nonisolated static let normal = Level(rawValue: 0)
        /// The level of a status bar: 1000, as in UIKit.
        public nonisolated static let statusBar = Level(rawValue: 1000)
        /// The level of alerts, in front of all others: 2000, as in UIKit.
        public nonisolated static let alert = Level(rawValue: 2000)

        /// Orders from back to front.
        public nonisolated static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The application that sends events to the window; `Application.shared`, unless another is set before the window
    /// is shown.
    public weak var application: Application? {
        willSet { if newValue !== application { application?.remove(self) } }
        didSet { if oldValue !== application, isShown { application?.add(self) } }
    }

    /// The window's screen.
    public var screen: Screen {
        didSet { if oldValue !== screen { application?.cancelEverything(inBranch: self) } }
    }

    /// The window's level; hit-testing starts with the front-most window.
    public var windowLevel = Level.normal {
        didSet { application?.sortWindows() }
    }

    /// Whether the window is hidden; hiding cancels its touches, and the application releases it.
    ///
    /// The view controllers in it appear and disappear with it.
    open override var isHidden: Bool {
        didSet {
            guard oldValue == isShown else { return }
            // A receiver of a cancellation, or a controller, may show or hide the window again.
            if !isShown { application?.remove(self) }
            let controllers = controllersOfBranch
            for controller in controllers { controller.viewWillMove(to: controller.viewIfLoaded?.window) }
            if isShown { application?.add(self) }
            for controller in controllers.reversed() { controller.viewDidMove(to: controller.viewIfLoaded?.window) }
        }
    }

    /// The stored value of `isHidden`, whatever an override returns.
    final var isShown: Bool { !obstacles.contains(.hidden) }

    /// The first receiver of events without a location while this is the key window; nil means the window itself.
    public internal(set) weak var firstResponder: Responder?

    /// The controller of the view that fills the window, and follows the window's size; margins that a program gives the
    /// view stay.
    public var rootViewController: ViewController? {
        didSet {
            guard oldValue !== rootViewController else { return }
            oldValue?.viewIfLoaded?.leaveSuperview()
            guard let view = rootViewController?.view else { return }
            view.frame = geometry.bounds
            view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            insert(view) { $0.startIndex }
        }
    }

    /// Makes a hidden window of `Application.shared` with a frame on the main screen, in points.
    public override init(frame: CGRect) {
        screen = .main
        application = .shared
        super.init(frame: frame)
        isHidden = true
        window = self
    }

    /// Makes a hidden window that fills the main screen, for subclasses that implement `init?(coder:)` as UIKit
    /// requires; the coder is not read.
    public override init?<Coder: NSCoder>(coder: Coder) {
        screen = .main
        application = .shared
        super.init(coder: coder)
        frame = screen.bounds
        isHidden = true
        window = self
    }

    /// Makes a hidden window of an application on a screen.
    public convenience init(frame: CGRect, application: Application, screen: Screen = .main) {
        self.init(frame: frame)
        self.application = application
        self.screen = screen
    }

    override class var classOfModule: View.Type { Window.self }

    nonisolated deinit {
        Self.onMainThread { for view in subviews { view.setWindowOfBranch(nil) } }
    }

    /// The window's application.
    open override var next: Responder? { application }

    /// Whether events without a location go to this window.
    public var isKeyWindow: Bool { application?.keyWindow === self }

    /// Makes the window visible and the key window, and moves it in front of the others of its level.
    public func makeKeyAndVisible() {
        isHidden = false
        application?.bringToFront(self)
        makeKey()
    }

    /// Makes the window the key window; a hidden window stays hidden.
    public func makeKey() { application?.makeKey(self) }

    /// Called when the window became the key window.
    open func becomeKey() {}

    /// Called when the window is no longer the key window.
    open func resignKey() {}

    /// Delivers an event to its views (`UIWindow.sendEvent(_:)`): one view receives began first, then moved, ended and
    /// cancelled.
    ///
    /// The application calls it once an event for each window with touches in it. An override sees every event of its
    /// window; events that it does not pass to super reach no view.
    open func sendEvent(_ event: Event) {
        switch event.type {
        case .touches: (event.tracker ?? event.application?.touches)?.deliver(event, to: self)
        case .presses: (event as? PressesEvent)?.deliver()
        case .motion, .remoteControl, .scroll, .hover: event.deliverMessage()
        }
    }
}

extension Event {
    /// Whether a touch of a window has an undelivered change.
    func isPending(in window: Window) -> Bool {
        for index in touches.indices where touches[index].isPending && touches[index].window === window {
            return true
        }
        return false
    }
}
