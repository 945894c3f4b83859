import Foundation

@testable import TouchKit

/// A tree of views that a seeded generator builds and changes, some of which override hit-testing, and a second
/// implementation of hit-testing.
final class HitTestScene {
    let root: View
    private(set) var views: [View] = []
    /// The calls of overridden methods, in order.
    var calls: [String] = []
    /// Whether views with overrides continue the hit test by plain recursion.
    private var isPlain = false
    /// Whether the views that override `isHidden` are hidden.
    private(set) var isBlinkingOff = false
    private var random: SeededGenerator

    init(seed: UInt64, count: Int) {
        random = SeededGenerator(seed: seed)
        root = random.chance(50) ? Window(frame: .zero) : View()
        root.isHidden = false
        root.frame = CGRect(x: 0, y: 0, width: 1000, height: 1000)
        // A tree is flat, deep, or something between.
        let spread = [1, 4, count].randomElement(using: &random) ?? 1
        let odd = [0, 2, 20].randomElement(using: &random) ?? 0
        for number in 0..<count {
            let view = random.chance(odd) ? askedView() : plainView()
            view.accessibilityIdentifier = "\(number)"
            views.append(view)
            let parent = random.chance(10) ? root : views.dropLast().suffix(spread).randomElement(using: &random)
            (parent ?? root).addSubview(view)
            place(view)
            if random.chance(15) { view.transform = transform() }
        }
    }

    /// The result at a point of the root, and the calls that it caused.
    func hit(_ point: CGPoint, plainly: Bool) -> (view: View?, calls: [String]) {
        (calls, isPlain) = ([], plainly)
        let view = plainly ? plainHit(root, point) : root.hitTest(point, with: nil)
        return (view, calls)
    }

    private func plainHit(_ view: View, _ point: CGPoint) -> View? {
        view is AskedView ? view.hitTest(point, with: nil) : plainAnswer(of: view, point)
    }

    /// `View.hitTest(_:with:)` according to the rules A2.1 to A2.7.
    private func plainAnswer(of view: View, _ point: CGPoint) -> View? {
        guard view.canBeHit, view.point(inside: point, with: nil) else { return nil }
        for subview in view.subviews.reversed() {
            if let hit = plainHit(subview, subview.geometry.fromSuperview(point)) { return hit }
        }
        return view
    }

    /// What an override receives from super.
    func answer(of view: View, _ point: CGPoint, _ plain: () -> View?) -> View? {
        calls.append("\(view.accessibilityIdentifier ?? "") \(point.x) \(point.y)")
        return isPlain ? plainAnswer(of: view, point) : plain()
    }

