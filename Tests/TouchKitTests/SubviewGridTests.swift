import Foundation
import Testing

@testable import TouchKit

@Suite("Hit-testing many views")
struct SubviewGridTests {
    /// 20,000 changes by default, each followed by three points; `TOUCHKIT_PROPERTY_STEPS` sets another number.
    private static let steps = PropertyTests.steps

    @Test(
        "hit-testing a random tree equals plain recursion after every change")
    func property() {
        let stepsPerSeed = 100
        var counts = (points: 0, hits: 0, calls: 0, indexed: 0)
        for seed in 1...UInt64(max(1, Self.steps / stepsPerSeed)) {
            let count = [20, 40, 120, 400][Int(seed % 4)]
            let plain = HitTestTwin(seed: seed, isPlain: true, count: count)
            let fast = HitTestTwin(seed: seed, isPlain: false, count: count)
            for step in 0..<stepsPerSeed {
                plain.mutate()
                fast.mutate()
                for _ in 0..<3 {
                    let point = plain.point()
                    #expect(fast.point() == point)
                    let (expected, found) = (plain.hit(point), fast.hit(point))
                    counts.points += 1
                    counts.hits += found == nil ? 0 : 1
                    if found?.identifier != expected?.identifier || plain.calls != fast.calls {
                        Issue.record(
                            """
                            seed \(seed), step \(step): \(point) hits \(found?.identifier ?? "nothing"), \
                            not \(expected?.identifier ?? "nothing"), or other views were asked
                            """)
                        return
                    }
                }
                counts.calls += fast.calls.count
                plain.calls = []
                fast.calls = []
            }
            counts.indexed += ([fast.root] + fast.views).count { $0.subviewGrid != nil }
        }

        // The run must have checked something.
        #expect(counts.hits > counts.points / 4 && counts.calls > Self.steps / 10, "\(counts)")
        #expect(counts.indexed > Self.steps / stepsPerSeed / 4, "\(counts)")
    }

    @Test("a view with few subviews has no grid; one with many has one")
    func threshold() {
        let root = View(frame: CGRect(x: 0, y: 0, width: 1000, height: 1000))
        for number in 1..<SubviewGrid.threshold {
            root.addSubview(View(frame: CGRect(x: number * 10, y: 0, width: 10, height: 10)))
        }
        #expect(root.hitTest(CGPoint(x: 15, y: 5), with: nil) === root.subviews[0])
        #expect(root.subviewGrid == nil)

        root.addSubview(View(frame: CGRect(x: 500, y: 500, width: 10, height: 10)))

        #expect(root.subviewGrid == nil)
        #expect(root.hitTest(CGPoint(x: 505, y: 505), with: nil) === root.subviews.last)
        #expect(root.subviewGrid != nil)
    }

    @Test("a subclass is asked at each hit test unless it is hit-tested by bounds")
    func declaration() {
        class Handling: View {
            override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {}
        }
        final class Declared: Handling {
            override class var hitTestsByBounds: Bool { true }
        }
        class Generic<Value>: Button { var value: Value? }

        #expect([View(), Control(), Button(), Window(), Declared()].allSatisfy { $0.isHitTestedPlainly })
        #expect(![Handling(), HandlingControl(), Generic<Int>()].contains { $0.isHitTestedPlainly })
    }

    #if DEBUG
        @Test("a debug build reports a class that declares bounds and overrides hitTest")
        func wrongDeclaration() {
            final class Wrong: View {
                override class var hitTestsByBounds: Bool { true }
                override func hitTest(_ point: CGPoint, with event: Event?) -> View? { nil }
            }
            let application = Application()
            let window = Window(frame: CGRect(x: 0, y: 0, width: 100, height: 100), application: application)
            window.makeKeyAndVisible()
            window.addSubview(Wrong(frame: window.bounds))
            var reported: [Diagnostic] = []
            application.didReport = { reported.append($0) }

            _ = window.hitTest(CGPoint(x: 5, y: 5), with: nil)

            #expect(reported == [.hitTestOverridden(class: "Wrong")])
        }
    #endif

