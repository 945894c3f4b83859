import Foundation
import Testing

@testable import TouchKit

@Suite("Hit-testing many views")
struct SubviewGridTests {
    /// The number of changes, each followed by three points.
    private static let steps = 20_000

    @Test("hit-testing a random tree equals plain recursion after every change")
    func property() {
        let stepsPerSeed = 100
        var counts = (points: 0, hits: 0, calls: 0, indexed: 0)
        for seed in 1...UInt64(Self.steps / stepsPerSeed) {
            let scene = HitTestScene(seed: seed, count: [20, 40, 120, 400][Int(seed % 4)])
            for step in 0..<stepsPerSeed {
                scene.mutate()
                for _ in 0..<3 {
                    let point = scene.point()
                    let (found, expected) = (scene.hit(point, plainly: false), scene.hit(point, plainly: true))
                    counts.points += 1
                    counts.hits += found.view == nil ? 0 : 1
                    counts.calls += found.calls.count
                    if found.view !== expected.view || found.calls != expected.calls {
                        Issue.record(
                            """
                            seed \(seed), step \(step): \(point) hits \(found.view?.accessibilityIdentifier ?? "nothing"), \
                            not \(expected.view?.accessibilityIdentifier ?? "nothing"), or other views were asked
                            """)
                        return
                    }
                }
            }
            counts.indexed += ([scene.root] + scene.views).count { $0.subviewGrid != nil }
        }

        // The run must have checked something.
        #expect(counts.hits > counts.points / 4 && counts.calls > Self.steps / 10, "\(counts)")
        #expect(counts.indexed > Self.steps / stepsPerSeed / 4, "\(counts)")
    }

    @Test("a hit test that moves one of many siblings continues through all that were behind it")
    func movedWhileAsked() {
        let root = View(frame: CGRect(x: 0, y: 0, width: 1000, height: 1000))
        for number in 0..<40 { root.addSubview(View(frame: CGRect(x: number * 25, y: 0, width: 10, height: 10))) }
        let moved = root.subviews[30]
        let front = RecordingView("front", root.bounds, log: CallLog())
        front.hitTestOverride = { _, _, _ in
            moved.frame.origin = .zero
            return nil
        }
        root.addSubview(front)

        #expect(root.hitTest(CGPoint(x: 5, y: 5), with: nil) === moved)
    }

    @Test("a view with few subviews has no grid; one with many has one, which follows bounds that grow")
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
        root.subviews[0].bounds.size = root.bounds.size
        #expect(root.hitTest(CGPoint(x: 400, y: 400), with: nil) === root.subviews[0])
    }

    @Test("of many views that override hit-testing within their bounds, only those at the point are asked")
    func inBounds() {
        let root = View(frame: CGRect(x: 0, y: 0, width: 1000, height: 1000)), log = CallLog()
        for number in 0..<100 {
            let view = RecordingView(
                "\(number)", CGRect(x: number % 10 * 100, y: number / 10 * 100, width: 90, height: 90), log: log)
            (view.isHitInBoundsOnly, view.logsHitTests) = (true, true)
            root.addSubview(view)
        }
        #expect(root.hitTest(CGPoint(x: 350, y: 250), with: nil) === root.subviews[23])
        #expect(!log.lines.isEmpty && log.lines.count < 10, "\(log.lines)")
        root.subviews[77].frame.origin = CGPoint(x: 345, y: 245)
        #expect(root.hitTest(CGPoint(x: 350, y: 250), with: nil) === root.subviews[77])
    }

    @Test("a subclass is asked at each hit test unless it is hit-tested by bounds")
    func declaration() {
        class Handling: View {
            override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {}
        }
        class Generic<Value>: Button { var value: Value? }

        #expect([View(), Control(), Button(), Window(), DeclaredView()].allSatisfy { $0.isHitTestedPlainly })
        #expect(![Handling(), UndeclaredControl(), Generic<Int>()].contains { $0.isHitTestedPlainly })
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
}
