import TouchKit

/// The wall, and what gestures do with its pictures.
final class WallController: ViewController, GestureRecognizerDelegate {
    private let pictures = [
        PictureView("harbour", frame: CGRect(x: 160, y: 140, width: 480, height: 320)),
        PictureView("market", frame: CGRect(x: 720, y: 140, width: 480, height: 320)),
        PictureView("portrait", frame: CGRect(x: 1320, y: 100, width: 320, height: 480)),
    ]
    private var caption: Window?

    override func viewDidLoad() {
        view.isMultipleTouchEnabled = true
        addAction("pan") { [unowned self] sender, _ in
            if let pan = sender as? PanGestureRecognizer { move(pan) }
        }
        addAction("pinch") { [unowned self] sender, _ in
            if let pinch = sender as? PinchGestureRecognizer { scale(pinch) }
        }
        addAction("turn") { [unowned self] sender, _ in
            if let turn = sender as? RotationGestureRecognizer { rotate(turn) }
        }
        addAction("explain") { [unowned self] sender, _ in
            if let press = sender as? LongPressGestureRecognizer, press.state == .began { explain(press.view) }
        }
        for picture in pictures {
            view.addSubview(picture)
            for recognizer in [
                PanGestureRecognizer(target: self, action: "pan"),
                PinchGestureRecognizer(target: self, action: "pinch"),
                RotationGestureRecognizer(target: self, action: "turn"),
            ] {
                recognizer.delegate = self
                picture.addGestureRecognizer(recognizer)
            }
            picture.addGestureRecognizer(LongPressGestureRecognizer(target: self, action: "explain"))
        }
    }

    /// Lets a picture be moved, scaled and turned at once; the press that explains it excludes these, and they exclude it.
    func gestureRecognizer(
        _ recognizer: GestureRecognizer, shouldRecognizeSimultaneouslyWith other: GestureRecognizer
    ) -> Bool { recognizer.view === other.view && !(other is LongPressGestureRecognizer) }

    func tidy() {
        for picture in pictures { picture.tidy() }
        print("tidied")
    }

    private func move(_ pan: PanGestureRecognizer) {
        guard let picture = pan.view as? PictureView else { return }
        let way = pan.translation(in: view)
        picture.center = CGPoint(x: picture.center.x + way.x, y: picture.center.y + way.y)
        pan.setTranslation(.zero, in: view)
        report(pan)
    }

    private func scale(_ pinch: PinchGestureRecognizer) {
        pinch.view?.transform = pinch.view?.transform.scaledBy(x: pinch.scale, y: pinch.scale) ?? .identity
        pinch.scale = 1
        report(pinch)
    }

    private func rotate(_ turn: RotationGestureRecognizer) {
        turn.view?.transform = turn.view?.transform.rotated(by: turn.rotation) ?? .identity
        turn.rotation = 0
        report(turn)
    }

    private func report(_ recognizer: GestureRecognizer) {
        if recognizer.state == .ended, let picture = recognizer.view as? PictureView { print(picture.summary) }
    }

    /// Shows what a picture shows, in front of everything, until that is touched.
    private func explain(_ picture: View?) {
        guard caption == nil, let name = picture?.accessibilityIdentifier else { return }
        let window = Window(frame: Screen.main.bounds)
        window.windowLevel = .alert
        window.addHandler(for: .ended) { [unowned self] _, _ in
            caption?.isHidden = true
            caption = nil
            print("caption closed")
        }
        window.isHidden = false
        caption = window
        print("caption of \(name)")
    }
}