    @Test("views whose superview is gone are hit-tested in another tree")
    func orphans() {
        let point = CGPoint(x: 5, y: 5)
        var root: View? = View(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        let page = View(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        root?.addSubview(page)
        for _ in 0..<30 { page.addSubview(View(frame: CGRect(x: 0, y: 0, width: 10, height: 10))) }
        let front = page.subviews.last
        #expect(root?.hitTest(point, with: nil) === front)
        root = nil

        front?.frame.origin.x = 50
        page.addSubview(View(frame: CGRect(x: 0, y: 0, width: 20, height: 20)))
        page.subviews.first?.removeFromSuperview()
        #expect(page.hitTest(point, with: nil) === page.subviews.last)

        let other = View(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        other.addSubview(page)
        #expect(other.hitTest(CGPoint(x: 55, y: 5), with: nil) === front)
        #expect(other.hitTest(point, with: nil) === page.subviews.last)
    }

    @Test("moving views to the front and between others repeatedly keeps their order")
    func order() {
        let root = View(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        let (rear, front) = (View(), View())
        for view in [rear, front] {
            view.frame = root.bounds
            root.addSubview(view)
            for _ in 0..<20 { view.addSubview(View(frame: root.bounds)) }
        }
        let point = CGPoint(x: 50, y: 50)

        for step in 0..<5000 {
            let view = rear.subviews[step % 20]
            rear.insertSubview(view, at: 10)
            rear.bringSubviewToFront(rear.subviews[step % 7])
            front.isHidden = true
            #expect(root.hitTest(point, with: nil) === rear.subviews.last)
            front.isHidden = false
            #expect(root.hitTest(point, with: nil) === front.subviews.last)
        }
    }

    @Test("the result equals asking each subview, even after moves")
    func samePlaces() {
        var random = SeededGenerator(seed: 1)
        let root = View(frame: CGRect(x: 0, y: 0, width: 1024, height: 1024))
        func frame(_ side: Int) -> CGRect {
            CGRect(
                x: Int.random(in: -20..<1000, using: &random), y: Int.random(in: -20..<1000, using: &random),
                width: side, height: side + Int.random(in: 0...3, using: &random))
        }
        // Several sizes: some views are in many cells, some in one.
        let sides = (0..<300).map { [400, 120, 30, 30, 8, 8, 8, 8][$0 % 8] }
        let views = sides.map { View(frame: frame($0)) }
        for view in views { root.addSubview(view) }
        let points = (0..<60).map { _ in
            CGPoint(x: Int.random(in: 0..<1024, using: &random), y: Int.random(in: 0..<1024, using: &random))
        }
        var hits = 0

        for step in 0..<1500 {
            let number = Int.random(in: 0..<views.count, using: &random)
            let view = views[number]
            switch Int.random(in: 0..<10, using: &random) {
            case 0: root.bringSubviewToFront(view)
            case 1: root.sendSubviewToBack(view)
            case 2: view.isHidden.toggle()
            case 3: views.randomElement(using: &random)?.isUserInteractionEnabled = random.chance(80)
            case 4:
                view.removeFromSuperview()
                root.insertSubview(view, at: Int.random(in: 0...root.subviews.count, using: &random))
            case 5: root.insertSubview(view, at: 150)
            default: view.frame = frame(sides[number])
            }
            for point in points {
                let (found, expected) = (
                    root.hitTest(point, with: nil),
                    View.hit(root.subviews, before: root.subviews.count, point, with: nil) ?? root
                )
                hits += found === root ? 0 : 1
                if found !== expected {
                    Issue.record("step \(step): another view at \(point)")
                    return
                }
            }
        }

        #expect(hits > 4000 * points.count / 4)
    }

    @Test("transformed views are hit by their geometry, also at their edges")
    func turnedViews() {
        var random = SeededGenerator(seed: 2)
        let root = View(frame: CGRect(x: 0, y: 0, width: 4000, height: 4000))
        let box = View(frame: CGRect(x: 100, y: 1000, width: 1500, height: 1500))
        root.addSubview(box)
        let turns = [
            CGAffineTransform(rotationAngle: .pi / 6), CGAffineTransform(rotationAngle: -1).translatedBy(x: 40, y: 7),
            CGAffineTransform(a: 1, b: 0.3, c: -0.2, d: 1.5, tx: -9.1, ty: 3),
        ]
        let views = (0..<400).map { number in
            let view = View(
                frame: CGRect(x: CGFloat(number % 20) * 70.3, y: CGFloat(number / 20) * 60.7, width: 55, height: 44.5))
            view.transform = turns[number % 3]
            (number.isMultiple(of: 2) ? root : box).addSubview(view)
            return view
        }
        var points = (0..<4000).map { _ in
            CGPoint(x: Double.random(in: 0..<1700, using: &random), y: Double.random(in: 0..<2600, using: &random))
        }
        for view in views {
            for (x, y) in [(0.0, 0.0), (55.0, 20.0), (20.0, 44.5), (55.0, 44.5), (0.0, 30.0)] {
                let edge = view.convert(CGPoint(x: x, y: y), to: root)
                for shift in [-1e-9, 0, 1e-9, 1e-4, -1e-4] {
                    points.append(CGPoint(x: edge.x + shift, y: edge.y - shift))
                }
            }
        }

        for point in points where root.bounds.contains(point) {
            let (found, expected) = (
                root.hitTest(point, with: nil),
                View.hit(root.subviews, before: root.subviews.count, point, with: nil) ?? root
            )
            if found !== expected {
                Issue.record("another view at \(point)")
                return
            }
        }
        #expect(root.subviewGrid != nil)
    }

    @Test("a view added to a transformed view is hit there")
    func insideATurnedView() {
        let root = View(frame: CGRect(x: 0, y: 0, width: 1000, height: 1000))
        for number in 0..<40 {
            let view = View(frame: CGRect(x: number * 24, y: 0, width: 20, height: 20))
            view.transform = CGAffineTransform(rotationAngle: 0.5)
            root.addSubview(view)
        }
        let turned = root.subviews[7]
        #expect(root.hitTest(turned.center, with: nil) === turned)

        let inner = View(frame: CGRect(x: 5, y: 5, width: 10, height: 10))
        turned.addSubview(inner)

        #expect(root.hitTest(turned.center, with: nil) === inner)
        inner.removeFromSuperview()
        #expect(root.hitTest(turned.center, with: nil) === turned)
    }
}
