import Foundation

/// How the index follows the tree.
extension HitTestIndex {
    /// What views below one view have in common.
    struct Surroundings {
        /// What is taken from a point of the root to get one in the view's coordinates.
        var x = 0.0
        var y = 0.0
        /// Whether nothing is rounded on the way.
        var isExact = true
        /// Where a point is in all the views on the way.
        var area = HitTestArea.everywhere
        /// Whether hit-testing gets that far.
        var isReached = true
        var depth = 0
    }

    // MARK: All of it

    /// Makes the index anew.
    func build(_ root: View) {
        for place in entries.indices where !entries[place].traits.contains(.free) {
            entries[place].view.takeUnretainedValue().leaveIndex(self)
        }
        entries.removeAll()
        entries.reserve(root.descendantCount)
        changed = []
        freeEntries = []
        rearmost = -1
        shapes.removeAll()
        noteStructureChange()
        var last: Int32?
        for subview in root.subviews { last = addAll(subview, after: last, Surroundings()) }
        labelAll()
        entries.reserve(entries.count)
        var placed: [HitTestGrid.Placement] = []
        placed.reserveCapacity(entries.count)
        for place in entries.indices.reversed() where entries[place].traits.contains(.placed) {
            placed.append(HitTestGrid.Placement(entry: Int32(place), area: entries[place].area))
        }
        grid = HitTestGrid(of: placed)
        for place in entries.indices where entries[place].traits.contains(.placed) {
            entries[place].level = grid.level(for: entries[place].area)
        }
    }

    private func addAll(_ view: View, after last: Int32?, _ surroundings: Surroundings) -> Int32 {
        view.isApart = false
        var entry = Entry(area: .everywhere, label: 0, view: .passUnretained(view))
        entry.traits = kind(of: view, surroundings)
        if surroundings.depth == 0 { entry.traits.insert(.top) }
        let place = HitTestPlace(of: view, entry.traits, surroundings)
        entry.area = place.area
        entry.traits.formUnion(place.traits)
        entry.shape = shapeNumber(of: place, among: root?.descendantCount ?? 0)
        entry.previous = last ?? -1
        let number = Int32(entries.count)
        entries.append(entry)
        if let last { entries[Int(last)].next = number } else { rearmost = number }
        view.enterIndex(self, at: number)
        var newest = number
        if !entry.traits.contains(.portal) {
            for subview in view.subviews { newest = addAll(subview, after: newest, place.inside) }
        }
        return newest
    }

    // MARK: One view

    /// Takes in a view that was put at a place among the subviews of the root or of a member.
    func insert(_ view: View, at place: Int, of parent: View) {
        noteStructureChange()
        guard root != nil else { return }
        let behind =
            place > 0 ? frontmostEntry(in: parent.subviews[place - 1]) : isRoot(parent) ? nil : entry(of: parent)
        add(view, inFrontOf: behind, isTop: isRoot(parent))
        markChanged(view.placeInIndex)
    }

    /// Lets go of a view, and of those in it.
    func remove(_ view: View) {
        noteStructureChange()
        guard let entry = entry(of: view) else { return }
        removeSubviews(of: view, entry)
        release(entry, view)
    }

    /// Adds a view and what is in it, none of it placed yet; answers the entry in front.
    @discardableResult
    private func add(_ view: View, inFrontOf previous: Int32?, isTop: Bool) -> Int32 {
        view.isApart = view.descendantCount > Self.followedDescendants
        var new = Entry(area: .everywhere, label: 0, view: .passUnretained(view))
        new.traits = kind(of: view, Surroundings())
        if isTop { new.traits.insert(.top) }
        let number: Int32
        if let free = freeEntries.popLast() {
            number = free
            entries[Int(free)] = new
        } else {
            number = Int32(entries.count)
            entries.append(new)
        }
        view.enterIndex(self, at: number)
        link(number, inFrontOf: previous)
        var newest = number
        if !new.traits.contains(.portal) {
            for subview in view.subviews { newest = add(subview, inFrontOf: newest, isTop: false) }
        }
        return newest
    }

    /// The front-most entry of a view and what is in it.
    private func frontmostEntry(in view: View) -> Int32? {
        var view = view
        while isMember(view), let last = view.subviews.last { view = last }
        return entry(of: view)
    }

    private func removeSubviews(of view: View, _ entry: Int32) {
        guard !entries[Int(entry)].traits.contains(.portal) else { return }
        for subview in view.subviews {
            guard let entry = self.entry(of: subview) else { continue }
            removeSubviews(of: subview, entry)
            release(entry, subview)
        }
    }

