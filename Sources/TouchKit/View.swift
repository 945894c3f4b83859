import Foundation

/// A rectangle that receives touches (`UIView`).
///
/// It has a position in its superview, and draws nothing.
///
/// `frame` and `center` are in the superview's coordinates, `bounds` in its own; x increases to the right, y downwards,
/// both in points.
///
/// ```swift
/// final class PictureView: View {
///     override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
///         for touch in touches { print("touched at", touch.location(in: self)) }
///     }
/// }
///
/// window.addSubview(PictureView(frame: CGRect(x: 300, y: 200, width: 420, height: 300)))
/// ```
@MainActor @preconcurrency open class View: DrawingNames {
    /// The maximum number of ancestors of a view: 1,000.
    ///
    /// Adding a view deeper than this stops the program. UIKit has no such limit; there the stack overflows.
    public static let maximumDepth = 1000

    /// A name for logs and layouts (`UIAccessibilityIdentification.accessibilityIdentifier`).
    open var accessibilityIdentifier: String?
    /// Whether logs contain only that this view was touched, without location and without the name of a subview. An
    /// addition to UIKit.
    public var isPrivate = false
    /// Whether the program that draws the screen also receives the touches that begin in the view; nil, the default,
    /// for the superview's value. Only for touchscreens whose touches touchd forwards. An addition to UIKit.
    public var forwardsTouches: Bool? {
        get { details.forwardsTouches }
        set { if newValue != forwardsTouches { changedDetails.forwardsTouches = newValue } }
    }
    /// A number for `viewWithTag(_:)`.
    open var tag: Int {
        get { details.tag }
        set { changedDetails.tag = newValue }
    }

    /// Whether the view and its descendants are hidden; they do not receive touches then.
    open var isHidden: Bool {
        get { obstacles.contains(.hidden) }
        set { obstacles.set(.hidden, newValue) }
    }
    /// The opacity from 0 to 1; below 0.01, neither the view nor a descendant receives touches.
    open var alpha: CGFloat = 1 {
        didSet { obstacles.set(.transparent, !(alpha >= Self.minimumAlpha)) }
    }
    /// Whether the view and its descendants receive touches; true by default.
    open var isUserInteractionEnabled: Bool {
        get { !obstacles.contains(.notInteractive) }
        set { obstacles.set(.notInteractive, !newValue) }
    }
    /// Whether the view receives more than the first touch of a sequence; false by default.
    open var isMultipleTouchEnabled = false
    /// Whether other views of the window receive no touches while this one has a touch; false by default.
    open var isExclusiveTouch = false
    /// Whether subviews are drawn only within the bounds; it has no effect on hit-testing.
    open var clipsToBounds = false

    /// See `gestureRecognizers`.
    final var recognizers: [GestureRecognizer]?

    // Not checked at run time for overlapping accesses, like the other properties that every hit-test reads: only the
    // main thread uses them, and none is passed `inout`. The checks took half the time of a hit-test.
    /// The subviews, the front-most last.
    @exclusivity(unchecked) public internal(set) final var subviews: [View] = []
    // An object with weak references needs a side table, which makes reference counting several times as slow.
    // Therefore the objects that a view owns refer back to it with `unowned(unsafe)`. That is safe: `deinit` clears
    // these references on the main thread. If the last release is on another thread, that one waits until then.
    /// The superview.
    public internal(set) final unowned(unsafe) var superview: View?
    /// The controller whose view this is.
    final weak var controller: ViewController? {
        didSet { if controller != nil { markForLayout() } }
    }

    // Safe: a window clears this reference in all its views.
    /// The view's window; nil if it has none.
    public internal(set) final unowned(unsafe) var window: Window?
    // Unchecked as `subviews` is.
    @exclusivity(unchecked) final var geometry: Geometry

