import Foundation

/// A rectangle that can be touched (`UIView`).
///
/// It has a place in its superview, and draws nothing.
///
/// `frame` and `center` are in the superview's coordinates, `bounds` in its own; x grows to the right, y downwards, both
/// in points.
open class View: Responder {
    /// How deep views may be nested: the greatest number of superviews of a view, 1,000.
    ///
    /// Adding a view that would be deeper stops the program. UIKit has no such number; there the stack overflows.
    public static let maximumDepth = 1000

    /// A name for logs and layouts; unlike UIKit's `accessibilityIdentifier` it has no other use.
    public var identifier: String?
    /// Whether logs say only that this view was touched, not where, and not which view in it (not in UIKit).
    public var isPrivate = false
    /// A number to find the view by (`viewWithTag(_:)`).
    public var tag = 0

    /// Whether the view and all that is in it is hidden, and so never touched.
    open var isHidden = false {
        didSet { noteHittableChange() }
    }
    /// How opaque the view is, from 0 to 1; below 0.01 neither it nor anything in it is touched.
    open var alpha: CGFloat = 1 {
        didSet { noteHittableChange() }
    }
    /// Whether the view and what is in it can be touched; true at first.
    open var isUserInteractionEnabled = true {
        didSet { noteHittableChange() }
    }
    /// Whether the view is given more than the first touch of a sequence; false at first.
    open var isMultipleTouchEnabled = false
    /// Whether other views of the window are given no touches while this one has one; false at first.
    open var isExclusiveTouch = false
    /// Whether subviews are drawn only within the bounds; hit-testing is the same either way.
    open var clipsToBounds = false

    /// See `gestureRecognizers`.
    @exclusivity(unchecked) final var recognizers: [GestureRecognizer]?

    /// The views in this one, the front-most last.
    @exclusivity(unchecked) public internal(set) final var subviews: [View] = []
    // An object that anything refers to weakly is counted in a table beside it from then on, which takes several times as
    // long. What a view keeps alive points back to it plainly; that is safe, as `deinit` takes those pointers back, where the
    // last reference goes on the main thread. Where it goes on another, they are there until the main thread comes to `deinit`.
    /// The view this one is in.
    @exclusivity(unchecked) public internal(set) final unowned(unsafe) var superview: View?
    /// The controller whose view this is.
    @exclusivity(unchecked) final weak var controller: ViewController? {
        didSet { if controller != nil { setNeedsLayout() } }
    }

    // Safe, as the window takes it back from all that is in it.
    @exclusivity(unchecked) private unowned(unsafe) var storedWindow: Window?
    // Not checked at run time for overlapping accesses, as the other properties that every hit-test reads: only the main
    // thread has them, and none is handed on `inout`. The checks took half the time of a hit-test.
    @exclusivity(unchecked) final var geometry: Geometry

    /// Whether hit-testing answers for the view without calling its methods; first `hitTestsByBounds` of its class.
    ///
    /// A class of this package whose overrides do nothing for some of its instances sets it for these.
    @exclusivity(unchecked) package final var isHitTestedPlainly = true {
        didSet {
            guard oldValue != isHitTestedPlainly else { return }
            noteHittableChange()
            noteHitTestChange()
        }
    }
    /// The last value of `canBeHit`; valid for views that are hit-tested plainly.
    @exclusivity(unchecked) final var isHittable = true
    /// The grid of the subviews, if there are many and a point was searched.
    @exclusivity(unchecked) final var subviewGrid: SubviewGrid?
    /// Where the view is in its superview's grid.
    @exclusivity(unchecked) final var gridPlace = SubviewGrid.Place()
    /// Whether the view's class may override `layoutSubviews()`; a class of this package that does not says so.
    @exclusivity(unchecked) package final var isLaidOut = false
    /// Whether the view is to be laid out.
    @exclusivity(unchecked) final var needsLayout = false
    /// Whether a view in this one, at any depth, is to be laid out.
    @exclusivity(unchecked) final var needsLayoutBelow = false

    /// Makes a view at a place in its superview's coordinates, in points.
    public init(frame: CGRect) {
        geometry = Geometry(frame: frame.standardized)
        super.init()
        prepareForSubclass()
    }

