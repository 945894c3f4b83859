import Foundation
import Layout
import TouchKit

/// The views of a window that receive touches, each with a point at which the hit test finds it.
struct TouchZones {
    /// A view and a point that belongs to it.
    struct Zone {
        let view: View
        let name: String
        /// In points of the screen.
        let point: CGPoint
        /// Whether a recognizer of the view or of a superview receives its touches and may take them away.
        let hasGestures: Bool
        /// Whether the view or a superview is exclusive, so that nothing else can be touched at the same time.
        let isExclusive: Bool
    }

    private(set) var zones: [Zone] = []
    /// Hidden or disabled views, which receive no touches on this page; their subviews are not listed.
    private(set) var asleep: [String] = []
    /// Views that could receive touches but are covered completely.
    private(set) var covered: [String] = []

    private let scene: Scene
    private let namedViews: NamedViews
    private let window: Window

    init(_ scene: Scene, _ namedViews: NamedViews, screen: Int) {
        self.scene = scene
        self.namedViews = namedViews
        window = scene.windows[screen]
        for view in window.subviews { add(view, hasGestures: window.hasGestures, isExclusive: false) }
    }

    private mutating func add(_ view: View, hasGestures: Bool, isExclusive: Bool) {
        guard view.canBeHit else {
            if isZone(view) { asleep.append(name(of: view)) }
            return
        }
        let hasGestures = hasGestures || view.hasGestures
        let isExclusive = isExclusive || view.isExclusiveTouch
        if isZone(view) {
            let place = ownPlace(of: view)
            if let point = place.point {
                zones.append(
                    Zone(
                        view: view, name: name(of: view), point: point, hasGestures: hasGestures,
                        isExclusive: isExclusive))
            } else if !place.isFilled, !forwardsTouches(view) {
                covered.append(name(of: view))
            }
        }
        for subview in view.subviews { add(subview, hasGestures: hasGestures, isExclusive: isExclusive) }
    }

    /// Whether a view is meant to be touched: it has a name or an effect.
    private func isZone(_ view: View) -> Bool {
        view.identifier != nil || view is Control || view.hasGestures
            || scene.spec(of: view).map { !$0.on.isEmpty } ?? false
    }

    /// Whether the layout makes the view pass its touches to others.
    private func forwardsTouches(_ view: View) -> Bool {
        if let id = view.identifier { return namedViews.forwarding.contains(id) }
        return scene.spec(of: view).map { $0.isPassthrough || $0.redirect != nil } ?? false
    }

    private func name(of view: View) -> String {
        view.identifier.map { "'\($0)'" } ?? scene.name(of: view)
    }

    /// A point in the view that the device can report and at which the hit test finds the view. It tries the center,
    /// then finer and finer grids. Without such a point, `isFilled` is true if the view's own subviews fill it.
    private func ownPlace(of view: View) -> (point: CGPoint?, isFilled: Bool) {
        var isFilled = false
        for count in [1, 3, 5, 9, 17] {
            for row in 0..<count {
                for column in 0..<count {
                    let inside = CGPoint(
                        x: view.bounds.minX + (CGFloat(column) + 0.5) / CGFloat(count) * view.bounds.width,
                        y: view.bounds.minY + (CGFloat(row) + 0.5) / CGFloat(count) * view.bounds.height)
                    let point = view.convert(inside, to: nil)
                    guard window.bounds.contains(point) else { continue }
                    let reachable = Fingers.reachable(point, of: window.bounds.size)
                    let hit = window.hitTest(reachable, with: nil)
                    if hit === view { return (reachable, false) }
                    if let hit, hit.isDescendant(of: view) { isFilled = true }
                }
            }
        }
        return (nil, isFilled)
    }
}

extension View {
    fileprivate var hasGestures: Bool { !(gestureRecognizers ?? []).isEmpty }
}
