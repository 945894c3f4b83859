/// When views are laid out, by the rules of `UIView`: a change marks a view, and layout runs before the next event.
///
/// Only views whose class may override `layoutSubviews()`, and views of controllers, are ever marked. If no view is
/// marked, the tree is not traversed.
extension View {
    /// Requests layout before the next event.
    public func setNeedsLayout() {
        guard !needsLayout, isLaidOut || controller != nil else { return }
        needsLayout = true
        superview?.noteLayoutBelow()
        noteLayoutOfWindow()
    }

    /// Lays out this view and its descendants now, if they need it: superviews first. For the view of a controller the
    /// order is `viewWillLayoutSubviews()`, `layoutSubviews()`, `viewDidLayoutSubviews()`.
    ///
    /// A view that is marked again after its layout is laid out before the next event.
    public func layoutIfNeeded() {
        if needsLayout {
            needsLayout = false
            let controller = controller
            controller?.viewWillLayoutSubviews()
            layoutSubviews()
            controller?.viewDidLayoutSubviews()
        }
        guard needsLayoutBelow else { return }
        needsLayoutBelow = false
        for view in subviews where view.superview === self && view.isMarkedForLayout { view.layoutIfNeeded() }
    }

    /// Whether the view or a descendant needs layout.
    var isMarkedForLayout: Bool { needsLayout || needsLayoutBelow }

    /// Records that a direct subview is marked.
    func noteLayoutBelow() {
        var view: View? = self
        while let current = view, !current.needsLayoutBelow {
            current.needsLayoutBelow = true
            current.noteLayoutOfWindow()
            view = current.superview
        }
    }

    private func noteLayoutOfWindow() {
        if window === self { window?.application?.needsLayout = true }
    }
}

extension Application {
    /// Lays out the visible windows that need it, the rearmost first.
    func layoutIfNeeded() {
        needsLayout = false
        for window in windows where window.isMarkedForLayout { window.layoutIfNeeded() }
    }
}
