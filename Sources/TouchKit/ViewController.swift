import Foundation

/// An object that owns a view and handles the events that the view does not handle (`UIViewController`).
///
/// In the responder chain it comes between its view and that view's superview.
///
/// ```swift
/// final class MenuController: ViewController {
///     override func viewDidLoad() {
///         let start = Button(frame: CGRect(x: 660, y: 440, width: 600, height: 200))
///         start.addHandler(for: .primaryActionTriggered) { _, _ in print("start") }
///         view.addSubview(start)
///     }
/// }
/// ```
@MainActor @preconcurrency open class ViewController: Responder {
    /// The stages of the view's way into a window and out of it.
    private enum Appearance {
        case disappeared
        case appearing
        case appeared
        case disappearing
    }

    private var storedView: View?
    private var appearance = Appearance.disappeared

    /// The parent controller.
    public private(set) weak var parent: ViewController?
    /// The child controllers; their views are descendants of this controller's view.
    public private(set) var children: [ViewController] = []

    /// Makes a controller; the first access to `view` creates its view.
    public override convenience init() { self.init(nibName: nil, bundle: nil) }

    /// Makes a controller like `init()`: there are no nib files on Linux, so both arguments are ignored
    /// (`UIViewController.init(nibName:bundle:)`).
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

    /// Makes a controller, for subclasses that implement `init?(coder:)` as UIKit requires; the coder is not read.
    ///
    /// Like `View`'s initializer it is not required, and generic so that a subclass needs no `override`.
    public init?<Coder: NSCoder>(coder: Coder) { super.init() }

    // MARK: The view

    /// The controller's view; the first access calls `loadView()`.
    public var view: View {
        get {
            loadViewIfNeeded()
            guard let storedView else {
                preconditionFailure("\(type(of: self)).loadView() returned without setting the controller's view")
            }
            return storedView
        }
        set {
            if storedView?.controller === self { storedView?.controller = nil }
            storedView = newValue
            newValue.controller = self
        }
    }

    /// The view, if it is loaded.
    public var viewIfLoaded: View? { storedView }

    /// Whether the view is loaded.
    public var isViewLoaded: Bool { storedView != nil }

    /// Loads the view if it is not loaded.
    public func loadViewIfNeeded() {
        guard storedView == nil else { return }
        loadView()
        if storedView != nil { viewDidLoad() }
    }

    /// The superview of the controller's view.
    open override var next: Responder? { storedView?.superview }

    /// Creates the view and sets it; the default creates an empty view. An override does not call super.
    open func loadView() { view = View(frame: .zero) }

    /// Called after the view was loaded.
    open func viewDidLoad() {}

    // MARK: Appearance

    /// Called before the view moves to a visible window, or before its window is shown.
    open func viewWillAppear(_ animated: Bool) {}

    /// Called after the view moved to a visible window, or after its window was shown.
    open func viewDidAppear(_ animated: Bool) {}

    /// Called before the view leaves its visible window, or when that was hidden.
    open func viewWillDisappear(_ animated: Bool) {}

    /// Called after the view left its visible window, or after that was hidden.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Updates the appearance before the view's window changes; `animated` is always false. A view in a hidden window has
    /// not appeared.
    func viewWillMove(to window: Window?) {
        switch (appearance, window?.isShown == true) {
        case (.disappeared, true), (.disappearing, true):
            appearance = .appearing
            viewWillAppear(false)
        case (.appeared, false), (.appearing, false):
            appearance = .disappearing
            viewWillDisappear(false)
        default: break
        }
    }

    /// Updates the appearance after the view's window changed.
    func viewDidMove(to window: Window?) {
        switch (appearance, window?.isShown == true) {
        case (.appearing, true):
            appearance = .appeared
            viewDidAppear(false)
        case (.disappearing, false):
            appearance = .disappeared
            viewDidDisappear(false)
        default: break
        }
    }

    // MARK: Layout

    /// Called before the view lays out its subviews.
    open func viewWillLayoutSubviews() {}

    /// Called after the view laid out its subviews.
    open func viewDidLayoutSubviews() {}

    // MARK: Children

    /// Adds a child controller; the caller adds the child's view, as in UIKit.
    public func addChild(_ child: ViewController) {
        precondition(child !== self, "a view controller cannot be its own child")
        guard child.parent !== self else { return }
        child.removeFromParent()
        child.willMove(toParent: self)
        children.append(child)
        child.parent = self
    }

    /// Removes the controller from its parent.
    public func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
    }

    /// Called before the parent changes; the parent calls it with nil before it removes a child.
    open func willMove(toParent parent: ViewController?) {}

    /// Called after the parent changed; the parent calls it after it added a child.
    open func didMove(toParent parent: ViewController?) {}
}
