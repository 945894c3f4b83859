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

    /// The recognizers attached to the view, in the order in which they were attached; nil if there never was one.
    @exclusivity(unchecked) public internal(set) final var gestureRecognizers: [GestureRecognizer]?

    /// The views in this one, the front-most last.
    @exclusivity(unchecked) public internal(set) final var subviews: [View] = []
    // An object that anything refers to weakly is counted in a table beside it from then on, which takes several times as
    // long. What a view keeps alive points back to it plainly; that is safe, as `deinit` takes those pointers back, where the
    // last reference goes on the main thread. Where it goes on another, they are there until the main thread comes to `deinit`.
    /// The view this one is in.
    @exclusivity(unchecked) public internal(set) final unowned(unsafe) var superview: View?
    /// The controller whose view this is.
    @exclusivity(unchecked) final weak var controller: ViewController?

    // Safe, as the window takes it back from all that is in it.
    @exclusivity(unchecked) private unowned(unsafe) var storedWindow: Window?
    // Not checked at run time for overlapping accesses, as the other properties that every hit-test reads: only the main
    // thread has them, and none is handed on `inout`. The checks took half the time of a hit-test.
    @exclusivity(unchecked) final var geometry: Geometry

    /// Whether hit-testing may answer for the view without calling its methods: its class overrides none of them.
    ///
    /// A class of this package whose overrides do nothing for some of its instances says so for these.
    @exclusivity(unchecked) package final var isHitTestedPlainly = true {
        didSet {
            guard oldValue != isHitTestedPlainly else { return }
            noteHittableChange()
            noteHitTestChange()
        }
    }
    /// What `canBeHit` answered last; holds for views that are hit-tested plainly.
    @exclusivity(unchecked) final var isHittable = true
    /// Whether the view moved with more views in it than an index follows one by one.
    @exclusivity(unchecked) final var isApart = false
    /// How many views are in this one, at any depth.
    @exclusivity(unchecked) final var descendantCount = 0
    /// The index of the views below this one, if hit-testing began here and there are many.
    @exclusivity(unchecked) final var ownIndex: HitTestIndex?
    /// The index of a view above in which this one is, and where.
    @exclusivity(unchecked) final var outerIndex: HitTestIndex?
    @exclusivity(unchecked) final var placeInIndex: Int32 = -1

    /// Makes a view at a place in its superview's coordinates, in points.
    public init(frame: CGRect) {
        geometry = Geometry(frame: frame.standardized)
        super.init()
        if HitTestOverrides.exist(in: type(of: self)) { isHitTestedPlainly = false }
    }

    /// Makes a view without extent.
    public override convenience init() { self.init(frame: .zero) }

    isolated deinit {
        for view in subviews { view.superview = nil }
        for recognizer in gestureRecognizers ?? [] { recognizer.view = nil }
        ownIndex?.root = nil
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

    /// Answers whether a point, in this view's coordinates, is in the view: in its bounds, unless overridden.
    open func point(inside point: CGPoint, with event: Event?) -> Bool { geometry.contains(point) }

    /// Whether hit-testing looks at the view at all.
    var canBeHit: Bool { isUserInteractionEnabled && !isHidden && alpha >= 0.01 }

    /// Whether a recognizer attached to the view, or to a superview while the view is touched, may leave possible.
    ///
    /// True, unless overridden.
    open func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool { true }

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

extension View: Hashable {
    /// A view is equal to itself alone.
    public nonisolated static func == (left: View, right: View) -> Bool { left === right }

    /// Hashes the object's identity.
    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
