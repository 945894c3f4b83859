import CHeap
import Foundation
import TouchKit
import Workloads

/// TouchKit's times for a layout, in nanoseconds.
struct Own {
    var hit = Double.infinity
    var plain = Double.infinity
    var move = Double.infinity
    var indexBytes = 0.0
    var firstHit = 0.0
    var answers: [Int] = []

    static func measure(_ layout: Layout) -> Own {
        var own = Own()
        let (root, views) = layout.views()
        let points = layout.points.map { CGPoint(x: $0.x, y: $0.y) }
        let before = Int(heap_bytes())
        let start = now()
        _ = root.hitTest(points[0], with: nil)
        own.firstHit = now() - start
        own.indexBytes = Double(Int(heap_bytes()) - before) / Double(views.count)

        own.answers = points.map { number(root.hitTest($0, with: nil), root) }
        // The result is only compared with a view, as the other toolkits only store theirs.
        var misses = 0
        own.hit = least(over: points.count) {
            for point in points where root.hitTest(point, with: nil) === root { misses &+= 1 }
        }
        // The plain way takes milliseconds a point where views are many.
        let few = points.prefix(max(8, min(points.count, 4_000_000 / views.count)))
        own.plain = least(over: few.count) {
            for point in few where plainHitTest(root, point) === root { misses &+= 1 }
        }
        guard few.enumerated().allSatisfy({ number(plainHitTest(root, $1), root) == own.answers[$0] }) else {
            fatalError("the index and the plain way disagree on \(layout.kind) \(views.count)")
        }
        // A view with subviews takes another path through the index when it moves; this row measures views without.
        let leaves = views.filter(\.subviews.isEmpty)
        var step = 0
        own.move = least(over: 2000) {
            for _ in 0..<2000 {
                let view = leaves[step * 7919 % leaves.count]
                view.center.x += step.isMultiple(of: 2) ? 1 : -1
                if root.hitTest(points[step % points.count], with: nil) === root { misses &+= 1 }
                step += 1
            }
        }
        if misses == -1 { print("") }
        return own
    }

    /// Hit-testing as the rules A2.1 to A2.7 say it, by public means.
    static func plainHitTest(_ view: View, _ point: CGPoint) -> View? {
        guard !view.isHidden, view.alpha >= 0.01, view.isUserInteractionEnabled, view.point(inside: point, with: nil)
        else { return nil }
        for subview in view.subviews.reversed() {
            if let hit = plainHitTest(subview, subview.convert(point, from: view)) { return hit }
        }
        return view
    }

    private static func number(_ view: View?, _ root: View) -> Int {
        view == nil || view === root ? -1 : view?.tag ?? -1
    }

    private static func least(over count: Int, _ body: () -> Void) -> Double {
        var least = Double.infinity
        let start = now()
        repeat {
            let before = now()
            body()
            least = min(least, (now() - before) / Double(count))
        } while now() - start < 200_000_000
        return least
    }

    private static func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) }
}
