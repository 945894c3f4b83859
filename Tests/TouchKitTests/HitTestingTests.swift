import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("A2 hit-testing")
struct HitTestingTests {
    let log = CallLog()

    /// A view that logs its hit tests.
    @discardableResult
    private func view(
        _ name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double, in superview: View? = nil
    ) -> RecordingView {
        let view = RecordingView(name, CGRect(x: x, y: y, width: width, height: height), log: log)
        view.logsHitTests = true
        superview?.addSubview(view)
        return view
    }

    /// The name of the view that is hit.
    private func hit(_ root: View, _ x: Double, _ y: Double) -> String? {
        root.hitTest(CGPoint(x: x, y: y), with: nil)?.accessibilityIdentifier
    }

    @Test("A2.1 A2.4 the lowest view that contains the point is hit, itself if no subview does")
    func lowest() {
        let root = view("root", 0, 0, 100, 100)
        view("leaf", 10, 10, 20, 20, in: view("middle", 10, 10, 80, 80, in: root))

        #expect(hit(root, 25, 25) == "leaf")
        #expect(hit(root, 50, 50) == "middle")
        #expect(hit(root, 5, 5) == "root")
    }

    @Test("A2.2 a view without the point returns nil without asking its subviews")
    func outside() {
        let root = view("root", 0, 0, 100, 100)
        view("sub", 0, 0, 100, 100, in: root)

        #expect(hit(root, 100, 50) == nil)
        #expect(log.lines == ["root.hitTest", "root.pointInside"])
    }

    @Test(
        "A2.2 bounds contain their left and top edge, not their right and bottom one",
        arguments: [(0.0, 0.0, true), (99.999, 99.999, true), (100, 0, false), (0, 100, false)])
    func edges(x: Double, y: Double, isHit: Bool) {
        #expect(hit(view("root", 0, 0, 100, 100), x, y) == (isHit ? "root" : nil))
    }

    @Test("A2.3 A2.7 subviews are asked from front to rear in their own coordinates, until one returns a view")
    func reverseOrder() {
        let root = view("root", 0, 0, 100, 100)
        view("rear", 0, 0, 100, 100, in: root)
        let front = view("front", 60, 60, 40, 40, in: root)
        var asked: CGPoint?
        front.hitTestOverride = { view, point, event in
            asked = point
            return view.plainHitTest(point, with: event)
        }

        #expect(hit(root, 70, 75) == "front")
        #expect(asked == CGPoint(x: 10, y: 15))
        #expect(log.lines == ["root.hitTest", "root.pointInside", "front.hitTest", "front.pointInside"])
        front.hitTestOverride = { _, _, _ in nil }
        #expect(hit(root, 70, 75) == "rear")
    }

    @Test(
        "A2.5 A2.15 hidden, transparent and non-interactive views, and everything in them, are not hit-tested",
        arguments: ["hidden", "ignoring", "transparent"])
    func neverHit(reason: String) {
        let root = view("root", 0, 0, 100, 100)
        let sub = view("sub", 0, 0, 100, 100, in: root)
        view("leaf", 0, 0, 100, 100, in: sub)
        switch reason {
        case "hidden": sub.isHidden = true
        case "ignoring": sub.isUserInteractionEnabled = false
        default: sub.alpha = 0.00999
        }

        #expect(hit(root, 10, 10) == "root")
        #expect(log.lines == ["root.hitTest", "root.pointInside", "sub.hitTest"])
    }

    @Test("A2.5 a view whose alpha is 0.01 is hit")
    func alphaBoundary() {
        let root = view("root", 0, 0, 100, 100)
        root.alpha = 0.01

        #expect(hit(root, 10, 10) == "root")
    }

    @Test("A2.6 a point outside a superview never reaches its subviews, clipping or not", arguments: [true, false])
    func stickingOut(clips: Bool) {
        let root = view("root", 0, 0, 200, 200)
        let parent = view("parent", 0, 0, 50, 50, in: root)
        parent.clipsToBounds = clips
        view("child", 0, 0, 150, 150, in: parent)

        #expect(hit(root, 100, 100) == "root")
    }

