import TouchKit

/// A view with a recognizer of every kind, each of which prints its states and keeps no other from recognizing.
final class RecognizersController: ViewController, GestureRecognizerDelegate {
    override func viewDidLoad() {
        view.isMultipleTouchEnabled = true
        let doubleTap = TapGestureRecognizer()
        doubleTap.numberOfTapsRequired = 2
        let edge = ScreenEdgePanGestureRecognizer()
        edge.edges = [.left, .right, .top, .bottom]
        let swipe = SwipeGestureRecognizer()
        swipe.direction = [.left, .right, .up, .down]
        let recognizers: [(String, GestureRecognizer)] = [
            ("tap", TapGestureRecognizer()), ("double tap", doubleTap), ("long press", LongPressGestureRecognizer()),
            ("pan", PanGestureRecognizer()), ("swipe", swipe), ("edge pan", edge), ("pinch", PinchGestureRecognizer()),
            ("rotation", RotationGestureRecognizer()), ("hover", HoverGestureRecognizer()),
            ("three-finger chord", ChordGestureRecognizer(touches: 3, duration: 1)),
        ]
        for (name, recognizer) in recognizers {
            recognizer.name = name
            recognizer.delegate = self
            recognizer.cancelsTouchesInView = false
            recognizer.addHandler { [unowned self] in report($0) }
            view.addGestureRecognizer(recognizer)
        }
    }

    func gestureRecognizer(
        _ recognizer: GestureRecognizer, shouldRecognizeSimultaneouslyWith other: GestureRecognizer
    ) -> Bool { true }

    private func report(_ recognizer: GestureRecognizer) {
        var line = "           \(recognizer.name ?? "") \(recognizer.state)"
        switch recognizer {
        case let pan as PanGestureRecognizer:
            let way = pan.translation(in: view)
            line += " by \(Int(way.x)), \(Int(way.y))"
        case let pinch as PinchGestureRecognizer: line += " to \(Int(pinch.scale * 100)) %"
        case let rotation as RotationGestureRecognizer: line += " by \(Int(rotation.rotation * 180 / .pi))°"
        default: break
        }
        print(line)
    }
}