    /// Whether hit-testing decides for the view without calling its methods; initially the class's `hitTestsByBounds`.
    ///
    /// A class of this package sets it for instances for which its overrides do nothing.
    @exclusivity(unchecked) package final var isHitTestedPlainly = true {
        didSet {
            guard oldValue != isHitTestedPlainly else { return }
            noteHitTestChange()
        }
    }
    /// Whether no point outside the bounds hits the view, although it overrides hit-testing: the grid of its superview finds it
    /// there only.
    @exclusivity(unchecked) package final var isHitInBoundsOnly = false {
        didSet { if oldValue != isHitInBoundsOnly { noteHitTestChange() } }
    }
    /// Why hit-testing skips the view. It reads these, not the properties that set them: an override of those sees what the
    /// program does, and costs a touch nothing.
    @exclusivity(unchecked) final var obstacles: HitObstacles = []
    /// The grid of the subviews, if there are many and a point was searched.
    final var subviewGrid: SubviewGrid?
    /// The view's entry in its superview's grid.
    final var gridPlace = SubviewGrid.GridEntry()
    /// Whether the view's class may override `layoutSubviews()`; classes of this package that do not override it set
    /// false.
    package final var isLaidOut = false
    /// Whether the view needs layout.
    final var needsLayout = false
    /// Whether a descendant needs layout.
    final var needsLayoutBelow = false

    /// Makes a view with a frame in its superview's coordinates, in points.
    public init(frame: CGRect) {
        geometry = Geometry(frame: frame.standardized)
        super.init()
        prepareForSubclass()
    }

    /// Makes a view with an empty frame, for subclasses that implement `init?(coder:)` as UIKit requires.
    ///
    /// There are no archives on Linux, so the coder is not read. The initializer is not required: subclasses may omit
    /// it. It is generic so that a subclass needs no `override` next to `required`.
    public init?<Coder: NSCoder>(coder: Coder) {
        geometry = Geometry(frame: .zero)
        super.init()
        prepareForSubclass()
    }

    private func prepareForSubclass() {
        let type = type(of: self)
        if !type.hitTestsByBounds { isHitTestedPlainly = false }
        // The classes of this module do not override `layoutSubviews()`.
        isLaidOut = type != type.classOfModule
        needsLayout = isLaidOut
    }

    /// Makes a view with an empty frame.
    public override convenience init() { self.init(frame: .zero) }

    // Not isolated: a subclass with a `deinit` would have to isolate it as well, which shipped ones do not.
    nonisolated deinit {
        Self.onMainThread {
            for view in subviews { view.superview = nil }
            for recognizer in recognizers ?? [] { recognizer.attachedView = nil }
        }
    }

