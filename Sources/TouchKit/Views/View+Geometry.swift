import Foundation

extension View {
    /// The view's rectangle in its superview's coordinates; with a transform, its bounding box.
    ///
    /// Setting it sets the center and the size of the bounds. If the transform is not the identity, set those
    /// instead, as in UIKit.
    public var frame: CGRect {
        get { geometry.frame }
        set {
            let frame = newValue.standardized
            let size = geometry.bounds.size
            defer {
                noteHitTestChange()
                if geometry.bounds.size != size { setNeedsLayout() }
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
    public var bounds: CGRect {
        get { geometry.bounds }
        set {
            let center = geometry.center
            let hasNewSize = newValue.size != geometry.bounds.size
            geometry.bounds = newValue.standardized
            if hasNewSize {
                geometry.center = center
                setNeedsLayout()
            }
            noteHitTestChange()
        }
    }

    /// The center of the view in its superview's coordinates.
    public var center: CGPoint {
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
    public var transform: CGAffineTransform {
        get { geometry.transform }
        set {
            geometry.transform = newValue
            noteHitTestChange()
        }
    }

    /// Converts a point from this view's coordinates to another view's.
    ///
    /// A nil view means the window's coordinates; for a window, nil means the screen's, as in `UIWindow.convert(_:to:)`.
    public func convert(_ point: CGPoint, to view: View?) -> CGPoint {
        guard let target = view ?? windowAbove else { return convertToRoot(point) }
        if target === self { return point }
        if target === superview { return geometry.toSuperview(point) }
        return target.convertFromRoot(convertToRoot(point))
    }

    /// Converts a point from another view's coordinates to this view's.
    ///
    /// A nil view means the window's coordinates; for a window, nil means the screen's, as in `UIWindow.convert(_:from:)`.
    public func convert(_ point: CGPoint, from view: View?) -> CGPoint {
        guard let source = view ?? windowAbove else { return convertFromRoot(point) }
        return source.convert(point, to: self)
    }

    /// Converts a rectangle to another view's coordinates: first to its bounding box in the common ancestor, then to
    /// the bounding box of that in the other view.
    ///
    /// A nil view means the same as for a point.
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

    /// Converts a point from the screen's coordinates to this view's.
    func convertFromScreen(_ point: CGPoint) -> CGPoint { convertFromRoot(point) }

    /// Converts a point from this view's coordinates to the screen's.
    func convertToScreen(_ point: CGPoint) -> CGPoint { convertToRoot(point) }

    func convertFromSuperview(_ point: CGPoint) -> CGPoint { geometry.fromSuperview(point) }

    /// Converts to the coordinates of the root view's frame: the screen's, if the root is a window.
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
