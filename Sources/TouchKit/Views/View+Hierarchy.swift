/// The tree of views. A view keeps its subviews alive; the front-most subview is the last.
extension View {
    /// Adds a view in front of the other subviews, taking it out of where it was.
    public func addSubview(_ view: View) { insert(view) { $0.endIndex } }

    /// Adds a view at a place among the subviews, 0 being the rearmost; a place beyond the last is the last.
    public func insertSubview(_ view: View, at index: Int) {
        precondition(index >= 0, "a subview's index must not be negative, but is \(index)")
        insert(view) { min(index, $0.endIndex) }
    }

    /// Adds a view just behind a subview.
    public func insertSubview(_ view: View, belowSubview sibling: View) {
        insert(view) { $0.firstIndex(of: sibling) ?? $0.endIndex }
    }

    /// Adds a view just in front of a subview.
    public func insertSubview(_ view: View, aboveSubview sibling: View) {
        insert(view) { list in list.firstIndex(of: sibling).map { $0 + 1 } ?? list.endIndex }
    }

    /// Lets two subviews change places.
    public func exchangeSubview(at first: Int, withSubviewAt second: Int) {
        let (low, high) = (min(first, second), max(first, second))
        guard low != high else { return }
        moveSubview(from: high, to: low)
        moveSubview(from: low + 1, to: high)
    }

    /// Puts a subview in front of its siblings.
    public func bringSubviewToFront(_ view: View) {
        guard let index = subviews.firstIndex(of: view) else { return }
        moveSubview(from: index, to: subviews.endIndex - 1)
    }

    /// Puts a subview behind its siblings.
    public func sendSubviewToBack(_ view: View) {
        guard let index = subviews.firstIndex(of: view) else { return }
        moveSubview(from: index, to: 0)
    }

    /// Takes the view out of its superview.
    ///
    /// Touches that began on it or in it are cancelled first, while the responder chain is still whole.
    public func removeFromSuperview() {
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

    /// Whether the view is another one or is somewhere in it.
    public func isDescendant(of view: View) -> Bool {
        var current: View? = self
        while let candidate = current {
            if candidate === view { return true }
            current = candidate.superview
        }
        return false
    }

    /// The view or the first one in it, depth first, that has a tag.
    public func viewWithTag(_ tag: Int) -> View? {
        if self.tag == tag { return self }
        for subview in subviews {
            if let found = subview.viewWithTag(tag) { return found }
        }
        return nil
    }

    /// The view or the first one in it, depth first, that has an identifier.
    package func view(withIdentifier identifier: String) -> View? {
        if self.identifier == identifier { return self }
        for subview in subviews {
            if let found = subview.view(withIdentifier: identifier) { return found }
        }
        return nil
    }
}

extension View {
    private func insert(_ view: View, at place: ([View]) -> Int) {
        precondition(!isDescendant(of: view), "a view cannot be added to itself or to a view that is in it")
        precondition(!(view is Window), "a window is shown on a screen, not added to a view")
        checkDepth(of: view)
        let parent = view.superview
        let application = view.window?.application
        defer { application?.drainIfAsked() }
        if window !== view.window { view.prepareToLeave(for: window) }
        parent?.willRemoveSubview(view)
        view.willMove(toSuperview: self)
        // The hooks and the handlers of cancelled touches may have moved the view themselves: start from where it is.
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

    /// Stops the program if a view would be nested too deeply here: hit-testing, the responder chain and the release of a
    /// branch need a part of the stack for each level.
    private func checkDepth(of view: View) {
        let depth = depth + 1
        // A branch is at most as high as it has views, so few branches are looked through.
        guard depth + view.descendantCount > Self.maximumDepth else { return }
        let deepest = depth + view.height
        precondition(
            deepest <= Self.maximumDepth,
            "views may be nested at most \(Self.maximumDepth) deep (got \(deepest)); use fewer levels of subviews")
    }

    /// How many views the view is in.
    var depth: Int {
        var (depth, view) = (0, superview)
        while let current = view { (depth, view) = (depth + 1, current.superview) }
        return depth
    }

    /// How many levels of views are below the view.
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

    /// Cancels the touches in this branch when it is about to be in another window or in none.
    private func prepareToLeave(for newWindow: Window?) {
        guard let window, window !== newWindow else { return }
        window.application?.cancelEverything(inBranch: self)
    }

    /// Brings the window of every view of the branch up to date, and tells them.
    func updateWindow() {
        let newWindow = superview?.window, oldWindow = window
        guard oldWindow !== newWindow else { return }
        // A hook may let go of the old window, which the branch is no longer in and points at until each view has left it.
        defer { withExtendedLifetime(oldWindow) {} }
        controller?.viewWillMove(to: newWindow)
        willMove(toWindow: newWindow)
        // A hook that moved the view elsewhere has had its window set there.
        guard superview?.window === newWindow else { return }
        // A hook may have begun something since the branch was told to leave.
        if let window { window.application?.cancelEverything(inBranch: self) }
        guard superview?.window === newWindow else { return }
        setWindow(newWindow)
        for subview in subviews where subview.superview === self { subview.updateWindow() }
        didMoveToWindow()
        controller?.viewDidMove(to: newWindow)
    }
}
