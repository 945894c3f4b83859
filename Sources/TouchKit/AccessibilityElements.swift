import Foundation

/// The elements of a screen, for somebody who does not see it.
extension Application {
    /// Elements that are read together, and the rectangle around them.
    private typealias Group = (views: [View], frame: CGRect)

    /// The elements of a screen that can be seen, in the order in which they are read: row by row, each from left to
    /// right, and those of a view that `isReadInOrder` together. The subviews of an element are not elements.
    package func accessibilityElements(on screen: Screen) -> [View] {
        if needsLayout { layOutWindows() }
        return Self.rows(of: windows.filter { $0.screen === screen }.flatMap { groups(in: $0, on: screen) })
    }

    private func groups(in view: View, on screen: Screen) -> [Group] {
        guard view.isShown else { return [] }
        if view.isAccessibilityElement {
            let frame = view.accessibilityFrame
            let isFound =
                view.isDimmed
                ? !isCovered(view, at: view.accessibilityActivationPoint, on: screen)
                : activationPoint(of: view, on: screen, isRead: true) != nil
            return isFound && frame.intersects(screen.bounds) ? [([view], frame)] : []
        }
        let groups = view.subviews.flatMap { self.groups(in: $0, on: screen) }
        guard view.isReadInOrder, let first = groups.first else { return groups }
        return [(groups.flatMap(\.views), groups.reduce(first.frame) { $0.union($1.frame) })]
    }

    /// The element at a point of a screen: the front-most, or a dimmed one that takes no touches.
    func accessibilityElement(at point: CGPoint, on screen: Screen) -> View? {
        if let element = hitElement(at: point, on: screen, isRead: true) { return element }
        for window in windows.reversed() where window.screen === screen {
            guard let element = window.dimmedElement(at: point) else { continue }
            return isCovered(element, at: point, on: screen) ? nil : element
        }
        return nil
    }

    /// Whether a view that takes touches is in front of a dimmed element at a point.
    private func isCovered(_ element: View, at point: CGPoint, on screen: Screen) -> Bool {
        hitTest(point, on: screen, with: nil).map { isInFront($0, of: element) } ?? false
    }

    /// Whether one view is in front of another that is not in it.
    private func isInFront(_ view: View, of other: View) -> Bool {
        guard !other.isDescendant(of: view) else { return false }
        var (branch, rival) = (view, other)
        while let superview = branch.superview, !other.isDescendant(of: superview) { branch = superview }
        while let superview = rival.superview, superview !== branch.superview { rival = superview }
        let siblings = branch.superview?.subviews ?? windows
        return siblings.lastIndex { $0 === branch || $0 === rival }.map { siblings[$0] === branch } ?? false
    }

    /// A point of a screen at which a touch reaches an element, or finds it if that is only read: its activation point, or,
    /// if that is covered, the first of fifteen others; nil if none does.
    func activationPoint(of element: View, on screen: Screen, isRead: Bool = false) -> CGPoint? {
        let (point, frame) = (element.accessibilityActivationPoint, element.accessibilityFrame)
        func reaches(_ point: CGPoint) -> Bool {
            screen.bounds.contains(point) && hitElement(at: point, on: screen, isRead: isRead) === element
        }
        if reaches(point) { return point }
        for row in [0.5, 0.25, 0.75, 0.1, 0.9] {
            for column in [0.5, 0.1, 0.9] {
                let other = CGPoint(x: frame.minX + column * frame.width, y: frame.minY + row * frame.height)
                if reaches(other) { return other }
            }
        }
        return nil
    }

    private func hitElement(at point: CGPoint, on screen: Screen, isRead: Bool) -> View? {
        isFindingElements = isRead
        defer { isFindingElements = false }
        var view = hitTest(point, on: screen, with: nil)
        while let candidate = view, !candidate.isAccessibilityElement { view = candidate.superview }
        return view
    }

    /// Sorts views into rows: two are in one row if each one's middle is beside the other.
    private static func rows(of views: [Group]) -> [View] {
        var rows: [[Group]] = []
        for entry in views.sorted(by: { $0.frame.minY < $1.frame.minY }) {
            if let first = rows.last?.first?.frame, first.isBeside(entry.frame) {
                rows[rows.count - 1].append(entry)
            } else {
                rows.append([entry])
            }
        }
        return rows.flatMap { row in row.sorted { $0.frame.minX < $1.frame.minX } }.flatMap(\.views)
    }
}

extension View {
    fileprivate var isShown: Bool { !isHidden && alpha >= View.minimumAlpha }

    /// The front-most dimmed element at a point of the screen, in the branch of the view; called for each move of a finger.
    fileprivate func dimmedElement(at point: CGPoint) -> View? {
        guard isShown else { return nil }
        if isAccessibilityElement { return isDimmed && accessibilityFrame.contains(point) ? self : nil }
        for subview in subviews.reversed() {
            if let element = subview.dimmedElement(at: point) { return element }
        }
        return nil
    }

    /// The smallest rectangle around the view, in the coordinates of its screen.
    package var accessibilityFrame: CGRect {
        let frame = convert(bounds, to: nil)
        guard let window else { return frame }
        return CGRect(origin: window.convertToScreen(frame.origin), size: frame.size)
    }

    /// Whether the element takes no touches now: a control or a superview is disabled.
    package var isDimmed: Bool {
        accessibilityTraits.contains(.notEnabled) || !obstacles.isDisjoint(with: [.disabled, .notInteractive])
            || superview?.isDimmed == true
    }
}

extension CGRect {
    /// Whether each rectangle's middle is between the other's top and bottom.
    fileprivate func isBeside(_ other: CGRect) -> Bool {
        (other.minY...other.maxY).contains(midY) && (minY...maxY).contains(other.midY)
    }
}
