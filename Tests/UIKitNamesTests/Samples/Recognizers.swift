import UIKitNames

/// A tap recognizer that prints its calls.
class NamedTapGestureRecognizer: UITapGestureRecognizer, UIGestureRecognizerDelegate {
    let label: String
    var swallowsTouchesBegan = false

    init(label: String) {
        self.label = label
        super.init()
        delegate = self
    }

    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        output("\(label) shouldReceive")
        return true
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        output("\(label) touchesBegan")
        if !swallowsTouchesBegan {
            super.touchesBegan(touches, with: event)
        }
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        output("\(label) touchesEnded")
        super.touchesEnded(touches, with: event)
    }
}

/// A pinch recognizer that prints its calls.
class NamedPinchGestureRecognizer: UIPinchGestureRecognizer, UIGestureRecognizerDelegate {
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        output("pinch shouldReceive")
        return true
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        output("pinch touchesBegan")
        super.touchesBegan(touches, with: event)
    }
}

/// A view that prints its calls.
class TalkingView: UIView {
    let label: String

    init(label: String, frame: CGRect) {
        self.label = label
        super.init(frame: frame)
    }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        output("\(label) hitTest")
        return super.hitTest(point, with: event)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        output("\(label) touchesBegan")
        super.touchesBegan(touches, with: event)
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        output("\(label) touchesEnded")
        super.touchesEnded(touches, with: event)
    }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        output("\(label) touchesCancelled")
        super.touchesCancelled(touches, with: event)
    }
}

/// The container with a pinch recognizer, and in it `up` and `down`, each with a tap recognizer.
class RecognizersViewController: UIViewController {
    let tapUp = NamedTapGestureRecognizer(label: "tapUp")

    override func viewDidLoad() {
        super.viewDidLoad()
        let container = TalkingView(label: "container", frame: CGRect(x: 0, y: 0, width: 300, height: 400))
        view.addSubview(container)
        let pinch = NamedPinchGestureRecognizer()
        pinch.delegate = pinch
        container.addGestureRecognizer(pinch)
        let up = TalkingView(label: "up", frame: CGRect(x: 50, y: 50, width: 200, height: 100))
        container.addSubview(up)
        tapUp.addHandler { _ in output("tap action") }
        up.addGestureRecognizer(tapUp)
        let down = TalkingView(label: "down", frame: CGRect(x: 50, y: 200, width: 200, height: 100))
        container.addSubview(down)
        down.addGestureRecognizer(NamedTapGestureRecognizer(label: "tapDown"))
    }
}
