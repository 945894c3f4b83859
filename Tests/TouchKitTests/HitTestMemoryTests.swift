import Foundation
import Testing

@testable import TouchKit

/// An index keeps what it found of a place, and how views are turned; the plain way keeps nothing.
@Suite("What an index of views remembers")
struct HitTestMemoryTests {
    @Test("a place that is looked at again and again is found as plain recursion has it, whatever moves in between")
    func samePlaces() {
        var random = SeededGenerator(seed: 1)
        let root = View(frame: CGRect(x: 0, y: 0, width: 1024, height: 1024))
        func frame(_ side: Int) -> CGRect {
            CGRect(
                x: Int.random(in: -20..<1000, using: &random), y: Int.random(in: -20..<1000, using: &random),
                width: side, height: side + Int.random(in: 0...3, using: &random))
        }
        // Several sizes, so that the index has several grids, with much that is small in front of what is large.
        let sides = (0..<300).map { [400, 120, 30, 30, 8, 8, 8, 8][$0 % 8] }
        let views = sides.map { View(frame: frame($0)) }
        for view in views { root.addSubview(view) }
        let points = (0..<60).map { _ in
            CGPoint(x: Int.random(in: 0..<1024, using: &random), y: Int.random(in: 0..<1024, using: &random))
        }
        var hits = 0

        for step in 0..<4000 {
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
                    root.hitTest(point, with: nil), root.hitSubviewsInTurn(point, with: nil) ?? root
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

    @Test("views turned alike are found as their own geometry has it, next to their edges too")
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
            let (found, expected) = (root.hitTest(point, with: nil), root.hitSubviewsInTurn(point, with: nil) ?? root)
            if found !== expected {
                Issue.record("another view at \(point)")
                return
            }
        }
        #expect(root.ownIndex != nil)
    }

    @Test("a view that is put into a turned view is hit there, though the turned one was known to be empty")
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

    @Test("views that are put in front again and again, while nobody searches, are remembered once")
    func unsearched() throws {
        let root = View(frame: CGRect(x: 0, y: 0, width: 1000, height: 1000))
        let views = (0..<50).map { View(frame: CGRect(x: $0 * 20, y: 0, width: 10, height: 10)) }
        for view in views { root.addSubview(view) }
        #expect(root.hitTest(CGPoint(x: 5, y: 5), with: nil) === views[0])
        let index = try #require(root.ownIndex)

        for step in 0..<10_000 { root.bringSubviewToFront(views[step % 7]) }

        #expect(index.changed.count <= 200)
        root.addSubview(views[0])
        views[0].frame = root.bounds
        #expect(root.hitTest(CGPoint(x: 45, y: 5), with: nil) === views[0])
    }
}
