extension View {
    /// Resigns the first responder if it is this view or a descendant (`UIView.endEditing(_:)`).
    /// - Parameter force: whether to resign even if the responder refuses.
    /// - Returns: whether neither this view nor a descendant is the first responder now.
    @discardableResult
    public func endEditing(_ force: Bool) -> Bool {
        guard let window, let first = window.firstResponder, first.isInBranch(self) else { return true }
        if first.resignFirstResponder() { return true }
        if force { window.firstResponder = nil }
        return force
    }
}
