/// When views are laid out, by the rules of `UIView`: a change marks a view, and the layout comes before the next event.
///
/// Only views that may override `layoutSubviews()`, and views of controllers, are ever marked. Nothing is looked through
/// where none is.
extension View {
    /// Has the view be laid out before the next event.
    public func setNeedsLayout() {
        guard !needsLayout, isLaidOut || controller != nil else { return }
        needsLayout = true
        superview?.noteLayoutBelow()
        noteLayoutOfWindow()
    }

    /// Lays out this view and the views in it now, if they need it: superviews first, and for the view of a controller
    /// `viewWillLayoutSubviews()`, `layoutSubviews()`, `viewDidLayoutSubviews()`.
    ///
    /// A view that was laid out already and is marked again meanwhile is laid out before the next event.
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

    /// Whether the view or one in it is to be laid out.
    var isMarkedForLayout: Bool { needsLayout || needsLayoutBelow }

    /// Takes note that a view directly in this one is marked.
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
    /// Lays out the visible windows, the rearmost first, as far as they need it.
    func layoutIfNeeded() {
        needsLayout = false
        for window in windows where window.isMarkedForLayout { window.layoutIfNeeded() }
    }
}