    /// Runs the end of a deinitializer: another thread that releases an object last waits for the main thread.
    nonisolated static func onMainThread(_ body: @MainActor () -> Void) {
        // After dispatchMain(3) any thread may run the main queue.
        if Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueue) == true {
            MainActor.assumeIsolated(body)
        } else {
            DispatchQueue.main.sync { MainActor.assumeIsolated(body) }
        }
    }

    private nonisolated static let mainQueue: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// The view's controller, or its superview if it has no controller.
    open override var next: Responder? { controller ?? superview }

    /// Returns the view that receives a touch at a point: the front-most and deepest view of this subtree that contains
    /// it, or nil (`UIView.hitTest(_:with:)`).
    ///
    /// A view that is hidden, nearly transparent or does not accept touches is skipped with its descendants, without a
    /// call of `point(inside:with:)`. A view that returns false from that method is skipped as well. Override it to
    /// ignore or redirect touches.
    /// - Parameters:
    ///   - point: in this view's coordinates.
    ///   - event: the event of the touch; nil if the call comes from outside event delivery.
    open func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        guard canBeHit else { return nil }
        guard isHitTestedPlainly ? geometry.contains(point) : self.point(inside: point, with: event) else { return nil }
        return hitInside(point, with: event)
    }

    /// Whether only the bounds decide hit-testing of the class: it overrides neither `hitTest(_:with:)` nor
    /// `point(inside:with:)`. An addition to UIKit.
    ///
    /// True for TouchKit's classes, false for their subclasses unless they override it. Hit-testing finds a view of
    /// such a class in a grid of its siblings, without a call; it calls any other view at every touch in its superview.
    /// Debug builds compare both results and report a difference.
    open class var hitTestsByBounds: Bool { self == classOfModule }

    /// The class itself, or the nearest superclass that belongs to this module.
    class var classOfModule: View.Type { View.self }

    /// Returns whether the view contains a point in its coordinates; by default, whether its bounds do.
    open func point(inside point: CGPoint, with event: Event?) -> Bool { geometry.contains(point) }

    /// Called when a touch that the view tracks is over (`Touch.trackingView`), and a responder before it kept the end.
    func lose(_ touch: Touch) {}

    /// Whether a recognizer of the view, or of a superview while the view is touched, may leave the possible state.
    ///
    /// True by default.
    open func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool { true }

    /// Sets the frames of the subviews (`UIView.layoutSubviews()`); override it if they depend on the view's bounds.
    /// The default does nothing.
    ///
    /// TouchKit calls it before the next event, and in `layoutIfNeeded()`, after `setNeedsLayout()`, after a change of
    /// the bounds' size, and after a subview was added or removed. Do not call it directly.
    open func layoutSubviews() {}

    /// Called after the size of the bounds changed.
    func sizeDidChange(from former: CGSize) {
        markForLayout()
        autoresizeSubviews(from: former)
    }

    /// Called before the view moves to a superview, or with nil, before it is removed from one.
    open func willMove(toSuperview newSuperview: View?) {}

    /// Called after the view's superview changed.
    open func didMoveToSuperview() {}

    /// Called before the view moves to a window, or with nil, before it leaves one.
    open func willMove(toWindow newWindow: Window?) {}

    /// Called after the view's window changed.
    open func didMoveToWindow() {}

    /// Called after a subview was added.
    open func didAddSubview(_ subview: View) {}

    /// Called before a subview is removed.
    open func willRemoveSubview(_ subview: View) {}
    // MARK: Geometry

    /// The view's rectangle in its superview's coordinates; with a transform, its bounding box.
    ///
    /// Setting it sets the center and the size of the bounds. If the transform is not the identity, set those
    /// instead, as in UIKit.
    open var frame: CGRect {
        get { geometry.frame }
        set {
            let frame = newValue.standardized
            let size = geometry.bounds.size
            defer {
                noteHitTestChange()
                if geometry.bounds.size != size { sizeDidChange(from: size) }
            }
            guard let turn = geometry.turn else {
                geometry.origin = frame.origin
                geometry.bounds.size = frame.size
                return
            }
            geometry.bounds.size = CGRect(origin: .zero, size: frame.size).applying(turn.inverse).size
            geometry.center = CGPoint(x: frame.midX, y: frame.midY)
        }
    }

    /// The view's rectangle in its own coordinates; changing the size keeps the center.
    open var bounds: CGRect {
        get { geometry.bounds }
        set {
            let center = geometry.center
            let size = geometry.bounds.size
            geometry.bounds = newValue.standardized
            if newValue.size != size {
                geometry.center = center
                sizeDidChange(from: size)
            }
            noteHitTestChange()
        }
    }

    /// The center of the view in its superview's coordinates.
    open var center: CGPoint {
        get { geometry.center }
        set {
            geometry.center = newValue
            noteHitTestChange()
        }
    }

    /// The view's scale and rotation around its center.
    ///
    /// Avoid a transform without an inverse, such as a scale of 0. As on iOS, every point of the superview is then
    /// converted to the view's center, so the view receives the touches of its whole superview. Hide such a view.
    open var transform: CGAffineTransform {
        get { geometry.transform }
        set {
            geometry.transform = newValue
            noteHitTestChange()
        }
    }

    /// Which margins and sizes follow the superview's size; empty by default.
    open var autoresizingMask: AutoresizingMask {
        get { details.autoresizingMask }
        set { changedDetails.autoresizingMask = newValue }
    }

    /// Whether the subviews' `autoresizingMask` counts; true by default.
    open var autoresizesSubviews: Bool {
        get { details.autoresizesSubviews }
        set { changedDetails.autoresizesSubviews = newValue }
    }

    /// What the edges of the screen cover: nothing on a kiosk.
    open var safeAreaInsets: EdgeInsets { .zero }

    // MARK: Natural size

    /// The value of a natural width or height that does not exist.
    public nonisolated static let noIntrinsicMetric: CGFloat = -1

    /// The natural size of the view's content; none by default. The layout of a superview may read it.
    open var intrinsicContentSize: CGSize {
        CGSize(width: Self.noIntrinsicMetric, height: Self.noIntrinsicMetric)
    }

    /// Called by a view whose natural size changed: its superview is laid out again.
    open func invalidateIntrinsicContentSize() { superview?.markForLayout() }

    /// Returns the size that fits best into another; by default, the current size of the bounds.
    open func sizeThatFits(_ size: CGSize) -> CGSize { geometry.bounds.size }

    /// Gives the view the size that `sizeThatFits(_:)` returns for its current one; the origin stays.
    open func sizeToFit() {
        let size = sizeThatFits(geometry.bounds.size)
        if geometry.isTransformed { bounds.size = size } else { frame.size = size }
    }

    // MARK: Accessibility

    /// What the view is, in a word or two; a button's title, if it has no other.
    open var accessibilityLabel: String? {
        get { details.accessibilityLabel }
        set { changedDetails.accessibilityLabel = newValue }
    }

    /// The view's value as text.
    open var accessibilityValue: String? {
        get { details.accessibilityValue }
        set { changedDetails.accessibilityValue = newValue }
    }

    /// What kind of element the view is.
    open var accessibilityTraits: AccessibilityTraits {
        get { details.accessibilityTraits ?? (self is Button ? .button : .none) }
        set { changedDetails.accessibilityTraits = newValue }
    }

    /// Whether the view is an element as a whole; true for controls by default.
    open var isAccessibilityElement: Bool {
        get { details.isAccessibilityElement ?? (self is Control) }
        set { changedDetails.isAccessibilityElement = newValue }
    }

    /// Whether the elements in the view are read in the order of the subviews, and not by their places.
    package final var isReadInOrder: Bool {
        get { details.isReadInOrder }
        set { changedDetails.isReadInOrder = newValue }
    }

    /// The point, in the screen's coordinates, that an activation touches; by default, the middle of the view.
    open var accessibilityActivationPoint: CGPoint {
        get { details.accessibilityActivationPoint ?? convertToScreen(CGPoint(x: bounds.midX, y: bounds.midY)) }
        set { changedDetails.accessibilityActivationPoint = newValue }
    }

    /// Activates the element; by default it does nothing, and touches the activation point instead.
    /// - Returns: whether the view was activated, so that it needs no touch.
    open func accessibilityActivate() -> Bool { false }

    /// Increases the value of an element with the trait `adjustable`; by default it does nothing.
    open func accessibilityIncrement() {}

    /// Decreases the value of an element with the trait `adjustable`; by default it does nothing.
    open func accessibilityDecrement() {}

    // MARK: The view tree

    // The methods that a program may override; `View+Hierarchy` has their effects.

    /// Adds a view in front of the other subviews, and removes it from its previous superview.
    open func addSubview(_ view: View) { insert(view) { $0.endIndex } }

    /// Inserts a view at an index among the subviews, where 0 is the rearmost; an index past the end means the front.
    open func insertSubview(_ view: View, at index: Int) {
        precondition(index >= 0, "a subview's index must not be negative, but is \(index)")
        insert(view) { min(index, $0.endIndex) }
    }

    /// Inserts a view directly behind a subview.
    open func insertSubview(_ view: View, belowSubview sibling: View) {
        insert(view) { $0.firstIndex(of: sibling) ?? $0.endIndex }
    }

    /// Inserts a view directly in front of a subview.
    open func insertSubview(_ view: View, aboveSubview sibling: View) {
        insert(view) { list in list.firstIndex(of: sibling).map { $0 + 1 } ?? list.endIndex }
    }

    /// Moves a subview in front of its siblings.
    open func bringSubviewToFront(_ view: View) {
        guard let index = subviews.firstIndex(of: view) else { return }
        moveSubview(from: index, to: subviews.endIndex - 1)
    }

    /// Moves a subview behind its siblings.
    open func sendSubviewToBack(_ view: View) {
        guard let index = subviews.firstIndex(of: view) else { return }
        moveSubview(from: index, to: 0)
    }

    /// Removes the view from its superview.
    ///
    /// Touches on it and its descendants are cancelled first, while the responder chain is still complete.
    open func removeFromSuperview() { leaveSuperview() }

    // MARK: Layout requests

    /// Requests layout before the next event.
    open func setNeedsLayout() { markForLayout() }

    /// Lays out this view and its descendants now, if they need it: superviews first. For the view of a controller the
    /// order is `viewWillLayoutSubviews()`, `layoutSubviews()`, `viewDidLayoutSubviews()`.
    ///
    /// A view that is marked again after its layout is laid out before the next event.
    open func layoutIfNeeded() { layOut() }

    // MARK: Recognizers

    /// Attaches a recognizer, and removes it from its previous view; it receives touches that begin from now on.
    open func addGestureRecognizer(_ recognizer: GestureRecognizer) { attach(recognizer) }

    /// Removes a recognizer; a gesture in progress is cancelled.
    open func removeGestureRecognizer(_ recognizer: GestureRecognizer) { detach(recognizer) }
}

