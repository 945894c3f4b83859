import Foundation

/// An object that owns a view and handles what the view does not (`UIViewController`).
///
/// In the responder chain it stands between its view and that view's superview.
open class ViewController: Responder {
    /// Where the controller's view is on its way into a window or out of it.
    private enum Appearance {
        case disappeared
        case appearing
        case appeared
        case disappearing
    }

    private var storedView: View?
    private var appearance = Appearance.disappeared

    /// The controller that this one is a child of.
    public private(set) weak var parent: ViewController?
    /// The controllers whose views are somewhere in this one's view.
    public private(set) var children: [ViewController] = []

    /// Makes a controller; its view is made when it is first asked for.
    public override init() { super.init() }

    /// Makes a controller, as `init()` does: there are no nib files on Linux, so both names are ignored
    /// (`UIViewController.init(nibName:bundle:)`).
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

    /// Makes a controller, for subclasses that implement `init?(coder:)` as UIKit requires; nothing is read from the coder.
    ///
    /// As the initializer of `View` it is not required, and generic so that a subclass needs no `override`.
    public init?<Coder: NSCoder>(coder: Coder) { super.init() }

    // MARK: The view

    /// The controller's view, made by `loadView()` when it is first read.
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

    /// The view, if it was made already.
    public var viewIfLoaded: View? { storedView }

    /// Whether the view was made already.
    public var isViewLoaded: Bool { storedView != nil }

    /// Makes the view, unless it was made already.
    public func loadViewIfNeeded() {
        guard storedView == nil else { return }
        loadView()
        if storedView != nil { viewDidLoad() }
    }

    /// The superview of the controller's view.
    open override var next: Responder? { storedView?.superview }

    /// Makes the view and sets it; override it to make another than an empty one, and do not call super.
    open func loadView() { view = View(frame: .zero) }

    /// Tells the controller that its view was made.
    open func viewDidLoad() {}

    // MARK: Appearance

    /// Tells the controller that its view is about to be in a window.
    open func viewWillAppear(_ animated: Bool) {}

    /// Tells the controller that its view is in a window.
    open func viewDidAppear(_ animated: Bool) {}

    /// Tells the controller that its view is about to be in no window.
    open func viewWillDisappear(_ animated: Bool) {}

    /// Tells the controller that its view is in no window.
    open func viewDidDisappear(_ animated: Bool) {}

    /// Takes note that the view is about to change its window; nothing is animated here.
    func viewWillMove(to window: Window?) {
        switch (appearance, window) {
        case (.disappeared, .some):
            appearance = .appearing
            viewWillAppear(false)
        case (.appeared, nil):
            appearance = .disappearing
            viewWillDisappear(false)
        default: break
        }
    }

    /// Takes note that the view changed its window.
    func viewDidMove(to window: Window?) {
        switch (appearance, window) {
        case (.appearing, .some):
            appearance = .appeared
            viewDidAppear(false)
        case (.disappearing, nil):
            appearance = .disappeared
            viewDidDisappear(false)
        default: break
        }
    }

    // MARK: Layout

    /// Tells the controller that its view is about to lay out its subviews.
    open func viewWillLayoutSubviews() {}

    /// Tells the controller that its view has laid out its subviews.
    open func viewDidLayoutSubviews() {}

    // MARK: Children

    /// Makes a controller a child of this one; its view is to be added by the caller, as in UIKit.
    public func addChild(_ child: ViewController) {
        precondition(child !== self, "a view controller cannot be its own child")
        guard child.parent !== self else { return }
        child.removeFromParent()
        child.willMove(toParent: self)
        children.append(child)
        child.parent = self
    }

    /// Makes the controller be no child.
    public func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didMove(toParent: nil)
    }

    /// Tells the controller that it is about to get a parent; before removing a child its parent is to call it with nil.
    open func willMove(toParent parent: ViewController?) {}

    /// Tells the controller that its parent changed; after adding a child its parent is to call it.
    open func didMove(toParent parent: ViewController?) {}
}
