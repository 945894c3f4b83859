import Foundation

/// Finds the views below one view by their places, so that a hit-test asks few of many.
///
/// It answers what asking the views in turn would, and it may only leave out questions that nobody can notice. A view
/// that overrides hit-testing is asked wherever its superview is, as before; the others are kept by the part of the root's
/// coordinates in which they can be hit: their rectangle cut by those of the views they are in. Where rounding could
/// matter, near an edge, the views' own geometry decides, one step after another as the rules have it.
///
/// Three kinds of views are in it. A *member* has its subviews in the index too. A *portal* is a view with coordinates of
/// its own: it is transformed, or moved with much in it. It is found here and searched by itself. An *asking* portal is
/// one whose methods are overridden.
///
/// What changes is noted, and worked in when the next point is looked for: views that move a hundred times between two
/// touches cost as much as those that move once.
final class HitTestIndex {
    /// The view below which it looks; nil once that is gone, and then the index is of no use to those still in it. Safe, as
    /// the view sets it.
    unowned(unsafe) var root: View?
    private let rootIdentity: ObjectIdentifier

    // Not checked at run time for overlapping accesses, as in `View`; what changes the grid reads the entries, not the grid.
    @exclusivity(unchecked) var entries = PlainBlock<Entry>()
    var freeEntries: [Int32] = []
    /// The entries that changed since the last search.
    @exclusivity(unchecked) var changed: [Int32] = []
    /// The entry that is rearmost; -1 if there is none.
    var rearmost: Int32 = -1
    @exclusivity(unchecked) var grid = HitTestGrid()
    @exclusivity(unchecked) var shapes = HitTestShapes()
    /// Rises with every change, so that a search sees that a method it called changed the tree.
    @exclusivity(unchecked) private(set) var changeCount = 0

    /// The number of views below which a view that moves takes them with it in the index; with more, it becomes a portal.
    static let followedDescendants = 32
    /// How deep members go; what is deeper is in a portal, so that rounding stays within `HitTestArea.margin`.
    static let deepest = 1024

    /// Makes an index of the views below a view.
    init(below root: View) {
        self.root = root
        rootIdentity = ObjectIdentifier(root)
        build(root)
    }

    // MARK: Searching

    /// Answers as `View.hitSubviewsInTurn` does.
    func search(_ point: CGPoint, with event: Event?, below root: View) -> View? {
        if !changed.isEmpty || grid.isOutgrown { bringUpToDate(root) }
        guard HitTestArea.isNear(point.x), HitTestArea.isNear(point.y) else {
            return root.hitSubviewsInTurn(point, with: event)
        }
        var bound = UInt32.max
        while let place = frontmost(below: bound, point) {
            let entry = entries[place]
            if !entry.traits.contains(.portal) || entry.traits.contains(.hollow) {
                return entry.view.takeUnretainedValue()
            }
            bound = entry.label
            let view = entry.view.takeUnretainedValue()
            guard let parent = entry.traits.contains(.top) ? root : view.superview,
                let outer = self.point(point, in: parent)
            else { continue }
            if !entry.traits.contains(.asking) {
                return view.hitInside(view.convertFromSuperview(outer), with: event)
            }
            let (siblings, count) = (parent.subviews, changeCount)
            if let hit = view.hitTest(view.convertFromSuperview(outer), with: event) { return hit }
            if changeCount != count {
                // The tree is another one now: go on as the rules have it, with the siblings as they were.
                let rest = siblings.firstIndex { $0 === view } ?? 0
                return View.hit(siblings, before: rest, outer, with: event) ?? (parent === root ? nil : parent)
            }
        }
        return nil
    }

    /// The entry nearest to the finger that has the point and is behind a label; nil if there is none.
    private func frontmost(below bound: UInt32, _ point: CGPoint) -> Int? {
        let (x, y) = (Double(point.x), Double(point.y))
        let (left, top) = (HitTestGrid.fixed(x), HitTestGrid.fixed(y))
        var best = Found()
        find(below: bound, point, left, top, &best)
        // What rounding may let reach the point lies a margin to the right or below: in another cell's part but rarely.
        let (right, bottom) = (HitTestGrid.fixed(x + HitTestArea.margin), HitTestGrid.fixed(y + HitTestArea.margin))
        if right != left { find(below: bound, point, right, top, &best) }
        if bottom != top { find(below: bound, point, left, bottom, &best) }
        if right != left, bottom != top { find(below: bound, point, right, bottom, &best) }
        return best.entry < 0 ? nil : best.entry
    }

    private struct Found {
        var entry = -1
        var label: UInt32 = 0
    }

    private func find(below bound: UInt32, _ point: CGPoint, _ x: Int32, _ y: Int32, _ best: inout Found) {
        let levels = grid.levels.indices
        for number in levels {
            let spot = grid.levels[number].spot(x: x, y: y)
            let cell = grid.cells[spot.cell]
            var place = Int(cell.start)
            let end = place + Int(cell.count)
            if bound != .max { place = firstItem(in: place..<end, below: bound) }
            while let found = grid.item(in: place..<end, holding: spot.part) {
                let entry = Int(grid.items[found].entry)
                let label = entries[entry].label
                if label <= best.label { break }
                if has(entry, point) {
                    best = Found(entry: entry, label: label)
                    break
                }
                place = found + 1
            }
            if grid.keepsLimits, best.entry >= 0, number + 1 < levels.upperBound,
                limit(beyond: number, spot.cell) <= best.label
            {
                return
            }
        }
    }

