import Foundation
import Testing
import TouchKitTesting

@testable import TouchKit

@Suite("How deep views may be nested")
struct ViewDepthTests {
    /// Overrides the methods that use most stack per level.
    private final class Passing: View {
        override func hitTest(_ point: CGPoint, with event: Event?) -> View? { super.hitTest(point, with: event) }
        override func touchesBegan(_ touches: Set<Touch>, with event: Event?) {
            super.touchesBegan(touches, with: event)
        }
        override func touchesEnded(_ touches: Set<Touch>, with event: Event?) {
            super.touchesEnded(touches, with: event)
        }
    }

    private func nest(_ count: Int, in root: View, _ make: () -> View) -> View {
        var inner = root
        for _ in 0..<count {
            let view = make()
            inner.addSubview(view)
            inner = view
        }
        return inner
    }

    @Test("trees up to the depth limit are added, converted, touched and released", arguments: [true, false])
    func deepest(overriding: Bool) {
        let stage = Stage()
        let frame = stage.screen.bounds
        var began = 0
        stage.window.addHandler(for: .began) { _, _ in began += 1 }
        weak var last: View?
        do {
            let inner = nest(View.maximumDepth, in: stage.window) {
                overriding ? Passing(frame: frame) : View(frame: frame)
            }
            inner.tag = 7
            last = inner

            stage.taps(at: 1, 1)
            #expect(inner.convert(CGPoint(x: 1, y: 1), to: nil) == CGPoint(x: 1, y: 1))
            #expect(stage.window.viewWithTag(7) === inner)
            #expect(stage.window.hitTest(CGPoint(x: 1, y: 1), with: nil) === inner)
        }
        stage.window.subviews[0].removeFromSuperview()

        #expect(began == 1 && last == nil)
    }

    @Test("a view nested deeper than the limit stops the program with an error")
    func tooDeep() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                let root = View()
                var inner = root
                for _ in 0...View.maximumDepth {
                    let view = View()
                    inner.addSubview(view)
                    inner = view
                }
                withExtendedLifetime(root) {}
            }
        }
    }

    @Test("a branch is refused by its height, also if it is added from below")
    func tooHigh() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                var outer = View()
                for _ in 0...View.maximumDepth {
                    let view = View()
                    view.addSubview(outer)
                    outer = view
                }
            }
        }
    }

    @Test("many views side by side are not too deep")
    func wide() {
        let (root, branch) = (View(), View())
        for _ in 0..<(2 * View.maximumDepth) { branch.addSubview(View()) }

        root.addSubview(branch)

        #expect(branch.superview === root)
    }
}
