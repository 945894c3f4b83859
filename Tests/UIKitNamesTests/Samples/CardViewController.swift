import UIKitNames

/// A controller created in code, which places its card when its view is laid out, and handles a gesture.
class CardViewController: UIViewController, UIGestureRecognizerDelegate {
    let name: String
    let card = CardView(frame: .zero)
    private(set) var calls: [String] = []
    private lazy var pan = DirectionLockedPanGestureRecognizer(axis: .horizontal, target: self, action: "handlePan")

    init(name: String) {
        self.name = name
        super.init(nibName: nil, bundle: nil)
        addAction("handlePan") { [unowned self] sender, _ in handlePan(sender) }
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func loadView() {
        view = UIView()
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(card)
        pan.delegate = self
        card.gestureRecognizers = [pan]
    }

    override func viewWillLayoutSubviews() {
        super.viewWillLayoutSubviews()
        calls.append("will \(card.layoutCount)")
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        calls.append("did \(card.layoutCount)")
        card.frame = view.bounds.inset(by: UIEdgeInsets(top: 50, left: 50, bottom: 50, right: 50))
    }

    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        touch.view?.isDescendant(of: card) == true
    }

    func handlePan(_ sender: Any?) {
        guard let pan = sender as? UIPanGestureRecognizer, pan.isKind(of: UIPanGestureRecognizer.self) else { return }
        switch pan.state {
        case .began: output("\(name) began")
        case .changed: output("\(name) changed")
        case .ended: output("\(name) ended")
        default: output("\(name) cancelled")
        }
    }
}
