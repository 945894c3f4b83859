/// The recognizers of a view.
extension View {
    /// Attaches a recognizer, taking it off the view it was on; it sees touches that begin from now on.
    public func addGestureRecognizer(_ recognizer: GestureRecognizer) {
        // The handler of a gesture that is cancelled may put it on another view meanwhile.
        while let view = recognizer.view, view !== self { view.removeGestureRecognizer(recognizer) }
        guard recognizer.view == nil else { return }
        recognizer.view = self
        gestureRecognizers = (gestureRecognizers ?? []) + [recognizer]
    }

    /// Takes a recognizer off; a gesture under way is cancelled.
    public func removeGestureRecognizer(_ recognizer: GestureRecognizer) {
        guard recognizer.view === self else { return }
        recognizer.environment?.disable(recognizer)
        // The cancelled gesture's handler may have put it on another view.
        guard recognizer.view === self else { return }
        gestureRecognizers?.removeAll { $0 === recognizer }
        recognizer.view = nil
    }
}
