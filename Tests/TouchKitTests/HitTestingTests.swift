import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("A2 hit-testing")
struct HitTestingTests {
    let log = CallLog()

    private func view(_ name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> RecordingView {
        let view = RecordingView(name, CGRect(x: x, y: y, width: width, height: height), log: log)
        view.logsHitTests = true
        return view
    }

    @Test("A2.1 A2.4 the lowest view that contains the point is hit, itself if no subview does")
    func lowest() {
        let root = view("root", 0, 0, 100, 100)
        let middle = view("middle", 10, 10, 80, 80)
        let leaf = view("leaf", 10, 10, 20, 20)
        root.addSubview(middle)
        middle.addSubview(leaf)

        #expect(root.hitTest(CGPoint(x: 25, y: 25), with: nil) === leaf)
        #expect(root.hitTest(CGPoint(x: 50, y: 50), with: nil) === middle)
        #expect(root.hitTest(CGPoint(x: 5, y: 5), with: nil) === root)
    }

    @Test("A2.2 a view without the point returns nil without asking its subviews")
    func outside() {
        let root = view("root", 0, 0, 100, 100)
        root.addSubview(view("sub", 0, 0, 100, 100))

        #expect(root.hitTest(CGPoint(x: 100, y: 50), with: nil) == nil)
        #expect(log.lines == ["root.hitTest", "root.pointInside"])
    }

    @Test("A2.2 bounds contain their left and top edge, not their right and bottom one")
    func edges() {
        let root = view("root", 0, 0, 100, 100)

        #expect(root.hitTest(CGPoint(x: 0, y: 0), with: nil) === root)
        #expect(root.hitTest(CGPoint(x: 99.999, y: 99.999), with: nil) === root)
        #expect(root.hitTest(CGPoint(x: 100, y: 0), with: nil) == nil)
        #expect(root.hitTest(CGPoint(x: 0, y: 100), with: nil) == nil)
    }

    @Test("A2.3 A2.7 subviews are asked from front to rear in their own coordinates, until one returns a view")
    func reverseOrder() {
        let root = view("root", 0, 0, 100, 100)
        let rear = view("rear", 0, 0, 100, 100)
        let front = view("front", 60, 60, 40, 40)
        var asked: CGPoint?
        front.hitTestOverride = { view, point, event in
            asked = point
            return view.plainHitTest(point, with: event)
        }
        root.addSubview(rear)
        root.addSubview(front)

        #expect(root.hitTest(CGPoint(x: 70, y: 75), with: nil) === front)
        #expect(asked == CGPoint(x: 10, y: 15))
        #expect(log.lines == ["root.hitTest", "root.pointInside", "front.hitTest", "front.pointInside"])
        front.hitTestOverride = { _, _, _ in nil }
        #expect(root.hitTest(CGPoint(x: 70, y: 75), with: nil) === rear)
    }

    @Test(
        "A2.5 A2.15 hidden, transparent and non-interactive views, and everything in them, are not hit-tested",
        arguments: ["hidden", "ignoring", "transparent"])
    func neverHit(reason: String) {
        let root = view("root", 0, 0, 100, 100)
        let sub = view("sub", 0, 0, 100, 100)
        sub.addSubview(view("leaf", 0, 0, 100, 100))
        root.addSubview(sub)
        switch reason {
        case "hidden": sub.isHidden = true
        case "ignoring": sub.isUserInteractionEnabled = false
        default: sub.alpha = 0.00999
        }

        #expect(root.hitTest(CGPoint(x: 10, y: 10), with: nil) === root)
        #expect(log.lines == ["root.hitTest", "root.pointInside", "sub.hitTest"])
    }

    @Test("A2.5 a view whose alpha is 0.01 is hit")
    func alphaBoundary() {
        let root = view("root", 0, 0, 100, 100)
        root.alpha = 0.01

        #expect(root.hitTest(CGPoint(x: 10, y: 10), with: nil) === root)
    }

    @Test("A2.6 a point outside a superview never reaches its subviews, clipping or not", arguments: [true, false])
    func stickingOut(clips: Bool) {
        let root = view("root", 0, 0, 200, 200)
        let parent = view("parent", 0, 0, 50, 50)
        parent.clipsToBounds = clips
        parent.addSubview(view("child", 0, 0, 150, 150))
        root.addSubview(parent)

        #expect(root.hitTest(CGPoint(x: 100, y: 100), with: nil) === root)
    }

    @Test("A2.8 the figure A to E: in A, not in B, in C, not in D: E is hit")
    func figure() {
        let a = view("A", 0, 0, 200, 200)
        let b = view("B", 10, 10, 80, 60)
        let c = view("C", 10, 80, 180, 110)
        let e = view("E", 90, 10, 80, 80)
        let d = view("D", 10, 10, 60, 80)
        a.addSubview(c)
        a.addSubview(b)
        c.addSubview(e)
        c.addSubview(d)

        #expect(a.hitTest(CGPoint(x: 120, y: 120), with: nil) === e)
        #expect(
            log.lines.filter { $0.hasSuffix("hitTest") }
                == ["A.hitTest", "B.hitTest", "C.hitTest", "D.hitTest", "E.hitTest"])
    }

