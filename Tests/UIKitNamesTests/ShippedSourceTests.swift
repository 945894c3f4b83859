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
}
