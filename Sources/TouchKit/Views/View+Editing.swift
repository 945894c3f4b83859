extension View {
    /// Has the first responder give that up, if it is this view or one in it (`UIView.endEditing(_:)`).
    /// - Parameter force: whether it must, even if it answers that it may not.
    /// - Returns: whether the view and those in it are without the first responder now.
    @discardableResult
    public func endEditing(_ force: Bool) -> Bool {
        guard let window, let first = window.firstResponder, first.isInBranch(self) else { return true }
        if first.resignFirstResponder() { return true }
        if force { window.firstResponder = nil }
        return force
    }
}
