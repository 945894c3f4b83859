import UIKitNames

/// A superview that passes touches in the red view's area to it, although the yellow one covers it.
class RewriteSuperView: UIView {
    weak var redView: UIView?

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        if let redView {
            let redPoint = redView.convert(point, from: self)
            if redView.point(inside: redPoint, with: event) {
                return redView
            }
        }
        return super.hitTest(point, with: event)
    }
}

class NamedView: UIView {
    let name: String

    init(name: String, frame: CGRect) {
        self.name = name
        super.init(frame: frame)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        output("\(name) touchesBegan")
    }
}

class RewriteSuperViewController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        let container = RewriteSuperView(frame: CGRect(x: 0, y: 100, width: 300, height: 300))
        view.addSubview(container)
        let red = NamedView(name: "red", frame: CGRect(x: 100, y: 100, width: 100, height: 100))
        container.addSubview(red)
        container.redView = red
        let yellow = NamedView(name: "yellow", frame: CGRect(x: 50, y: 50, width: 200, height: 200))
        container.addSubview(yellow)
    }
}
