import Foundation

@testable import TouchKit

/// A tree of views that a seeded generator builds and changes. Two trees of one seed are equal, so one can be
/// hit-tested plainly and the other with the optimizations.
final class HitTestTwin {
    /// Whether views are hit-tested by plain recursion according to the rules.
    let isPlain: Bool
    let root: View
    private(set) var views: [View] = []
    /// The calls of overridden methods, in order.
    var calls: [String] = []
    private var random: SeededGenerator
    /// The nesting depth of hit tests by views that change the tree while they are asked.
    private var depth = 0

    init(seed: UInt64, isPlain: Bool, count: Int) {
        self.isPlain = isPlain
        random = SeededGenerator(seed: seed)
        let isWindow = random.chance(50)
        root = isWindow ? Window(frame: .zero) : View()
        root.isHidden = false
        root.frame = CGRect(x: 0, y: 0, width: 1000, height: 1000)
        // A tree is flat, deep, or something between.
        let spread = [1, 4, count].randomElement(using: &random) ?? 1
        let odd = [0, 2, 20].randomElement(using: &random) ?? 0
        for number in 0..<count {
            let view = random.chance(odd) ? askingView() : plainView()
            view.identifier = "\(number)"
            views.append(view)
            let parent = random.chance(10) ? root : views.dropLast().suffix(spread).randomElement(using: &random)
            (parent ?? root).addSubview(view)
            place(view)
            if random.chance(5) { mutate() }
        }
    }

    /// The hit-test result at a point of the root.
    func hit(_ point: CGPoint) -> View? { isPlain ? plainHitTest(root, point, nil) : root.hitTest(point, with: nil) }

    /// Hit-testing according to the rules A2.1 to A2.7.
    func plainHitTest(_ view: View, _ point: CGPoint, _ event: Event?) -> View? {
        view is any AskedView ? view.hitTest(point, with: event) : plainAnswer(of: view, point, event)
    }

    /// A second implementation of `View.hitTest(_:with:)`.
    func plainAnswer(of view: View, _ point: CGPoint, _ event: Event?) -> View? {
        guard view.canBeHit, view.point(inside: point, with: event) else { return nil }
        for subview in view.subviews.reversed() {
            if let hit = plainHitTest(subview, subview.convertFromSuperview(point), event) { return hit }
        }
        return view
    }

    // MARK: Points

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

    private func coordinate(_ range: ClosedRange<Int>) -> CGFloat {
        let whole = CGFloat(Int.random(in: range, using: &random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return whole + 1 / 3
        case 1: return whole + 0.1
        case 2: return whole + 0.25
        default: return whole
        }
    }

    // MARK: Changes

    func mutate() {
        guard let view = views.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<24, using: &random) {
        case 0: view.removeFromSuperview()
        case 1...4: attach(view)
        case 5: view.isHidden = random.chance(40)
        case 6: view.alpha = [1, 0.01, 0.00999, 0].randomElement(using: &random) ?? 1
        case 7: view.isUserInteractionEnabled = random.chance(60)
        case 8: (view as? Control)?.isEnabled = random.chance(50)
        case 9...12: place(view)
        case 13, 14: view.bounds.origin = CGPoint(x: coordinate(-40...40), y: coordinate(-40...40))
        case 15: view.bounds = CGRect(x: coordinate(-40...40), y: 0, width: coordinate(0...300), height: 200)
        case 16: view.center = CGPoint(x: coordinate(0...500), y: coordinate(0...500))
        case 17, 18: view.transform = transform()
        case 19: view.superview?.bringSubviewToFront(view)
        case 20: view.superview?.sendSubviewToBack(view)
        case 21: exchange(in: view)
        case 22: root.bounds.origin = CGPoint(x: coordinate(-40...40), y: coordinate(-40...40))
        default: view.isHitTestedPlainly = view is any AskedView ? view.isHitTestedPlainly : random.chance(80)
        }
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

    private func attach(_ view: View) {
        let parent = random.chance(30) ? root : views.randomElement(using: &random) ?? root
        guard !parent.isDescendant(of: view) else { return }
        if random.chance(50) {
            parent.addSubview(view)
        } else {
            parent.insertSubview(view, at: Int.random(in: 0...parent.subviews.count, using: &random))
        }
    }

    private func exchange(in view: View) {
        guard let parent = view.superview else { return }
        let (first, second) = (parent.subviews.indices, parent.subviews.indices)
        parent.exchangeSubview(
            at: first.randomElement(using: &random) ?? 0, withSubviewAt: second.randomElement(using: &random) ?? 0)
    }

    private func transform() -> CGAffineTransform {
        let angle = CGFloat(Int.random(in: 0..<360, using: &random)) * .pi / 180
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2: return .identity
        case 3: return CGAffineTransform(scaleX: 0, y: 0)
        case 4: return CGAffineTransform(a: 1, b: 2, c: 2, d: 4, tx: 3, ty: 0)
        case 5: return CGAffineTransform(a: 1, b: 2, c: 2, d: 4.000_000_001, tx: 0, ty: 0)
        case 6: return CGAffineTransform(scaleX: 1e9, y: 1e-9)
        case 7: return CGAffineTransform(translationX: coordinate(-50...50), y: coordinate(-50...50))
        case 8: return CGAffineTransform(scaleX: -1, y: 0.5)
        case 9: return CGAffineTransform(a: 1, b: 0.3, c: 0, d: 1, tx: 0, ty: 0)
        default: return CGAffineTransform(rotationAngle: angle)
        }
    }

    // MARK: Views

    private func plainView() -> View {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: Control(frame: .zero)
        case 1: Button(frame: .zero)
        case 2, 3: HandlingView(frame: .zero)
        case 4: HandlingControl(frame: .zero)
        default: View(frame: .zero)
        }
    }

    private func askingView() -> View {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: LargerView(twin: self)
        case 1: MovingView(twin: self)
        case 2: BlinkingView(twin: self)
        case 3: DisabledControl(twin: self)
        case 4: RedirectingView(twin: self)
        default: PassingView(twin: self)
        }
    }

    /// Changes the tree during a hit test.
    func mutateWhileAsking() {
        guard depth < 1, random.chance(20) else { return }
        depth += 1
        mutate()
        depth -= 1
    }

    /// Any view, as the target of a redirecting view, or nil.
    func anyView() -> View? { random.chance(20) ? views.randomElement(using: &random) : nil }
}