extension View {
    // MARK: Coordinates

    /// Converts a point from this view's coordinates to another view's.
    ///
    /// A nil view means the window's coordinates; for a window, nil means the screen's, as in `UIWindow.convert(_:to:)`.
    public func convert(_ point: CGPoint, to view: View?) -> CGPoint {
        guard let target = view ?? windowAbove else { return convertToScreen(point) }
        if target === self { return point }
        if target === superview { return geometry.toSuperview(point) }
        return target.convertFromScreen(convertToScreen(point))
    }

    /// Converts a point from another view's coordinates to this view's.
    ///
    /// A nil view means the window's coordinates; for a window, nil means the screen's, as in `UIWindow.convert(_:from:)`.
    public func convert(_ point: CGPoint, from view: View?) -> CGPoint {
        guard let source = view ?? windowAbove else { return convertFromScreen(point) }
        return source.convert(point, to: self)
    }

    /// Converts a rectangle to another view's coordinates: first to its bounding box in the common ancestor, then to
    /// the bounding box of that in the other view.
    ///
    /// A nil view means the same as for a point.
    public func convert(_ rect: CGRect, to view: View?) -> CGRect {
        guard !rect.isNull else { return rect }
        guard let target = view ?? windowAbove else { return rect.boundingBox { convertToScreen($0) } }
        if target === self { return rect }
        let ancestor = commonAncestor(with: target)
        var box = rect
        if ancestor !== self { box = box.boundingBox { ancestor?.convert($0, from: self) ?? convertToScreen($0) } }
        if ancestor !== target {
            box = box.boundingBox { ancestor?.convert($0, to: target) ?? target.convertFromScreen($0) }
        }
        return box
    }

