import TouchKit

/// One picture, large: two fingers zoom it, a button closes it, and so does half a minute without a visitor.
final class PictureController: ViewController {
    let name: String
    private var zoom: CGFloat = 1
    private var timeout: Application.ScheduledAction?

    init(_ name: String) {
        self.name = name
        super.init(nibName: nil, bundle: nil)
    }

    override func viewDidLoad() {
        view.accessibilityIdentifier = "large-\(name)"
        view.isMultipleTouchEnabled = true
        let pinch = PinchGestureRecognizer()
        pinch.addHandler(name: "zoom") { [unowned self] _ in
            zoom *= pinch.scale
            pinch.scale = 1
            print("zoom \(name) to \(Int(zoom * 100)) %")
            wait()
        }
        view.addGestureRecognizer(pinch)

        let close = Button(frame: CGRect(x: 1720, y: 40, width: 160, height: 160))
        close.accessibilityIdentifier = "close"
        close.addHandler(for: .primaryActionTriggered, name: "close") { [unowned self] _, _ in leave() }
        view.addSubview(close)
    }

    override func viewDidAppear(_ animated: Bool) {
        print("show \(name)")
        wait()
    }

    override func viewDidDisappear(_ animated: Bool) {
        timeout?.cancel()
        print("show wall")
    }

    private func wait() {
        guard let application = view.window?.application else { return }
        timeout?.cancel()
        timeout = application.schedule(at: application.currentTime + 30) { [weak self] in self?.leave() }
    }

    private func leave() {
        willMove(toParent: nil)
        view.removeFromSuperview()
        removeFromParent()
    }
}
