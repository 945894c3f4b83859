// A view controller with UIKit's names.
import UIKitNames

// snippet.controller
final class GreetingController: UIViewController {
    override func viewDidLoad() {
        let button = UIButton(frame: CGRect(x: 660, y: 440, width: 600, height: 200))
        button.addTarget(self, action: "greet", for: .touchUpInside)
        view.addSubview(button)
        // In place of @objc: Swift on Linux has no selectors, so the responder has the action under its name.
        addAction("greet") { [unowned self] sender, _ in greet(sender as? UIButton) }
    }

    private func greet(_ sender: UIButton?) { print("Hello") }
}
// snippet.end

// snippet.window
let window = UIWindow(frame: UIScreen.main.bounds)
window.rootViewController = GreetingController()
window.makeKeyAndVisible()
// snippet.end

// snippet.view
final class Curtain: UIView {
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        let view = super.hitTest(point, with: event)
        return view === self ? nil : view
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        super.touchesBegan(touches, with: event)
    }
}
// snippet.end