    /// A point of the root: anywhere, or on an edge of a view, or just outside it.
    func point() -> CGPoint {
        guard random.chance(50), let view = views.randomElement(using: &random) else {
            return CGPoint(x: coordinate(-50...1050), y: coordinate(-50...1050))
        }
        let bounds = view.bounds
        let corner = CGPoint(
            x: [bounds.minX, bounds.maxX, bounds.midX].randomElement(using: &random) ?? 0,
            y: [bounds.minY, bounds.maxY, bounds.midY].randomElement(using: &random) ?? 0)
        var point = view.isDescendant(of: root) ? view.convert(corner, to: root) : corner
        // Singular transforms can produce infinite points.
        if !point.x.isFinite || !point.y.isFinite { point = .zero }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: point.x = point.x.nextUp
        case 1: point.x = point.x.nextDown
        case 2: point.y = point.y.nextUp
        case 3: point.y = point.y.nextDown
        default: break
        }
        return point
    }

    func mutate() {
        guard let view = views.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<22, using: &random) {
        case 0: view.removeFromSuperview()
        case 1...4: attach(view)
        case 5: view.isHidden = random.chance(40)
        case 6: view.alpha = [1, 0.01, 0.00999, 0].randomElement(using: &random) ?? 1
        case 7: view.isUserInteractionEnabled = random.chance(60)
        case 8: (view as? Control)?.isEnabled = random.chance(50)
        case 9...11: place(view)
        case 12: view.bounds.origin = CGPoint(x: coordinate(-40...40), y: coordinate(-40...40))
        case 13: view.bounds = CGRect(x: coordinate(-40...40), y: 0, width: coordinate(0...300), height: 200)
        case 14: view.center = CGPoint(x: coordinate(0...500), y: coordinate(0...500))
        case 15, 16: view.transform = transform()
        case 17: view.superview?.bringSubviewToFront(view)
        case 18: view.superview?.sendSubviewToBack(view)
        case 19:
            guard let parent = view.superview, let other = parent.subviews.indices.randomElement(using: &random) else {
                return
            }
            parent.exchangeSubview(at: 0, withSubviewAt: other)
        case 20: root.bounds.origin = CGPoint(x: coordinate(-40...40), y: coordinate(-40...40))
        default: isBlinkingOff.toggle()
        }
    }

    private func attach(_ view: View) {
        let parent = random.chance(30) ? root : views.randomElement(using: &random) ?? root
        guard !parent.isDescendant(of: view) else { return }
        if random.chance(50) {
            parent.addSubview(view)
        } else {
            parent.insertSubview(view, at: Int.random(in: 0...parent.subviews.count, using: &random))
        }
    }

    private func coordinate(_ range: ClosedRange<Int>) -> CGFloat {
        let fractions: [CGFloat] = [0, 0, 0, 0, 0.1, 0.25, 1 / 3]
        return CGFloat(Int.random(in: range, using: &random)) + (fractions.randomElement(using: &random) ?? 0)
    }

    private func place(_ view: View) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: view.frame = .zero
        case 1: view.frame = CGRect(x: -5_000_000, y: -5_000_000, width: 10_000_000, height: 10_000_000)
        case 2: view.frame = CGRect(x: 0, y: 0, width: 1e300, height: 1e300)
        case 3...6: view.frame = CGRect(x: -200, y: -200, width: 1400, height: 1400)
        case 7...9:
            view.frame = CGRect(
                x: coordinate(0...900), y: coordinate(0...900), width: coordinate(0...8), height: coordinate(0...8))
        default:
            view.frame = CGRect(
                x: coordinate(-100...600), y: coordinate(-100...600), width: coordinate(0...900),
                height: coordinate(0...900))
        }
    }

    private func transform() -> CGAffineTransform {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2: .identity
        case 3: CGAffineTransform(scaleX: 0, y: 0)
        case 4: CGAffineTransform(a: 1, b: 2, c: 2, d: 4, tx: 3, ty: 0)
        case 5: CGAffineTransform(a: 1, b: 2, c: 2, d: 4.000_000_001, tx: 0, ty: 0)
        case 6: CGAffineTransform(scaleX: 1e9, y: 1e-9)
        case 7: CGAffineTransform(translationX: coordinate(-50...50), y: coordinate(-50...50))
        case 8: CGAffineTransform(scaleX: -1, y: 0.5)
        case 9: CGAffineTransform(a: 1, b: 0.3, c: -0.2, d: 1.5, tx: -9.1, ty: 3)
        default: CGAffineTransform(rotationAngle: CGFloat(Int.random(in: 0..<360, using: &random)) * .pi / 180)
        }
    }

    private func plainView() -> View {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: Control(frame: .zero)
        case 1: Button(frame: .zero)
        case 2, 3: DeclaredView(frame: .zero)
        case 4: UndeclaredControl(frame: .zero)
        default: View(frame: .zero)
        }
    }

    private func askedView() -> View {
        let kind = Int.random(in: 0..<4, using: &random)
        return kind == 0 ? LargerView(in: self) : kind == 1 ? BlinkingView(in: self) : PassingView(in: self)
    }
}

/// A subclass that handles touches, and declares that it is hit-tested by its bounds.
final class DeclaredView: View {
    override class var hitTestsByBounds: Bool { true }
    override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {}
}

/// A control without a declaration.
final class UndeclaredControl: Control {
    override func beginTracking(_ touch: Touch, with event: Event?) -> Bool { false }
}

/// A view whose overrides are called in every hit test.
class AskedView: View {
    unowned let scene: HitTestScene

    init(in scene: HitTestScene) {
        self.scene = scene
        super.init(frame: .zero)
    }

    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        scene.answer(of: self, point) { super.hitTest(point, with: event) }
    }
}

/// Returns nil instead of itself.
private final class PassingView: AskedView {
    override func hitTest(_ point: CGPoint, with event: Event?) -> View? {
        let hit = super.hitTest(point, with: event)
        return hit === self ? nil : hit
    }
}

/// Extends 30 points beyond its bounds.
private final class LargerView: AskedView {
    override func point(inside point: CGPoint, with event: Event?) -> Bool {
        bounds.insetBy(dx: -30, dy: -30).contains(point)
    }
}

/// Contains no point now and then.
private final class BlinkingView: AskedView {
    override func point(inside point: CGPoint, with event: Event?) -> Bool {
        !scene.isBlinkingOff && super.point(inside: point, with: event)
    }
}
