/// The view tree. A view holds strong references to its subviews; the last one is the front-most.
extension View {
    /// Replaces a subview with another view, in one step; without calling hooks, which would take a millisecond for 2,000
    /// views.
    ///
    /// Touches on the former view are cancelled.
    /// - Parameters:
    ///   - former: The subview, which leaves.
    ///   - new: A view without a superview. Neither it nor a view in it has a controller.
    package func replaceSubview(_ former: View, with new: View) {
        precondition(former.superview === self && new.superview == nil)
        subviews.append(new)
        new.superview = self
        new.setWindowOfBranch(window)
        removeSubview(former)
    }

    /// Replaces the subviews in one step, without calling hooks. Those that stay keep their touches; touches on the others are
    /// cancelled.
    ///
    /// - Parameter views: The new subviews, back to front: former ones, and views without a superview. No view that comes or
    ///   goes has a controller, nor a view in it.
    /// - Returns: A view with the subviews that are gone.
    package func replaceSubviews(by views: [View]) -> View {
        let leaving = View(frame: geometry.bounds)
        leaving.geometry.bounds = geometry.bounds
        let staying = Set(views.map { ObjectIdentifier($0) })
        leaving.subviews = subviews.filter { !staying.contains(ObjectIdentifier($0)) }
        for view in leaving.subviews { view.superview = leaving }
        for view in views where view.superview !== self {
            precondition(view.superview == nil)
            view.superview = self
            view.setWindowOfBranch(window)
        }
        subviews = [leaving] + views
        leaving.superview = self
        leaving.window = window
        removeSubview(leaving)
        return leaving
    }

    /// Removes a subview without calling hooks, and cancels its touches before: their handlers find it and what replaces it in
    /// the tree.
    private func removeSubview(_ former: View) {
        let application = window?.application
        defer { application?.drainIfAsked() }
        subviewGrid = nil
        application?.cancelEverything(inBranch: former)
        guard former.superview === self else { return }
        subviewGrid = nil
        subviews.removeAll { $0 === former }
        former.superview = nil
        former.setWindowOfBranch(nil)
    }

    /// Sets the window of the view and of every view in it, without calling hooks.
    func setWindowOfBranch(_ window: Window?) {
        var waiting = [self]
        while let view = waiting.popLast() {
            view.window = window
            if !view.subviews.isEmpty { waiting += view.subviews }
        }
    }

    /// Exchanges two subviews.
    public func exchangeSubview(at first: Int, withSubviewAt second: Int) {
        let (low, high) = (min(first, second), max(first, second))
        guard low != high else { return }
        moveSubview(from: high, to: low)
        moveSubview(from: low + 1, to: high)
    }

    /// The effect of `removeFromSuperview()`.
    func leaveSuperview() {
        guard let parent = superview else { return }
        let application = window?.application
        defer { application?.drainIfAsked() }
        prepareToLeave(for: nil)
        guard superview === parent else { return }
        parent.willRemoveSubview(self)
        willMove(toSuperview: nil)
        guard superview === parent else { return }
        detach(from: parent)
        updateWindow()
        didMoveToSuperview()
    }

    /// Whether the view is `view` or a descendant of it.
    public func isDescendant(of view: View) -> Bool {
        var current: View? = self
        while let candidate = current {
            if candidate === view { return true }
            current = candidate.superview
        }
        return false
    }

    /// The view or its first descendant, depth first, with a tag.
    public func viewWithTag(_ tag: Int) -> View? { first { $0.tag == tag } }

    private func first(where isWanted: (View) -> Bool) -> View? {
        if isWanted(self) { return self }
        for subview in subviews {
            if let found = subview.first(where: isWanted) { return found }
        }
        return nil
    }

    /// The effect of adding a subview at a place that depends on the others.
    func insert(_ view: View, at place: ([View]) -> Int) {
        precondition(!isDescendant(of: view), "a view cannot be added to itself or to a view that is in it")
        precondition(!(view is Window), "a window is shown on a screen, not added to a view")
        checkDepth(of: view)
        let parent = view.superview
        let application = view.window?.application
        defer { application?.drainIfAsked() }
        if window !== view.window { view.prepareToLeave(for: window) }
        parent?.willRemoveSubview(view)
        view.willMove(toSuperview: self)
        // The hooks and the handlers of cancelled touches may have moved the view: detach it from its current
        // superview.
        if let current = view.superview { view.detach(from: current) }
        guard !isDescendant(of: view) else { return }
        let place = place(subviews)
        subviews.insert(view, at: place)
        view.superview = self
        noteInsertion(of: view, at: place)
        view.updateWindow()
        view.didMoveToSuperview()
        didAddSubview(view)
    }

