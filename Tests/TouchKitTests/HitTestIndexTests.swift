import Foundation
import Testing

@testable import TouchKit

@Suite("Hit-testing many views")
struct HitTestIndexTests {
    /// 20,000 changes, or as many as `TOUCHKIT_PROPERTY_STEPS` says; each is followed by three points.
    private static let steps = PropertyTests.steps

    @Test(
        "random trees are hit as plain recursion has it, with the same calls of overridden methods, after every change")
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
            counts.indexed += ([fast.root] + fast.views).count { $0.ownIndex != nil }
        }

        // The run must have had something to check.
        #expect(counts.hits > counts.points / 4 && counts.calls > Self.steps / 10, "\(counts)")
        #expect(counts.indexed > Self.steps / stepsPerSeed / 2, "\(counts)")
    }

    @Test("a small tree has no index, and a large one has one from the first hit-test on")
    func threshold() {
        let root = View(frame: CGRect(x: 0, y: 0, width: 1000, height: 1000))
        for number in 1..<View.indexedDescendants {
            root.addSubview(View(frame: CGRect(x: number * 10, y: 0, width: 10, height: 10)))
        }
        #expect(root.hitTest(CGPoint(x: 15, y: 5), with: nil) === root.subviews[0])
        #expect(root.ownIndex == nil)

        root.addSubview(View(frame: CGRect(x: 500, y: 500, width: 10, height: 10)))

        #expect(root.ownIndex == nil)
        #expect(root.hitTest(CGPoint(x: 505, y: 505), with: nil) === root.subviews.last)
        #expect(root.ownIndex != nil)
    }

    @Test("a class is asked exactly if it or a superclass outside overrides what hit-testing asks")
    func overrides() {
        class Handling: View {
            override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {}
            override func didMoveToWindow() {}
            override var isExclusiveTouch: Bool { didSet {} }
        }
        class Passing: Handling {
            override func hitTest(_ point: CGPoint, with event: Event?) -> View? { nil }
        }
        final class BelowPassing: Passing {}
        final class Shaped: Button {
            override func point(inside point: CGPoint, with event: Event?) -> Bool { true }
        }
        final class Hiding: View {
            override var isHidden: Bool { didSet {} }
        }
        final class Fading: View {
            override var alpha: CGFloat { didSet {} }
        }
        final class Ignoring: View {
            override var isUserInteractionEnabled: Bool { didSet {} }
        }
        final class Disabling: Control {
            override var isEnabled: Bool { didSet {} }
        }
        class Generic<Value>: View { var value: Value? }
        final class GenericPassing: Generic<Int> {
            override func hitTest(_ point: CGPoint, with event: Event?) -> View? { nil }
        }

        let plain: [View] = [View(), Control(), Button(), Handling(), HandlingControl(), Generic<String>()]
        let asked: [View] = [
            Passing(), BelowPassing(), Shaped(), Hiding(), Fading(), Ignoring(), Disabling(), GenericPassing(),
        ]

        #expect(plain.allSatisfy { $0.isHitTestedPlainly })
        #expect(!asked.contains { $0.isHitTestedPlainly })
    }

    @Test("views of an index whose root is gone are hit-tested by themselves, and in another tree")
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

    @Test("putting views to the front again and again, and between two others, keeps their order")
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
