import Foundation

/// Where a view is: its bounds, the origin of the frame it has or would have untransformed, and its transform.
///
/// The origin is kept rather than the center, so that the frame that was set is the frame that is read, to the last bit.
struct Geometry {
    var origin: CGPoint
    var bounds: CGRect
    /// How the view is turned; nil for one that is not, as most are, and has no room for it.
    private(set) var turn: Turn?

    /// A transform and what undoes it.
    final class Turn {
        // Hit-testing reads the first.
        let inverse: CGAffineTransform
        let transform: CGAffineTransform

        init(_ transform: CGAffineTransform) {
            self.transform = transform
            inverse = transform.inverted()
        }
    }

    init(frame: CGRect) {
        origin = frame.origin
        bounds = CGRect(origin: .zero, size: frame.size)
    }

    var center: CGPoint {
        get { CGPoint(x: origin.x + bounds.width / 2, y: origin.y + bounds.height / 2) }
        set { origin = CGPoint(x: newValue.x - bounds.width / 2, y: newValue.y - bounds.height / 2) }
    }

    var isTransformed: Bool { turn != nil }

    var transform: CGAffineTransform {
        get { turn?.transform ?? .identity }
        set { turn = newValue.isIdentity ? nil : Turn(newValue) }
    }

    var frame: CGRect {
        guard let turn else { return CGRect(origin: origin, size: bounds.size) }
        return bounds.applying(toSuperview(turn.transform))
    }

    /// The map from the view's coordinates to its superview's.
    private func toSuperview(_ transform: CGAffineTransform) -> CGAffineTransform {
        CGAffineTransform(translationX: -bounds.midX, y: -bounds.midY)
            .concatenating(transform)
            .concatenating(CGAffineTransform(translationX: center.x, y: center.y))
    }

    func toSuperview(_ point: CGPoint) -> CGPoint {
        guard let turn else {
            return CGPoint(x: point.x - bounds.origin.x + origin.x, y: point.y - bounds.origin.y + origin.y)
        }
        let moved = CGPoint(x: point.x - bounds.midX, y: point.y - bounds.midY).applying(turn.transform)
        let center = center
        return CGPoint(x: moved.x + center.x, y: moved.y + center.y)
    }

    @inline(__always)
    func fromSuperview(_ point: CGPoint) -> CGPoint {
        if let turn { return fromSuperview(point, turn) }
        return CGPoint(x: point.x - origin.x + bounds.origin.x, y: point.y - origin.y + bounds.origin.y)
    }

    private func fromSuperview(_ point: CGPoint, _ turn: Turn) -> CGPoint {
        let center = center
        let moved = CGPoint(x: point.x - center.x, y: point.y - center.y).applying(turn.inverse)
        return CGPoint(x: moved.x + bounds.midX, y: moved.y + bounds.midY)
    }

    /// Whether the bounds contain a point: their left and top edge belong to them, the others do not.
    @inline(__always)
    func contains(_ point: CGPoint) -> Bool {
        let (origin, size) = (bounds.origin, bounds.size)
        return point.x >= origin.x && point.x < origin.x + size.width
            && point.y >= origin.y && point.y < origin.y + size.height
    }

    /// A point of the superview in the view's coordinates; nil if it is outside the bounds.
    @inline(__always)
    func pointInside(fromSuperview point: CGPoint) -> CGPoint? {
        let local = fromSuperview(point)
        return contains(local) ? local : nil
    }
}

extension View {
    /// The view's rectangle in its superview's coordinates; with a transform, the smallest upright one around it.
    ///
    /// Setting it sets the center and the size of the bounds. With a transform other than the identity, set these
    /// instead, as in UIKit.
    public var frame: CGRect {
        get { geometry.frame }
        set {
            let frame = newValue.standardized
            defer { noteHitTestChange() }
            guard let turn = geometry.turn else {
                geometry.origin = frame.origin
                geometry.bounds.size = frame.size
                return
            }
            let size = CGRect(origin: .zero, size: frame.size).applying(turn.inverse).size
            geometry.bounds.size = size
            geometry.center = CGPoint(x: frame.midX, y: frame.midY)
        }
    }

    /// The view's rectangle in its own coordinates; a change of its size keeps the center.
    public var bounds: CGRect {
        get { geometry.bounds }
        set {
            let center = geometry.center
            let hasNewSize = newValue.size != geometry.bounds.size
            geometry.bounds = newValue.standardized
            if hasNewSize { geometry.center = center }
            noteHitTestChange()
        }
    }

    /// The middle of the view in its superview's coordinates.
    public var center: CGPoint {
        get { geometry.center }
        set {
            geometry.center = newValue
            noteHitTestChange()
        }
    }

