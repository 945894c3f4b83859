/// The recognizers of a view.
extension View {
    /// Attaches a recognizer, taking it off the view it was on; it sees touches that begin from now on.
    public func addGestureRecognizer(_ recognizer: GestureRecognizer) {
        guard recognizer.view !== self else { return }
        recognizer.view?.removeGestureRecognizer(recognizer)
        recognizer.view = self
        gestureRecognizers = (gestureRecognizers ?? []) + [recognizer]
    }

    /// Takes a recognizer off; a gesture under way is cancelled.
    public func removeGestureRecognizer(_ recognizer: GestureRecognizer) {
        guard recognizer.view === self else { return }
        recognizer.environment?.disable(recognizer)
        gestureRecognizers?.removeAll { $0 === recognizer }
        recognizer.view = nil
    }
}
