import UIKitNames

/// A number between two buttons, which repeat while they are held.
///
/// A button that reaches the end of the range is disabled, which cancels its touch, and with it the repetition.
final class RepeatingStepper: UIControl {
    let minus = UIButton(type: .custom)
    let plus = UIButton(type: .custom)
    let range: ClosedRange<Int>
    private(set) var value: Int
    private var repetition: UIApplication.ScheduledAction?

    init(frame: CGRect, range: ClosedRange<Int>, value: Int) {
        self.range = range
        self.value = value
        super.init(frame: frame)
        minus.setTitle("−", for: .normal)
        minus.accessibilityLabel = "Decrement"
        plus.setTitle("+", for: .normal)
        plus.accessibilityLabel = "Increment"
        for button in [minus, plus] {
            button.addTarget(self, action: Selector("start", RepeatingStepper.start), for: .touchDown)
            button.addTarget(
                self, action: Selector("stop", RepeatingStepper.stop),
                for: [.touchUpInside, .touchUpOutside, .touchDragExit, .touchCancel])
            button.isExclusiveTouch = true
            addSubview(button)
        }
        enableButtons()
    }

    override var intrinsicContentSize: CGSize { CGSize(width: 94, height: 32) }

    override func layoutSubviews() {
        (minus.frame, plus.frame) = bounds.divided(atDistance: bounds.midX, from: .minXEdge)
    }

    private func start(_ button: UIButton) { step(button, pause: 0.5) }

    /// On iOS a `Timer` repeats; the application's clock is that of the touches, so a test needs not wait.
    private func step(_ button: UIButton, pause: TimeInterval) {
        guard let application = window?.application else { return }
        repetition = application.schedule(at: application.currentTime + pause) { [weak self] in
            self?.step(button, pause: 0.1)
        }
        value += button === plus ? 1 : -1
        enableButtons()
        sendActions(for: .valueChanged)
    }

    private func enableButtons() {
        minus.isEnabled = value > range.lowerBound
        plus.isEnabled = value < range.upperBound
    }

    private func stop() {
        repetition?.cancel()
        repetition = nil
    }
}
