/// Decides about a recognizer's touches and its competition with others (`UIGestureRecognizerDelegate`).
///
/// Every method has UIKit's default.
@MainActor @preconcurrency public protocol GestureRecognizerDelegate: AnyObject {
    /// Whether a recognizer may leave the possible state; false makes it fail.
    func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool
    /// Whether a recognizer receives the touches that begin in an event. Called once an event, before the method for
    /// touches.
    func gestureRecognizer(_ recognizer: GestureRecognizer, shouldReceive event: Event) -> Bool
    /// Whether a recognizer receives a touch. Called before any recognizer receives it.
    func gestureRecognizer(_ recognizer: GestureRecognizer, shouldReceive touch: Touch) -> Bool
    /// Whether two recognizers may recognize simultaneously; true from either delegate is enough.
    func gestureRecognizer(
        _ recognizer: GestureRecognizer, shouldRecognizeSimultaneouslyWith other: GestureRecognizer
    ) -> Bool
    /// Whether a recognizer waits until another has failed.
    func gestureRecognizer(_ recognizer: GestureRecognizer, shouldRequireFailureOf other: GestureRecognizer) -> Bool
    /// Whether another recognizer waits until this one has failed.
    func gestureRecognizer(_ recognizer: GestureRecognizer, shouldBeRequiredToFailBy other: GestureRecognizer) -> Bool
}

extension GestureRecognizerDelegate {
    /// Returns true.
    public func gestureRecognizerShouldBegin(_ recognizer: GestureRecognizer) -> Bool { true }

    /// Returns true.
    public func gestureRecognizer(_ recognizer: GestureRecognizer, shouldReceive event: Event) -> Bool { true }

    /// Returns true.
    public func gestureRecognizer(_ recognizer: GestureRecognizer, shouldReceive touch: Touch) -> Bool { true }

    /// Returns false.
    public func gestureRecognizer(
        _ recognizer: GestureRecognizer, shouldRecognizeSimultaneouslyWith other: GestureRecognizer
    ) -> Bool { false }

    /// Returns false.
    public func gestureRecognizer(
        _ recognizer: GestureRecognizer, shouldRequireFailureOf other: GestureRecognizer
    ) -> Bool { false }

    /// Returns false.
    public func gestureRecognizer(
        _ recognizer: GestureRecognizer, shouldBeRequiredToFailBy other: GestureRecognizer
    ) -> Bool { false }
}
