import TouchKit

extension GestureSpec.Kind {
    /// A recognizer for the gesture; the places of a sequence are set when its views exist.
    var recognizer: GestureRecognizer {
        switch self {
        case .tap(let taps, let touches):
            let recognizer = TapGestureRecognizer()
            recognizer.numberOfTapsRequired = taps
            recognizer.numberOfTouchesRequired = touches
            return recognizer
        case .longPress(let duration, let movement, let taps, let touches):
            let recognizer = LongPressGestureRecognizer()
            recognizer.minimumPressDuration = duration
            recognizer.allowableMovement = movement
            recognizer.numberOfTapsRequired = taps
            recognizer.numberOfTouchesRequired = touches
            return recognizer
        case .pan(let least, let most):
            let recognizer = PanGestureRecognizer()
            recognizer.minimumNumberOfTouches = least
            recognizer.maximumNumberOfTouches = most
            return recognizer
        case .edgePan(let edge):
            let recognizer = ScreenEdgePanGestureRecognizer()
            recognizer.edges = edge.edges
            return recognizer
        case .swipe(let direction, let touches):
            let recognizer = SwipeGestureRecognizer()
            recognizer.direction = direction.directions
            recognizer.numberOfTouchesRequired = touches
            return recognizer
        case .pinch: return PinchGestureRecognizer()
        case .rotation: return RotationGestureRecognizer()
        case .hover: return HoverGestureRecognizer()
        case .sequence(_, let duration): return SequenceGestureRecognizer(places: [.zero], within: duration)
        case .chord(let touches, let duration): return ChordGestureRecognizer(touches: touches, duration: duration)
        }
    }
}

extension GestureName {
    /// The kind of a recognizer; nil for a recognizer class of a program.
    package init?(_ recognizer: GestureRecognizer) {
        switch recognizer {
        case is TapGestureRecognizer: self = .tap
        case is LongPressGestureRecognizer: self = .longPress
        // Before the pan, because it is a subclass of it.
        case is ScreenEdgePanGestureRecognizer: self = .edgePan
        case is PanGestureRecognizer: self = .pan
        case is SwipeGestureRecognizer: self = .swipe
        case is PinchGestureRecognizer: self = .pinch
        case is RotationGestureRecognizer: self = .rotation
        case is HoverGestureRecognizer: self = .hover
        case is SequenceGestureRecognizer: self = .sequence
        case is ChordGestureRecognizer: self = .chord
        default: return nil
        }
    }
}

extension GestureSpec.Edge {
    fileprivate var edges: RectEdge {
        switch self {
        case .top: .top
        case .left: .left
        case .bottom: .bottom
        case .right: .right
        }
    }
}

extension GestureSpec.Direction {
    fileprivate var directions: SwipeGestureRecognizer.Direction {
        switch self {
        case .right: .right
        case .left: .left
        case .up: .up
        case .down: .down
        }
    }
}

/// Permits simultaneous recognition of the recognizers that a layout lists as `together-with`.
final class GestureCompanions: GestureRecognizerDelegate {
    private var companions: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]

    /// Permits simultaneous recognition of two recognizers; true from either delegate is enough.
    func join(_ recognizer: GestureRecognizer, _ other: GestureRecognizer) {
        companions[ObjectIdentifier(recognizer), default: []].insert(ObjectIdentifier(other))
        recognizer.delegate = self
    }

    func gestureRecognizer(
        _ recognizer: GestureRecognizer, shouldRecognizeSimultaneouslyWith other: GestureRecognizer
    ) -> Bool {
        companions[ObjectIdentifier(recognizer)]?.contains(ObjectIdentifier(other)) == true
    }
}