    /// Makes a view without extent, for subclasses that implement `init?(coder:)` as UIKit requires.
    ///
    /// There are no archives on Linux, so nothing is read from the coder. It is not a required initializer: subclasses may
    /// leave it out. It is generic so that a subclass needs no `override` beside `required`.
    public init?<Coder: NSCoder>(coder: Coder) {
        geometry = Geometry(frame: .zero)
        super.init()
        prepareForSubclass()
    }

    private func prepareForSubclass() {
        let type = type(of: self)
        if !type.hitTestsByBounds { isHitTestedPlainly = false }
        // The classes of this module lay nothing out.
        isLaidOut = type != View.self && type != Control.self && type != Button.self && type != Window.self
        needsLayout = isLaidOut
    }

    /// Makes a view without extent.
    public override convenience init() { self.init(frame: .zero) }

    isolated deinit {
        for view in subviews { view.superview = nil }
        for recognizer in recognizers ?? [] { recognizer.view = nil }
    }

    /// The view's controller, if it is that controller's view, or else its superview.
    open override var next: Responder? { controller ?? superview }

    /// The window the view is in; nil while it is in none.
    public var window: Window? { storedWindow }

    func setWindow(_ window: Window?) { storedWindow = window }

    /// Answers the view in which a point is touched (`UIView.hitTest(_:with:)`): the front-most and lowest view of this
    /// branch that contains it, or nil.
    ///
    /// A view that is hidden, nearly transparent or does not take touches is skipped with all that is in it, without
    /// being asked whether the point is inside; so is one that says it is not. Override it to let touches through or
    /// to redirect them.
    /// - Parameters:
    ///   - point: in this view's coordinates.
    ///   - event: the event of the touch; nil when a program asks.
    open func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        if isHitTestedPlainly {
            guard isHittable, geometry.contains(point) else { return nil }
        } else {
            guard canBeHit, self.point(inside: point, with: event) else { return nil }
        }
        return hitInside(point, with: event)
    }

    /// Whether the class is hit-tested by its bounds alone: it overrides neither `hitTest(_:with:)` and
    /// `point(inside:with:)` nor the properties that they read (not in UIKit).
    ///
    /// True for TouchKit's own classes, false for their subclasses unless these override it. A view of such a class is found
    /// in a grid of its siblings, without a call; any other is asked at every touch in its superview. Debug builds compare
    /// both answers and report a difference.
    open class var hitTestsByBounds: Bool {
        self == View.self || self == Control.self || self == Button.self || self == Window.self
    }

    /// Answers whether a point, in this view's coordinates, is in the view: in its bounds, unless overridden.
    open func point(inside point: CGPoint, with event: Event?) -> Bool { geometry.contains(point) }

    /// Whether hit-testing looks at the view at all.
    package var canBeHit: Bool { isUserInteractionEnabled && !isHidden && alpha >= 0.01 }

    /// Whether a recognizer attached to the view, or to a superview while the view is touched, may leave possible.
    ///
    /// True, unless overridden.
    open func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool { true }

    /// Sets the frames of the subviews; override it where they depend on the view's bounds. It does nothing by default.
    ///
    /// TouchKit calls it before the next event, and in `layoutIfNeeded()`, after `setNeedsLayout()`, after the
    /// size of the bounds changed, and after a subview was added or removed. Do not call it. The source is
    /// `UIView.layoutSubviews()`.
    open func layoutSubviews() {}

    /// Tells the view that it is about to be put in a superview, or with nil, taken out of one.
    open func willMove(toSuperview newSuperview: View?) {}

    /// Tells the view that it was put in a superview or taken out.
    open func didMoveToSuperview() {}

    /// Tells the view that it is about to be in a window, or with nil, in none.
    open func willMove(toWindow newWindow: Window?) {}

    /// Tells the view that its window changed.
    open func didMoveToWindow() {}

    /// Tells the view that a subview was added.
    open func didAddSubview(_ subview: View) {}

    /// Tells the view that a subview is about to be removed.
    open func willRemoveSubview(_ subview: View) {}
}