    /// Stops the program if a view would be nested too deeply: hit-testing, the responder chain and deallocation use
    /// stack space for each level.
    private func checkDepth(of view: View) {
        let deepest = depth + 1 + view.height
        precondition(
            deepest <= Self.maximumDepth,
            "views may be nested at most \(Self.maximumDepth) deep (got \(deepest)); use fewer levels of subviews")
    }

    /// The number of the view's ancestors.
    var depth: Int {
        var (depth, view) = (0, superview)
        while let current = view { (depth, view) = (depth + 1, current.superview) }
        return depth
    }

    /// The number of levels below the view.
    private var height: Int {
        var (height, level) = (0, subviews)
        while !level.isEmpty {
            height += 1
            level = level.flatMap(\.subviews)
        }
        return height
    }

    private func detach(from parent: View) {
        parent.noteRemoval(of: self)
        parent.subviews.removeAll { $0 === self }
        superview = nil
    }

    /// Cancels the touches in this subtree before it moves to another window or to none.
    private func prepareToLeave(for newWindow: Window?) {
        guard let window, window !== newWindow else { return }
        window.application?.cancelEverything(inBranch: self)
    }

    /// Updates the window of every view of the subtree, and calls their hooks.
    private func updateWindow() {
        let newWindow = superview?.window, oldWindow = window
        guard oldWindow !== newWindow else { return }
        // A hook may release the old window, but views refer to it until each of them has left it.
        defer { withExtendedLifetime(oldWindow) {} }
        controller?.viewWillMove(to: newWindow)
        willMove(toWindow: newWindow)
        // If a hook moved the view elsewhere, its window was set there.
        guard superview?.window === newWindow else { return notifyController() }
        // A hook may have started a touch or press after the subtree's touches were cancelled.
        if let window { window.application?.cancelEverything(inBranch: self) }
        guard superview?.window === newWindow else { return notifyController() }
        window = newWindow
        for subview in subviews where subview.superview === self { subview.updateWindow() }
        didMoveToWindow()
        controller?.viewDidMove(to: newWindow)
    }

    /// The controllers of this view and of the views in it, superviews first.
    var controllersOfBranch: [ViewController] {
        var controllers: [ViewController] = []
        addControllers(to: &controllers)
        return controllers
    }

    private func addControllers(to controllers: inout [ViewController]) {
        if let controller { controllers.append(controller) }
        for view in subviews { view.addControllers(to: &controllers) }
    }

    /// Takes back what the controller was notified of, if a hook moved the view elsewhere.
    private func notifyController() {
        controller?.viewWillMove(to: window)
        controller?.viewDidMove(to: window)
    }

    /// Resigns the first responder if it is this view or a descendant (`UIView.endEditing(_:)`).
    /// - Parameter force: whether to resign even if the responder refuses.
    /// - Returns: whether neither this view nor a descendant is the first responder now.
    @discardableResult
    public func endEditing(_ force: Bool) -> Bool {
        guard let window, let first = window.firstResponder, first.isInBranch(self) else { return true }
        let resigns = first.resignFirstResponder()
        if force, window.firstResponder?.isInBranch(self) == true { window.firstResponder = nil }
        return resigns || force
    }

    /// Whether touches that begin in the view are forwarded: its own value, or that of the nearest ancestor with one;
    /// nil without any.
    package var inheritedForwardsTouches: (value: Bool, from: View)? {
        var view: View? = self
        while let candidate = view {
            if let value = candidate.forwardsTouches { return (value, candidate) }
            view = candidate.superview
        }
        return nil
    }

    // MARK: Layout

    // When views are laid out, by the rules of `UIView`: a change marks a view, and layout runs before the next event.
    //
    // Only views whose class may override `layoutSubviews()`, and views of controllers, are ever marked. If no view is
    // marked, the tree is not traversed.

    /// The effect of `setNeedsLayout()`.
    func markForLayout() {
        guard !needsLayout, isLaidOut || controller != nil else { return }
        needsLayout = true
        superview?.noteLayoutBelow()
        noteLayoutOfWindow()
    }

    /// The effect of `layoutIfNeeded()`.
    func layOut() {
        if needsLayout {
            needsLayout = false
            let controller = controller
            controller?.viewWillLayoutSubviews()
            layoutSubviews()
            controller?.viewDidLayoutSubviews()
        }
        guard needsLayoutBelow else { return }
        needsLayoutBelow = false
        for view in subviews where view.superview === self && view.isMarkedForLayout { view.layOut() }
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
    func layOutWindows() {
        needsLayout = false
        for window in windows where window.isMarkedForLayout { window.layOut() }
    }
}