    /// How the view is scaled and turned around its center.
    ///
    /// A transform that cannot be undone, such as a scale of 0, is a trap, as on iOS: every point of the superview is
    /// converted to the view's center, so the view takes the touches of its whole superview. Hide such a view.
    public var transform: CGAffineTransform {
        get { geometry.transform }
        set {
            geometry.transform = newValue
            noteHitTestChange()
        }
    }

    /// Converts a point from this view's coordinates to another's.
    /// - Parameter view: with nil, the result is in the window's coordinates; for a window, in the screen's, as
    ///   `UIWindow.convert(_:to:)` has it.
    public func convert(_ point: CGPoint, to view: View?) -> CGPoint {
        guard let target = view ?? windowAbove else { return convertToRoot(point) }
        if target === self { return point }
        if target === superview { return geometry.toSuperview(point) }
        return target.convertFromRoot(convertToRoot(point))
    }

    /// Converts a point from another view's coordinates to this one's.
    /// - Parameter view: with nil, the point is in the window's coordinates; for a window, in the screen's, as
    ///   `UIWindow.convert(_:from:)` has it.
    public func convert(_ point: CGPoint, from view: View?) -> CGPoint {
        guard let source = view ?? windowAbove else { return convertFromRoot(point) }
        return source.convert(point, to: self)
    }

    /// Converts a rectangle to another view's coordinates: first to the smallest upright one in the common ancestor, then to
    /// the smallest upright one around that in the other view.
    /// - Parameter view: nil as for a point.
    public func convert(_ rect: CGRect, to view: View?) -> CGRect {
        guard !rect.isNull else { return rect }
        guard let target = view ?? windowAbove else { return boundingBox(rect) { convertToRoot($0) } }
        if target === self { return rect }
        let ancestor = commonAncestor(with: target)
        var box = rect
        if ancestor !== self { box = boundingBox(box) { ancestor?.convert($0, from: self) ?? convertToRoot($0) } }
        if ancestor !== target {
            box = boundingBox(box) { ancestor?.convert($0, to: target) ?? target.convertFromRoot($0) }
        }
        return box
    }

    /// Converts a rectangle from another view's coordinates, as `convert(_:to:)` does.
    public func convert(_ rect: CGRect, from view: View?) -> CGRect {
        guard !rect.isNull else { return rect }
        guard let source = view ?? windowAbove else { return boundingBox(rect) { convertFromRoot($0) } }
        return source.convert(rect, to: self)
    }

    /// The window that nil stands for in conversions; nil for a window itself, where it stands for the screen.
    private var windowAbove: Window? { window === self ? nil : window }

    /// The lowest view that both views are, or are in.
    private func commonAncestor(with other: View) -> View? {
        var (first, second): (View?, View?) = (self, other)
        var (above, otherAbove) = (depth, other.depth)
        while above > otherAbove { (first, above) = (first?.superview, above - 1) }
        while otherAbove > above { (second, otherAbove) = (second?.superview, otherAbove - 1) }
        while first !== second { (first, second) = (first?.superview, second?.superview) }
        return first
    }

    /// Converts a point from the screen's coordinates to this view's.
    func convertFromScreen(_ point: CGPoint) -> CGPoint { convertFromRoot(point) }

    func convertFromSuperview(_ point: CGPoint) -> CGPoint { geometry.fromSuperview(point) }

    /// Up to the coordinates that the top-most view's frame is in: the screen's, where that view is a window.
    private func convertToRoot(_ point: CGPoint) -> CGPoint {
        var point = point
        var view: View? = self
        while let current = view {
            point = current.geometry.toSuperview(point)
            view = current.superview
        }
        return point
    }

    private func convertFromRoot(_ point: CGPoint) -> CGPoint {
        guard let superview else { return geometry.fromSuperview(point) }
        return geometry.fromSuperview(superview.convertFromRoot(point))
    }

    private func boundingBox(_ rect: CGRect, _ convert: (CGPoint) -> CGPoint) -> CGRect {
        let corners = [
            CGPoint(x: rect.minX, y: rect.minY), CGPoint(x: rect.maxX, y: rect.minY),
            CGPoint(x: rect.minX, y: rect.maxY), CGPoint(x: rect.maxX, y: rect.maxY),
        ].map(convert)
        let (x, y) = (corners.map(\.x), corners.map(\.y))
        let (left, top) = (x.min() ?? 0, y.min() ?? 0)
        return CGRect(x: left, y: top, width: (x.max() ?? 0) - left, height: (y.max() ?? 0) - top)
    }
}
