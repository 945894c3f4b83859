import UIKitNames

/// A view on top that lets every touch through: its hit test returns nil instead of itself.
class RewriteView: UIView {
    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        let view = super.hitTest(point, with: event)
        if view === self {
            return nil
        }
        return view
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        output("yellow touchesBegan")
        super.touchesBegan(touches, with: event)
    }
}

class GreyView: UIView {
    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        output("gray touchesBegan")
        super.touchesBegan(touches, with: event)
    }
}

class RewriteViewController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        let gray = GreyView(frame: CGRect(x: 0, y: 100, width: 300, height: 300))
        view.addSubview(gray)
        let yellow = RewriteView(frame: CGRect(x: 50, y: 150, width: 200, height: 200))
        view.addSubview(yellow)
    }
}
