import Foundation

/// The top of a tree of views on one screen (`UIWindow`).
///
/// Its frame is in the screen's coordinates.
///
/// A window is made hidden; `makeKeyAndVisible()` shows it, and its application keeps it as long as it is shown.
open class Window: View {
    /// Where a window stands among the windows of its screen (`UIWindow.Level`).
    public struct Level: Hashable, Comparable, Sendable {
        /// The number windows are ordered by; a greater one is nearer to the finger.
        public var rawValue: CGFloat

        /// Makes a level from its number.
        public nonisolated init(rawValue: CGFloat) { self.rawValue = rawValue }

        /// The level of ordinary windows: 0.
        public nonisolated static let normal = Level(rawValue: 0)
        /// The level of a status bar: 1000, as in UIKit.
        public nonisolated static let statusBar = Level(rawValue: 1000)
        /// The level of alerts, in front of all: 2000, as in UIKit.
        public nonisolated static let alert = Level(rawValue: 2000)

        /// Orders from back to front.
        public nonisolated static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The application whose events reach the window; the process's, unless another is set before it is shown.
    public weak var application: Application? {
        willSet { if newValue !== application { application?.remove(self) } }
        didSet { if oldValue !== application, !isHidden { application?.add(self) } }
    }

    /// The screen the window is on.
    public var screen: Screen {
        didSet { if oldValue !== screen { application?.cancelEverything(inBranch: self) } }
    }

    /// Where the window stands among the others; the front-most window is hit first.
    public var windowLevel = Level.normal {
        didSet { application?.sortWindows() }
    }

    /// Whether the window is shown; a window that is hidden loses its touches, and is not kept by its application.
    open override var isHidden: Bool {
        didSet {
            guard oldValue != isHidden else { return }
            if isHidden { application?.remove(self) } else { application?.add(self) }
        }
    }

    /// The responder that events without a place start at while this is the key window; nil means the window.
    public internal(set) weak var firstResponder: Responder?

    /// The controller whose view fills the window.
    public var rootViewController: ViewController? {
        didSet {
            guard oldValue !== rootViewController else { return }
            oldValue?.viewIfLoaded?.removeFromSuperview()
            guard let view = rootViewController?.view else { return }
            view.frame = bounds
            insertSubview(view, at: 0)
        }
    }

    /// Makes a hidden window of the process's application at a place on the main screen, in points.
    public override init(frame: CGRect) {
        screen = .main
        application = .shared
        super.init(frame: frame)
        isHidden = true
        setWindow(self)
    }

    /// Makes a hidden window of an application on a screen.
    public convenience init(frame: CGRect, application: Application, screen: Screen = .main) {
        self.init(frame: frame)
        self.application = application
        self.screen = screen
    }

    isolated deinit { leave(subviews) }

    private func leave(_ views: [View]) {
        for view in views {
            view.setWindow(nil)
            leave(view.subviews)
        }
    }

    /// The window's application.
    open override var next: Responder? { application }

    /// Whether events that have no place go to this window.
    public var isKeyWindow: Bool { application?.keyWindow === self }

    /// Shows the window in front of the others of its level, also if it is visible already, and makes it the key window.
    public func makeKeyAndVisible() {
        isHidden = false
        application?.bringToFront(self)
        makeKey()
    }

    /// Makes the window the key window; a hidden one stays hidden.
    public func makeKey() { application?.makeKey(self) }

    /// Tells the window that it became the key window.
    open func becomeKey() {}

    /// Tells the window that it is no longer the key window.
    open func resignKey() {}

    /// Hands an event to the views it concerns.
    ///
    /// The application calls it once an event for each window that has touches in it. A subclass that overrides it sees
    /// everything that happens in its window; what it does not pass to super reaches no view.
    open func sendEvent(_ event: Event) {
        switch event.type {
        case .touches: deliverTouches(of: event)
        case .presses: (event as? PressesEvent)?.deliver()
        case .motion, .remoteControl, .scroll, .hover: event.deliverMessage()
        }
    }
}