    /// The greatest label that the levels after one have in a cell of it; kept until one of them changes.
    @inline(__always)
    private func limit(beyond level: Int, _ cell: Int) -> UInt32 {
        if let known = grid.knownLimit(of: cell, on: level) { return known }
        return findLimit(beyond: level, cell)
    }

    private func findLimit(beyond level: Int, _ cell: Int) -> UInt32 {
        var limit: UInt32 = 0
        if let corners = grid.corners(of: cell, on: level) {
            for number in level + 1..<grid.levels.count {
                let spot = grid.levels[number].spot(around: corners)
                let other = grid.cells[spot.cell]
                let items = Int(other.start)..<Int(other.start) + Int(other.count)
                guard let found = grid.item(in: items, holding: spot.part) else { continue }
                limit = max(limit, entries[Int(grid.items[found].entry)].label)
            }
        } else {
            limit = .max
        }
        grid.keepLimit(limit, of: cell, on: level)
        return limit
    }

    /// The first item of a cell whose entry is behind a label; a cell's items are in order, the front-most first.
    private func firstItem(in range: Range<Int>, below bound: UInt32) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if entries[Int(grid.items[middle].entry)].label < bound { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Whether an entry is one to be asked, or one that surely is the answer if nothing in front of it is.
    private func has(_ place: Int, _ point: CGPoint) -> Bool {
        let traits = entries[place].traits
        switch entries[place].area.position(of: point, isExact: traits.contains(.exact)) {
        case .outside: return false
        case .inside where !traits.contains(.portal): return true
        case let position:
            // Whether an asking view is asked depends on those it is in, and is settled before asking.
            if traits.contains(.asking) { return true }
            // Near the area's edges the views around it would have to be looked at, if there are any.
            if entries[place].shape > 0, position == .inside || traits.contains(.top) {
                switch shapes[entries[place].shape].position(of: point, in: entries[place].area) {
                case .outside: return false
                case .inside: return true
                case .uncertain: break
                }
            }
            let view = entries[place].view.takeUnretainedValue()
            if traits.contains(.top) { return view.geometry.pointInside(fromSuperview: point) != nil }
            return self.point(point, in: view) != nil
        }
    }

    /// A point of the root in a view's coordinates, by the views' own steps; nil if it is outside one of them.
    private func point(_ point: CGPoint, in view: View) -> CGPoint? {
        if ObjectIdentifier(view) == rootIdentity { return point }
        guard let superview = view.superview, let outer = self.point(point, in: superview) else { return nil }
        return view.geometry.pointInside(fromSuperview: outer)
    }

    // MARK: What changes

    /// Whether a view is in the index and has its subviews in it.
    func isMember(_ view: View) -> Bool {
        guard let entry = entry(of: view) else { return false }
        return !entries[Int(entry)].traits.contains(.portal)
    }

    /// Takes note that a view moved, or is hit-tested otherwise than before.
    func noteChange(of view: View) {
        changeCount += 1
        guard let entry = entry(of: view) else { return }
        markChanged(entry)
    }

    func markChanged(_ entry: Int32) {
        guard !entries[Int(entry)].traits.contains(.changed) else { return }
        entries[Int(entry)].traits.insert(.changed)
        changed.append(entry)
        // An entry that went and came again is in the list each time; where nobody searches, it would grow for ever.
        guard changed.count > 2 * entries.count + 64 else { return }
        changed = entries.indices.filter { entries[$0].traits.contains(.changed) }.map { Int32($0) }
    }

    func entry(of view: View) -> Int32? {
        let place = Int(view.placeInIndex)
        guard view.outerIndex === self, place >= 0, place < entries.count else { return nil }
        return view.placeInIndex
    }

    func isRoot(_ view: View) -> Bool { ObjectIdentifier(view) == rootIdentity }

    func noteStructureChange() { changeCount += 1 }

    /// Takes note that a view was put into another, which may be a portal.
    func noteContents(of view: View) {
        guard let entry = entry(of: view) else { return }
        entries[Int(entry)].traits.remove(.hollow)
    }
}

extension HitTestIndex {
    /// What the index knows of one view.
    struct Entry {
        var area: HitTestArea
        /// Rises from back to front, in the order in which views are asked; above 0.
        var label: UInt32
        /// The entries just in front and just behind; -1 for none.
        var next: Int32 = -1
        var previous: Int32 = -1
        var traits: Traits = []
        /// The level of the grid in which it is, if it is placed.
        var level: UInt8 = 0
        /// How a portal is turned, if that is known: its number among the shapes, from 1.
        var shape: UInt8 = 0
        /// The view, which the tree keeps alive as long as it is in the index.
        var view: Unmanaged<View>
    }

    /// What kind of entry it is and where it stands.
    struct Traits: OptionSet {
        let rawValue: UInt8

        /// It is in the grid; what cannot be hit is not.
        static let placed = Traits(rawValue: 1 << 0)
        /// It changed since the last search.
        static let changed = Traits(rawValue: 1 << 1)
        /// Its edges are exact.
        static let exact = Traits(rawValue: 1 << 2)
        /// The views in it are not in the index.
        static let portal = Traits(rawValue: 1 << 3)
        /// Its methods are overridden.
        static let asking = Traits(rawValue: 1 << 4)
        /// It is directly below the root.
        static let top = Traits(rawValue: 1 << 6)
        /// It is a portal with no views in it.
        static let hollow = Traits(rawValue: 1 << 7)
        /// It is no entry at the moment.
        static let free = Traits(rawValue: 1 << 5)
    }
}