    /// Converts a rectangle from another view's coordinates, as `convert(_:to:)` does.
    public func convert(_ rect: CGRect, from view: View?) -> CGRect {
        guard !rect.isNull else { return rect }
        guard let source = view ?? windowAbove else { return rect.boundingBox { convertFromScreen($0) } }
        return source.convert(rect, to: self)
    }

    /// The window that nil means in conversions; nil for a window itself, where nil means the screen.
    private var windowAbove: Window? { window === self ? nil : window }

    /// The deepest common ancestor of both views; it may be one of them.
    private func commonAncestor(with other: View) -> View? {
        var (first, second): (View?, View?) = (self, other)
        var (above, otherAbove) = (depth, other.depth)
        while above > otherAbove { (first, above) = (first?.superview, above - 1) }
        while otherAbove > above { (second, otherAbove) = (second?.superview, otherAbove - 1) }
        while first !== second { (first, second) = (first?.superview, second?.superview) }
        return first
    }

    /// Converts a point from this view's coordinates to the screen's: those of the root view's frame, if the root is not
    /// a window.
    func convertToScreen(_ point: CGPoint) -> CGPoint {
        var point = point
        var view: View? = self
        while let current = view {
            point = current.geometry.toSuperview(point)
            view = current.superview
        }
        return point
    }

    /// Converts a point from the screen's coordinates to this view's.
    func convertFromScreen(_ point: CGPoint) -> CGPoint {
        guard let superview else { return geometry.fromSuperview(point) }
        return geometry.fromSuperview(superview.convertFromScreen(point))
    }

    // MARK: Recognizers

    /// The attached recognizers, in order; nil if the view never had one (`UIView.gestureRecognizers`).
    ///
    /// Setting it removes the recognizers that the new list lacks and adds the new ones, in order.
    public var gestureRecognizers: [GestureRecognizer]? {
        get { recognizers }
        set {
            for recognizer in recognizers ?? [] where newValue?.contains(recognizer) != true {
                detach(recognizer)
            }
            for recognizer in newValue ?? [] { attach(recognizer) }
            guard let newValue else { return }
            let order = newValue.filter { $0.attachedView === self }
            if order.count == recognizers?.count { recognizers = order }
        }
    }

    private func attach(_ recognizer: GestureRecognizer) {
        // Removal cancels a gesture, and that gesture's handler may attach the recognizer to another view.
        while let view = recognizer.attachedView, view !== self { view.detach(recognizer) }
        guard recognizer.attachedView == nil else { return }
        recognizer.attachedView = self
        recognizers = (recognizers ?? []) + [recognizer]
    }

    private func detach(_ recognizer: GestureRecognizer) {
        guard recognizer.attachedView === self else { return }
        recognizer.environment?.disable(recognizer)
        // The handler of the cancelled gesture may have attached it to another view.
        guard recognizer.attachedView === self else { return }
        recognizers?.removeAll { $0 === recognizer }
        recognizer.attachedView = nil
    }
}
