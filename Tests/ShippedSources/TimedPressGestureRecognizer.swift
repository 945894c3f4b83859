import UIKitNames

/// Recognizes a finger that rests; its timer's block and its helpers are isolated to no actor, as those of older sources.
class TimedPressGestureRecognizer: UIGestureRecognizer {
    private(set) var start: TouchSample?
    var timer: Timer?

    // Not an override: in UIKit, too, a convenience initializer.
    init() {
        super.init(target: nil, action: nil)
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
        start = touches.first.map { TouchSample(touch: $0) }
        timer = Timer.scheduledTimer(withTimeInterval: 0.2, repeats: false) { _ in
            self.state = .began
        }
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
        finish()
    }

    override func reset() {
        super.reset()
        timer?.invalidate()
    }

    private func finish() {
        timer?.fire()
        state = .ended
    }
}

/// What the recognizer keeps of a touch.
struct TouchSample {
    let position: CGPoint
    let time: TimeInterval

    init(touch: UITouch) {
        position = touch.location(in: nil)
        time = touch.timestamp
    }
}

/// A controller whose initializer takes nothing.
class RestingController: UIViewController, UIGestureRecognizerDelegate {
    let press = TimedPressGestureRecognizer()

    init() {
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        press.delegate = self
        view.addGestureRecognizer(press)
    }

    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool {
        gestureRecognizer.state == .possible
    }
}
