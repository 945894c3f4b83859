/// The recognizers of a view.
extension View {
    /// The attached recognizers, in order; nil if the view never had one (`UIView.gestureRecognizers`).
    ///
    /// Setting it removes the recognizers that the new list lacks and adds the new ones, in order.
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

    /// Attaches a recognizer, and removes it from its previous view; it receives touches that begin from now on.
    public func addGestureRecognizer(_ recognizer: GestureRecognizer) {
        // Removal cancels a gesture, and that gesture's handler may attach the recognizer to another view.
        while let view = recognizer.view, view !== self { view.removeGestureRecognizer(recognizer) }
        guard recognizer.view == nil else { return }
        recognizer.view = self
        recognizers = (recognizers ?? []) + [recognizer]
    }

    /// Removes a recognizer; a gesture in progress is cancelled.
    public func removeGestureRecognizer(_ recognizer: GestureRecognizer) {
        guard recognizer.view === self else { return }
        recognizer.environment?.disable(recognizer)
        // The handler of the cancelled gesture may have attached it to another view.
        guard recognizer.view === self else { return }
        recognizers?.removeAll { $0 === recognizer }
        recognizer.view = nil
    }
}
