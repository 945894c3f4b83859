import UIKitNames

/// The views of the figure A to E; each prints when it is asked.
class FigureView: UIView {
    let name: String

    init(name: String, frame: CGRect) {
        self.name = name
        super.init(frame: frame)
    }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        output("\(name) hitTest")
        return super.hitTest(point, with: event)
    }

    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        let inside = super.point(inside: point, with: event)
        output("\(name) pointInside \(inside)")
        return inside
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        output("\(name) touchesBegan")
        super.touchesBegan(touches, with: event)
    }
}

class FigureViewController: UIViewController {
    override func loadView() {
        view = FigureView(name: "A", frame: CGRect(x: 0, y: 0, width: 400, height: 400))
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let c = FigureView(name: "C", frame: CGRect(x: 20, y: 150, width: 360, height: 230))
        view.addSubview(c)
        let b = FigureView(name: "B", frame: CGRect(x: 20, y: 20, width: 160, height: 100))
        view.addSubview(b)
        let e = FigureView(name: "E", frame: CGRect(x: 190, y: 20, width: 150, height: 150))
        c.addSubview(e)
        let d = FigureView(name: "D", frame: CGRect(x: 20, y: 20, width: 150, height: 150))
        c.addSubview(d)
    }
}