    @Test("A2.8 the figure A to E: in A, not in B, in C, not in D: E is hit")
    func figure() {
        let a = view("A", 0, 0, 200, 200)
        let c = view("C", 10, 80, 180, 110, in: a)
        view("B", 10, 10, 80, 60, in: a)
        view("E", 90, 10, 80, 80, in: c)
        view("D", 10, 10, 60, 80, in: c)

        #expect(hit(a, 120, 120) == "E")
        #expect(
            log.lines.filter { $0.hasSuffix("hitTest") }
                == ["A.hitTest", "B.hitTest", "C.hitTest", "D.hitTest", "E.hitTest"])
    }

    @Test("A2.9 a view that returns nil for itself passes touches to views behind")
    func passThrough() {
        let gray = view("gray", 0, 0, 300, 300)
        let yellow = view("yellow", 100, 100, 100, 100, in: gray)
        view("button", 10, 10, 10, 10, in: yellow)
        yellow.hitTestOverride = { view, point, event in
            let hit = view.plainHitTest(point, with: event)
            return hit === view ? nil : hit
        }

        #expect(hit(gray, 150, 150) == "gray")
        #expect(hit(gray, 115, 115) == "button")
    }

    @Test("A2.10 A2.12 an override may return any view: a covered subview for its area, or one elsewhere in the window")
    func redirection() {
        let stage = Stage()
        let elsewhere = view("elsewhere", 900, 900, 10, 10, in: stage.window)
        let container = view("container", 0, 0, 300, 300, in: stage.window)
        let red = view("red", 100, 100, 100, 100, in: container)
        let yellow = view("yellow", 50, 50, 200, 200, in: container)
        container.hitTestOverride = { view, point, event in
            if point.x > 280 { return elsewhere }
            let inRed = red.convert(point, from: view)
            return red.point(inside: inRed, with: event) ? red : view.plainHitTest(point, with: event)
        }
        for view in [elsewhere, container, red, yellow] { (view.passesOn, view.logsHitTests) = (false, false) }

        for x in [150.0, 60, 290] { stage.taps(at: x, x == 150 ? 150 : 60) }

        #expect(log.lines.filter { $0.contains("began") } == ["red.began 1", "yellow.began 1", "elsewhere.began 1"])
    }

    @Test("A2.11 an override of point(inside:) enlarges or shrinks the hit area")
    func hitArea() {
        let root = view("root", 0, 0, 200, 200)
        view("enlarged", 50, 50, 20, 20, in: root).insideOverride = { view, point in
            view.bounds.insetBy(dx: -20, dy: -20).contains(point)
        }
        view("shrunk", 100, 100, 60, 60, in: root).insideOverride = { view, point in
            view.bounds.insetBy(dx: 20, dy: 20).contains(point)
        }

        #expect(hit(root, 35, 35) == "enlarged")
        #expect(hit(root, 110, 110) == "root")
        #expect(hit(root, 130, 130) == "shrunk")
    }

    @Test("A2.13 A5.8 a touch on a view without a window is reported once, and reaches no view and no recognizer")
    func detached() {
        let stage = Stage()
        let cover = RecordingView("cover", stage.screen.bounds, log: log)
        let detached = RecordingView("detached", stage.screen.bounds, log: log)
        cover.hitTestOverride = { _, _, _ in detached }
        cover.addGestureRecognizer(LoggingTap("tap", log: log))
        stage.window.addSubview(cover)
        var reports: [Diagnostic] = []
        stage.application.didReport = { reports.append($0) }
        var deliveries: [View?] = []
        stage.application.onDelivery { deliveries.append($0.touch.view) }
        stage.play([.lands(1, 1), .moves(2, 2), .lifts()])

        #expect(log.lines.isEmpty)
        #expect(reports == [.touchHitDetachedView(touch: 1, view: "detached")])
        #expect(deliveries == [nil, nil, nil])
    }

    @Test("A2.14 points and rectangles convert between any two views of a window and back")
    func conversion() {
        let stage = Stage()
        let left = view("left", 10, 20, 100, 100)
        let leaf = view("leaf", 5, 5, 50, 50)
        leaf.bounds.origin = CGPoint(x: 100, y: 0)
        let right = view("right", 200, 200, 100, 100)
        right.transform = CGAffineTransform(scaleX: 2, y: 2)
        left.addSubview(leaf)
        stage.window.addSubview(left)
        stage.window.addSubview(right)

        #expect(leaf.convert(CGPoint(x: 100, y: 0), to: nil) == CGPoint(x: 15, y: 25))
        #expect(leaf.convert(CGPoint(x: 250, y: 250), from: stage.window) == CGPoint(x: 335, y: 225))
        #expect(right.convert(CGPoint(x: 0, y: 0), to: stage.window) == CGPoint(x: 150, y: 150))
        #expect(leaf.convert(CGPoint(x: 235, y: 125), to: right) == CGPoint(x: 0, y: 0))
        #expect(right.convert(CGPoint(x: 0, y: 0), to: leaf) == CGPoint(x: 235, y: 125))
        #expect(
            right.convert(right.bounds, to: left) == CGRect(x: 140, y: 130, width: 200, height: 200))
        #expect(right.frame == CGRect(x: 150, y: 150, width: 200, height: 200))
    }
}
