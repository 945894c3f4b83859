import Foundation
import Layout
import TouchKit

/// The views of a window that touches go to, each with a point where hit-testing says so.
struct TouchZones {
    /// A view, and a point of its own.
    struct Zone {
        let view: View
        let name: String
        /// In points of the screen.
        let point: CGPoint
        /// Whether a recognizer of it, or of what it is in, is told of its touches, and may take them away.
        let hasGestures: Bool
        /// Whether nothing else can be touched beside it, or beside what it is in.
        let isExclusive: Bool
    }

    private(set) var zones: [Zone] = []
    /// Views that take no touches as the page is shown, for being hidden or disabled; of what is in them nothing is said.
    private(set) var asleep: [String] = []
    /// Views that would take touches, and have others in front of them everywhere.
    private(set) var covered: [String] = []

    private let scene: Scene
    private let words: LayoutWords
    private let window: Window

    init(_ scene: Scene, _ words: LayoutWords, screen: Int) {
        self.scene = scene
        self.words = words
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
            } else if !place.isFilled, !handsOn(view) {
                covered.append(name(of: view))
            }
        }
        for subview in view.subviews { add(subview, hasGestures: hasGestures, isExclusive: isExclusive) }
    }

    /// Whether a view is there to be touched: it has a name, or something to do.
    private func isZone(_ view: View) -> Bool {
        view.identifier != nil || view is Control || view.hasGestures
            || scene.spec(of: view).map { !$0.on.isEmpty } ?? false
    }

    /// Whether a view takes no touches of its own by the layout's word.
    private func handsOn(_ view: View) -> Bool {
        if let id = view.identifier { return words.handingOn.contains(id) }
        return scene.spec(of: view).map { $0.isPassthrough || $0.redirect != nil } ?? false
    }

    private func name(of view: View) -> String {
        view.identifier.map { "'\($0)'" } ?? scene.name(of: view)
    }

    /// A point in the view that the device can touch and hit-testing gives to it, its middle or else one of finer and finer
    /// grids; or where there is none, whether that is since views in it fill it.
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
