import UIKitNames

/// A view model that is no responder, but the target of a recognizer and of a button.
final class ReactionGame: NSObject {
    private(set) var taps: [String] = []
    private var began: CFTimeInterval = 0
    var duration: CFTimeInterval = 0

    func start(_ sender: UIButton) {
        began = CACurrentMediaTime()
        taps.append("start \(sender.currentTitle ?? "")")
    }

    func tapped(_ gesture: UITapGestureRecognizer) {
        duration = CACurrentMediaTime() - began
        taps.append("tapped")
    }

    func reset() { taps.append("reset") }
}

/// A card with a property `identifier`, that fills its superview's width.
class GameCard: UIView {
    let identifier: String
    let button = UIButton(type: .system)
    let game = ReactionGame()
    var log: [String] = []

    init(identifier: String) {
        self.identifier = identifier
        super.init(frame: CGRect(x: 10, y: 10, width: 180, height: 100))
        autoresizingMask = [.flexibleWidth, .flexibleBottomMargin]
        button.frame = CGRect(x: 60, y: 0, width: 60, height: 40)
        button.autoresizingMask = [.flexibleLeftMargin, .flexibleRightMargin]
        button.setTitle("Go", for: .normal)
        button.setTitle("Wait", for: .disabled)
        button.addTarget(game, action: Selector("start", ReactionGame.start), for: .touchUpInside)
        button.addTarget(game, action: Selector("reset", ReactionGame.reset), for: .touchDown)
        button.addAction(
            UIAction { [weak self] action in self?.log.append("\(action.sender is UIButton)") }, for: .touchDown)
        addSubview(button)
        addGestureRecognizer(
            UITapGestureRecognizer(target: game, action: Selector("tapped", ReactionGame.tapped)))
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

    override var canBecomeFirstResponder: Bool { true }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = touches.first, let recognizers = touch.gestureRecognizers else { return }
        log.append("\(identifier) \(recognizers.count)")
    }

    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        guard let key = presses.first?.key else { return super.pressesBegan(presses, with: event) }
        log.append("key \(key.code)")
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        log.append("width \(Int(bounds.inset(by: safeAreaInsets).width))")
    }
}
