import Foundation

/// Where a view is: its bounds, the origin of the frame it has or would have untransformed, and its transform.
///
/// The origin is kept rather than the centre, so that the frame that was set is the frame that is read, to the last bit.
struct Geometry {
    var origin: CGPoint
    var bounds: CGRect
    private(set) var isTransformed = false
    /// The transform and what undoes it: one of it, or none for the views that have none, which are almost all.
    private var transforms: [(forward: CGAffineTransform, inverse: CGAffineTransform)] = []

    init(frame: CGRect) {
        origin = frame.origin
        bounds = CGRect(origin: .zero, size: frame.size)
    }

    var transform: CGAffineTransform {
        get { transforms.first?.forward ?? .identity }
        set {
            isTransformed = !newValue.isIdentity
            transforms = isTransformed ? [(newValue, newValue.inverted())] : []
        }
    }

    var inverse: CGAffineTransform { transforms.first?.inverse ?? .identity }

    var center: CGPoint {
        get { CGPoint(x: origin.x + bounds.width / 2, y: origin.y + bounds.height / 2) }
        set { origin = CGPoint(x: newValue.x - bounds.width / 2, y: newValue.y - bounds.height / 2) }
    }

    var frame: CGRect {
        guard isTransformed else { return CGRect(origin: origin, size: bounds.size) }
        return bounds.applying(toSuperview)
    }

    /// The map from the view's coordinates to its superview's.
    private var toSuperview: CGAffineTransform {
        CGAffineTransform(translationX: -bounds.midX, y: -bounds.midY)
            .concatenating(transform)
            .concatenating(CGAffineTransform(translationX: center.x, y: center.y))
    }

    func toSuperview(_ point: CGPoint) -> CGPoint {
        guard isTransformed else {
            return CGPoint(x: point.x - bounds.minX + origin.x, y: point.y - bounds.minY + origin.y)
        }
        let moved = CGPoint(x: point.x - bounds.midX, y: point.y - bounds.midY).applying(transform)
        let center = center
        return CGPoint(x: moved.x + center.x, y: moved.y + center.y)
    }

    func fromSuperview(_ point: CGPoint) -> CGPoint {
        guard isTransformed else {
            return CGPoint(x: point.x - origin.x + bounds.minX, y: point.y - origin.y + bounds.minY)
        }
        let center = center
        let moved = CGPoint(x: point.x - center.x, y: point.y - center.y).applying(inverse)
        return CGPoint(x: moved.x + bounds.midX, y: moved.y + bounds.midY)
    }
}

extension View {
    /// The view's rectangle in its superview's coordinates; with a transform, the smallest upright one around it.
    ///
    /// Setting it sets the centre and the size of the bounds. With a transform that is not the identity set these
    /// instead, as in UIKit.
    public var frame: CGRect {
        get { geometry.frame }
        set {
            let frame = newValue.standardized
            guard geometry.isTransformed else {
                geometry.origin = frame.origin
                geometry.bounds.size = frame.size
                return
            }
            let size = CGRect(origin: .zero, size: frame.size).applying(geometry.inverse).size
            geometry.bounds.size = size
            geometry.center = CGPoint(x: frame.midX, y: frame.midY)
        }
    }

    /// The view's rectangle in its own coordinates; a change of its size keeps the centre.
    public var bounds: CGRect {
        get { geometry.bounds }
        set {
            let center = geometry.center
            let hasNewSize = newValue.size != geometry.bounds.size
            geometry.bounds = newValue.standardized
            if hasNewSize { geometry.center = center }
        }
    }

    /// The middle of the view in its superview's coordinates.
    public var center: CGPoint {
        get { geometry.center }
        set { geometry.center = newValue }
    }

    /// How the view is scaled and turned around its centre.
    public var transform: CGAffineTransform {
        get { geometry.transform }
        set { geometry.transform = newValue }
    }

    /// Converts a point from this view's coordinates to another's; with nil, to the window's.
    public func convert(_ point: CGPoint, to view: View?) -> CGPoint {
        guard let target = view ?? window else { return convertToRoot(point) }
        if target === self { return point }
        if target === superview { return geometry.toSuperview(point) }
        return target.convertFromRoot(convertToRoot(point))
    }

    /// Converts a point from another view's coordinates to this one's; with nil, from the window's.
    public func convert(_ point: CGPoint, from view: View?) -> CGPoint {
        guard let source = view ?? window else { return convertFromRoot(point) }
        return source.convert(point, to: self)
    }

    /// Converts a rectangle to another view's coordinates, as the smallest upright one around its corners.
    public func convert(_ rect: CGRect, to view: View?) -> CGRect {
        boundingBox(rect) { convert($0, to: view) }
    }

    /// Converts a rectangle from another view's coordinates, as the smallest upright one around its corners.
    public func convert(_ rect: CGRect, from view: View?) -> CGRect {
        boundingBox(rect) { convert($0, from: view) }
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
