import Foundation
import Testing
import TouchKit

/// The explanation of a hit test for each view.
@Suite struct HitExplanationTests {
    private let root = View(frame: CGRect(x: 0, y: 0, width: 100, height: 100))

    private func add(_ identifier: String, _ frame: CGRect, to superview: View? = nil) -> View {
        let view = View(frame: frame)
        view.accessibilityIdentifier = identifier
        (superview ?? root).addSubview(view)
        return view
    }

    private func explain(_ x: CGFloat, _ y: CGFloat) -> [String] {
        root.explainHitTest(CGPoint(x: x, y: y)).map {
            "\($0.depth) \($0.view.accessibilityIdentifier ?? "root") \($0.outcome.name)"
        }
    }

    @Test("the explanation lists each asked view in order, and then the covered ones")
    func order() {
        let everything = CGRect(x: 0, y: 0, width: 100, height: 100)
        _ = add("behind", everything)
        let panel = add("panel", everything)
        _ = add("key", CGRect(x: 0, y: 0, width: 50, height: 50), to: panel)
        _ = add("aside", CGRect(x: 60, y: 60, width: 10, height: 10), to: panel)
        add("hidden", everything).isHidden = true
        add("clear", everything).alpha = 0.001
        add("off", everything).isUserInteractionEnabled = false

        #expect(
            explain(20, 20) == [
                "0 root entered", "1 off disabled", "1 clear transparent", "1 hidden hidden", "1 panel entered",
                "2 aside outside", "2 key taken", "1 behind covered by panel",
            ])
        #expect(
            explain(55, 20) == [
                "0 root entered", "1 off disabled", "1 clear transparent", "1 hidden hidden", "1 panel taken",
                "2 aside outside", "2 key outside", "1 behind covered by panel",
            ])
        #expect(explain(200, 20) == ["0 root outside"])
    }

    @Test("the explanation names views that redirect touches or pass them through")
    func overrides() {
        let target = add("target", CGRect(x: 50, y: 50, width: 10, height: 10))
        let handing = RecordingView("handing", CGRect(x: 0, y: 0, width: 20, height: 20), log: CallLog())
        handing.hitTestOverride = { $0.plainHitTest($1, with: $2) == nil ? nil : target }
        let passing = RecordingView("passing", root.bounds, log: CallLog())
        passing.hitTestOverride = { view, point, event in
            let hit = view.plainHitTest(point, with: event)
            return hit === view ? nil : hit
        }
        for view in [handing, passing] { root.addSubview(view) }

        #expect(
            explain(10, 10) == ["0 root entered", "1 passing passed", "1 handing redirected to target"])
    }
}

extension HitVisit.Outcome {
    fileprivate var name: String {
        switch self {
        case .taken: "taken"
        case .redirected(let view): "redirected to \(view.accessibilityIdentifier ?? "?")"
        case .entered: "entered"
        case .passedThrough: "passed"
        case .hidden: "hidden"
        case .transparent: "transparent"
        case .disabled: "disabled"
        case .outside: "outside"
        case .covered(let view): "covered by \(view.accessibilityIdentifier ?? "?")"
        }
    }
}
