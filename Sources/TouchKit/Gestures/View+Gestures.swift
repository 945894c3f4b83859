/// The recognizers of a view.
extension View {
    /// The recognizers attached to the view, in the order in which they were attached; nil if there never was one.
    ///
    /// Setting it removes the recognizers that the new list lacks, and adds those that are new to the view, in order
    /// (`UIView.gestureRecognizers`).
    public var gestureRecognizers: [GestureRecognizer]? {
        get { recognizers }
        set {
            for recognizer in recognizers ?? [] where newValue?.contains(recognizer) != true {
                removeGestureRecognizer(recognizer)
            }
            for recognizer in newValue ?? [] { addGestureRecognizer(recognizer) }
            guard let newValue else { return }
            let order = newValue.filter { $0.view === self }
            if order.count == recognizers?.count { recognizers = order }
        }
    }

    /// Attaches a recognizer, taking it off the view it was on; it sees touches that begin from now on.
    public func addGestureRecognizer(_ recognizer: GestureRecognizer) {
        // The handler of a gesture that is cancelled may put it on another view meanwhile.
        while let view = recognizer.view, view !== self { view.removeGestureRecognizer(recognizer) }
        guard recognizer.view == nil else { return }
        recognizer.view = self
        recognizers = (recognizers ?? []) + [recognizer]
    }

    /// Takes a recognizer off; a gesture under way is cancelled.
    public func removeGestureRecognizer(_ recognizer: GestureRecognizer) {
        guard recognizer.view === self else { return }
        recognizer.environment?.disable(recognizer)
        // The cancelled gesture's handler may have put it on another view.
        guard recognizer.view === self else { return }
        recognizers?.removeAll { $0 === recognizer }
        recognizer.view = nil
    }
}
