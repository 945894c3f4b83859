/// An object that owns a view and handles what the view does not (`UIViewController`).
///
/// In the responder chain it stands between its view and that view's superview.
open class ViewController: Responder {
    private var storedView: View?

    /// Makes a controller; its view is made when it is first asked for.
    public override init() { super.init() }

    /// The controller's view, made by `loadView()` when it is first read.
    public var view: View {
        get {
            if let storedView { return storedView }
            loadView()
            guard let storedView else {
                preconditionFailure("\(type(of: self)).loadView() returned without setting the controller's view")
            }
            viewDidLoad()
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

    /// The superview of the controller's view.
    open override var next: Responder? { storedView?.superview }

    /// Makes the view and sets it; override it to make another than an empty one, and do not call super.
    open func loadView() { view = View(frame: .zero) }

    /// Tells the controller that its view was made.
    open func viewDidLoad() {}
}
