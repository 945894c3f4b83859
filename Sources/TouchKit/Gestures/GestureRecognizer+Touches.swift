extension GestureRecognizer {
    /// The gesture's touches that are down, or all of its touches if none is down, in the order in which they began.
    ///
    /// An addition to UIKit.
    package var trackedTouches: [Touch] { activeTouches.isEmpty ? sequenceTouches : activeTouches }
}