    private func release(_ entry: Int32, _ view: View) {
        displace(entry)
        unlink(entry)
        entries[Int(entry)].traits = [.free]
        freeEntries.append(entry)
        view.leaveIndex(self)
    }

    // MARK: Working in what changed

    /// Brings in what changed since the last search.
    func bringUpToDate(_ root: View) {
        if grid.isOutgrown { return build(root) }
        while let entry = changed.popLast() {
            guard entries[Int(entry)].traits.contains(.changed) else { continue }
            let view = entries[Int(entry)].view.takeUnretainedValue()
            if view.descendantCount > Self.followedDescendants { view.isApart = true }
            guard let parent = view.superview else { continue }
            place(view, entry, surroundings(in: parent))
        }
        if grid.isOutgrown { build(root) }
    }

    private func place(_ view: View, _ entry: Int32, _ surroundings: Surroundings) {
        let before = entries[Int(entry)]
        var kind = kind(of: view, surroundings)
        // What is in a portal is not here, so that it stays one until the index is made anew.
        if before.traits.contains(.portal) {
            kind.insert(.portal)
        } else if kind.contains(.portal) {
            removeSubviews(of: view, entry)
        }
        let place = HitTestPlace(of: view, kind, surroundings)
        let traits = kind.union(place.traits).union(before.traits.intersection(.top))
        let label = before.label
        let stays =
            before.traits.contains(.placed) && traits.contains(.placed)
            && (before.area == place.area
                || grid.shift(before.area, to: place.area, level: before.level) { entries[Int($0)].label > label })
        if !stays { displace(entry) }
        entries[Int(entry)].area = place.area
        entries[Int(entry)].traits = traits
        entries[Int(entry)].shape = shapeNumber(of: place, among: entries.count)
        if !stays, traits.contains(.placed) {
            let level = grid.level(for: place.area)
            entries[Int(entry)].level = level
            grid.insert(entry, place.area, level: level) { entries[Int($0)].label > label }
        }
        guard !kind.contains(.portal) else { return }
        for subview in view.subviews {
            guard let entry = self.entry(of: subview) else { continue }
            self.place(subview, entry, place.inside)
        }
    }

    private func shapeNumber(of place: HitTestPlace, among count: Int) -> UInt8 {
        guard let shape = place.shape else { return 0 }
        return shapes.number(of: shape, among: count)
    }

    /// Takes an entry out of the grid.
    private func displace(_ entry: Int32) {
        let old = entries[Int(entry)]
        guard old.traits.contains(.placed) else { return }
        grid.remove(old.area, level: old.level) { entries[Int($0)].label > old.label }
        entries[Int(entry)].traits.remove(.placed)
    }

    /// What the subviews of the root or of a member have in common.
    private func surroundings(in parent: View) -> Surroundings {
        var surroundings = Surroundings()
        guard let entry = entry(of: parent), !isRoot(parent) else { return surroundings }
        surroundings.area = entries[Int(entry)].area
        surroundings.isExact = entries[Int(entry)].traits.contains(.exact)
        surroundings.isReached = entries[Int(entry)].traits.contains(.placed)
        var view: View? = parent
        while let current = view, !isRoot(current) {
            surroundings.x += Double(current.geometry.origin.x - current.geometry.bounds.origin.x)
            surroundings.y += Double(current.geometry.origin.y - current.geometry.bounds.origin.y)
            surroundings.depth += 1
            view = current.superview
        }
        return surroundings
    }

    /// Whether a view is a member, a portal, or one that is asked.
    private func kind(of view: View, _ surroundings: Surroundings) -> Traits {
        if !view.isHitTestedPlainly { return [.portal, .asking] }
        let geometry = view.geometry
        let isOrdinary =
            !geometry.isTransformed && !view.isApart && view.ownIndex == nil && surroundings.depth < Self.deepest
            && HitTestArea.isNear(surroundings.x) && HitTestArea.isNear(surroundings.y)
            && HitTestArea.isNear(Double(geometry.origin.x)) && HitTestArea.isNear(Double(geometry.origin.y))
            && HitTestArea.isNear(Double(geometry.bounds.origin.x))
            && HitTestArea.isNear(Double(geometry.bounds.origin.y))
        if isOrdinary { return [] }
        return view.subviews.isEmpty ? [.portal, .hollow] : .portal
    }
}

extension View {
    fileprivate func enterIndex(_ index: HitTestIndex, at place: Int32) {
        outerIndex = index
        placeInIndex = place
    }

    fileprivate func leaveIndex(_ index: HitTestIndex) {
        guard outerIndex === index else { return }
        outerIndex = nil
        placeInIndex = -1
        isApart = false
    }
}