    @Test("A2.9 a view that returns nil for itself passes touches to views behind")
    func passThrough() {
        let stage = Stage()
        let gray = RecordingView("gray", CGRect(x: 0, y: 0, width: 300, height: 300), log: log)
        let yellow = RecordingView("yellow", CGRect(x: 100, y: 100, width: 100, height: 100), log: log)
        let button = RecordingView("button", CGRect(x: 10, y: 10, width: 10, height: 10), log: log)
        yellow.hitTestOverride = { view, point, event in
            let hit = view.plainHitTest(point, with: event)
            return hit === view ? nil : hit
        }
        button.passesOn = false
        gray.addSubview(yellow)
        yellow.addSubview(button)
        stage.window.addSubview(gray)

        stage.taps(at: 150, 150)
        stage.taps(at: 115, 115)

        #expect(log.lines == ["gray.began 1", "gray.ended 1", "button.began 1", "button.ended 1"])
    }

    @Test("A2.10 A2.12 an override may return any view: a covered subview for its area, or one elsewhere in the window")
    func redirection() {
        let stage = Stage()
        let container = RecordingView("container", CGRect(x: 0, y: 0, width: 300, height: 300), log: log)
        let red = RecordingView("red", CGRect(x: 100, y: 100, width: 100, height: 100), log: log)
        let yellow = RecordingView("yellow", CGRect(x: 50, y: 50, width: 200, height: 200), log: log)
        let elsewhere = RecordingView("elsewhere", CGRect(x: 900, y: 900, width: 10, height: 10), log: log)
        red.passesOn = false
        yellow.passesOn = false
        container.hitTestOverride = { view, point, event in
            if point.x > 280 { return elsewhere }
            let inRed = red.convert(point, from: view)
            return red.point(inside: inRed, with: event) ? red : view.plainHitTest(point, with: event)
        }
        container.addSubview(red)
        container.addSubview(yellow)
        for view in [elsewhere, container] { stage.window.addSubview(view) }

        stage.taps(at: 150, 150)
        stage.taps(at: 60, 60)
        stage.finger(at: 290, 60)

        #expect(
            log.lines == ["red.began 1", "red.ended 1", "yellow.began 1", "yellow.ended 1", "elsewhere.began 1"])
    }

    @Test("A2.11 an override of point(inside:) enlarges or shrinks the hit area")
    func hitArea() {
        let root = view("root", 0, 0, 200, 200)
        let enlarged = view("enlarged", 50, 50, 20, 20)
        enlarged.insideOverride = { view, point in view.bounds.insetBy(dx: -20, dy: -20).contains(point) }
        let shrunk = view("shrunk", 100, 100, 60, 60)
        shrunk.insideOverride = { view, point in view.bounds.insetBy(dx: 20, dy: 20).contains(point) }
        root.addSubview(enlarged)
        root.addSubview(shrunk)

        #expect(root.hitTest(CGPoint(x: 35, y: 35), with: nil) === enlarged)
        #expect(root.hitTest(CGPoint(x: 110, y: 110), with: nil) === root)
        #expect(root.hitTest(CGPoint(x: 130, y: 130), with: nil) === shrunk)
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
        let finger = stage.finger(at: 1, 1)
        finger.moves(to: 2, 2)
        finger.lifts(at: 2, 2)

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
