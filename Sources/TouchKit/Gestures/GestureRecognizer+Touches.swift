extension GestureRecognizer {
    /// The touches of the gesture, in the order in which they began: those that are down, or else all that it had (not in
    /// UIKit).
    package var trackedTouches: [Touch] { activeTouches.isEmpty ? sequenceTouches : activeTouches }
}
