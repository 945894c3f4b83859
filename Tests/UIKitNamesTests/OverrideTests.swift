import Testing
import TouchKitTesting
import UIKitNames

// Both print into one list.
extension TutorialSampleTests {
    /// What UIKit lets a subclass override, and that touches do not depend on the overrides.
    @Suite("Overrides", .serialized)
    struct OverrideTests {
        let stage = Stage(size: CGSize(width: 512, height: 512))
        var window: UIWindow { stage.window }

        init() { printed = [] }

        @Test("an overridden property or method of a view sees the program's calls, and a touch does not read it")
        func view() {
            let view = ObservedView(frame: .zero)
            view.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
            view.bounds = view.bounds
            view.center = CGPoint(x: 100, y: 100)
            view.transform = .identity
            view.tag = 1
            view.isHidden = false
            view.alpha = 1
            view.isUserInteractionEnabled = true
            #expect(
                printed == [
                    "frame", "bounds", "center", "transform", "tag", "isHidden", "alpha", "isUserInteractionEnabled",
                ])

            printed = []
            let subview = UIView()
            view.addSubview(subview)
            view.insertSubview(UIView(), at: 1)
            view.bringSubviewToFront(subview)
            view.addGestureRecognizer(UITapGestureRecognizer { _ in output("tap") })
            view.setNeedsLayout()
            view.layoutIfNeeded()
            #expect(printed == ["add", "insert", "front", "recognizer", "needs", "layout"])
            #expect(view.subviews.last === subview)

            printed = []
            window.addSubview(view)
            stage.taps(at: 100, 100)
            #expect(printed == ["tap"] && window.hitTest(CGPoint(x: 60, y: 60), with: nil) === view)
            view.removeFromSuperview()
            #expect(printed == ["tap", "remove"] && window.subviews.isEmpty)
        }

        @Test("a hidden view whose isHidden is overridden receives no touch")
        func hidden() {
            let view = ObservedView(frame: window.bounds)
            window.addSubview(view)
            view.isHidden = true
            #expect(window.hitTest(.zero, with: nil) === window)
            view.isHidden = false
            #expect(window.hitTest(.zero, with: nil) === view)
        }

        @Test("a control's overridden states follow its touches, which do not read them")
        func control() {
            let control = ObservedControl(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
            window.addSubview(control)
            control.addHandler(for: .touchUpInside) { _, _ in output("up") }
            control.addTarget(nil, action: "tapped", for: .touchDragExit)
            control.isSelected = true
            control.sendActions(for: .touchUpInside)
            #expect(printed == ["target", "selected", "send", "up"])

            printed = []
            stage.taps(at: 50, 50)
            control.isEnabled = false
            stage.taps(at: 50, 50)
            #expect(printed == ["highlighted true", "highlighted false", "highlighted false", "up", "enabled false"])
        }

        @Test("a recognizer's overridden state sees what the recognizer sets; touches use its real view and delegate")
        func recognizer() {
            final class Delegate: UIGestureRecognizerDelegate {
                func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
                    output("asked")
                    return true
                }
            }
            let (pan, delegate) = (ObservedPanGestureRecognizer(target: nil, action: nil), Delegate())
            pan.delegate = delegate
            pan.cancelsTouchesInView = true
            window.addGestureRecognizer(pan)
            let finger = stage.finger(at: 100, 100)
            finger.moves(to: 200, 100)
            finger.lifts()
            #expect(printed == ["delegate", "cancels", "began", "asked", "ended"])
        }
    }
}
