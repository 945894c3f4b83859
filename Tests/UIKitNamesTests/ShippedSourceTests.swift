@testable import ShippedSources
import Testing
import TouchKitTesting
import UIKitNames

/// Components of the target ShippedSources, which are written as for UIKit, and differ from that in their import alone.
@Suite("Shipped sources", .serialized)
struct ShippedSourceTests {
    let stage = Stage(size: CGSize(width: 512, height: 512))
    var window: UIWindow { stage.window }

    @Test("Swift 5 sources use recognizers and touches in blocks and helpers without an actor")
    func isolation() {
        let controller = RestingController()
        window.rootViewController = controller
        var states: [UIGestureRecognizer.State] = []
        controller.press.addHandler { states.append($0.state) }

        stage.finger(at: 100, 200).lifts()

        #expect(states == [.began, .ended])
        #expect(controller.press.start?.position == CGPoint(x: 100, y: 200))
        #expect(UIGestureRecognizer().state == .possible && UIPanGestureRecognizer().view == nil)
    }

    @Test("a control that draws, with a path for its touched area and values for accessibility, is touched in its ring")
    func dial() {
        let dial = DialControl(frame: CGRect(x: 0, y: 0, width: 80, height: 80))
        window.addSubview(dial)
        dial.sizeToFit()
        #expect(dial.frame == CGRect(x: 0, y: 0, width: 120, height: 120))
        dial.layoutIfNeeded()
        var values: [CGFloat] = []
        dial.addHandler(for: .valueChanged) { control, _ in values.append((control as? DialControl)?.value ?? -1) }

        for start in [CGPoint(x: 60, y: 60), CGPoint(x: 5, y: 5), CGPoint(x: 20, y: 60)] {
            let finger = stage.finger(at: start.x, start.y)
            finger.moves(to: 30, 60)
            finger.lifts()
        }

        #expect(values == [0.25])
        #expect(dial.accessibilityTraits == .adjustable && dial.accessibilityLabel == "Volume")
        #expect(
            dial.tintColor == UIColor(red: 1, green: 128 / 255, blue: 0, alpha: 1) && dial.backgroundColor == .clear)
        #expect(dial.intrinsicContentSize == CGSize(width: 120, height: -1) && !dial.isOpaque)
    }

    @Test("an object that is no responder is a target; a button has titles and an action")
    func game() {
        let card = GameCard(identifier: "a")
        window.addSubview(card)
        window.layoutIfNeeded()
        #expect(card.button.currentTitle == "Go" && card.button.accessibilityLabel == "Go")
        #expect(card.button.isAccessibilityElement && !card.isAccessibilityElement)

        stage.taps(at: 100, 30)
        stage.advanceTime(by: 2)
        stage.taps(at: 20, 100)
        #expect(card.game.taps == ["reset", "start Go", "tapped"])
        #expect(abs(card.game.duration - 2) < 0.5)
        card.becomeFirstResponder()
        stage.keyboard.presses(28)
        #expect(card.log == ["width 180", "true", "a 1", "key 28"])
        card.button.isEnabled = false
        #expect(card.button.currentTitle == "Wait")
    }

    @Test("a view with an autoresizing mask follows its superview's size")
    func autoresizing() {
        let (card, holder) = (GameCard(identifier: "b"), UIView(frame: CGRect(x: 0, y: 0, width: 200, height: 200)))
        holder.addSubview(card)
        holder.frame.size = CGSize(width: 300, height: 400)
        #expect(card.frame == CGRect(x: 10, y: 10, width: 280, height: 100))
        #expect(card.button.frame == CGRect(x: 110, y: 0, width: 60, height: 40))
        holder.autoresizesSubviews = false
        holder.bounds.size.width = 100
        #expect(card.frame.width == 280)
    }
}
