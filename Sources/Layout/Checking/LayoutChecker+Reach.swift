import Foundation
import TouchKit

nonisolated extension LayoutChecker {
    /// Reports views that no finger can reach: without area, outside their superview, or completely behind a sibling.
    mutating func checkReach() {
        // The views in front of every page, for each screen.
        var front = document.screens.map { _ in [ViewSpec]() }
        for view in document.views where !front.isEmpty {
            // A screen that does not exist was reported already.
            if let screen = document.number(ofScreen: view.screen) { front[screen].append(view) }
        }
        var effort = LayoutLimit.coverSteps
        for (screen, views) in zip(document.screens, front) {
            check(views, in: CGRect(origin: .zero, size: screen.size), named: "the screen", isScreen: true, &effort)
        }
        let covers = front.map { self.covers(of: $0) }
        for page in document.pages where !front.isEmpty {
            guard let screen = document.number(ofScreen: page.screen) else { continue }
            let bounds = CGRect(origin: .zero, size: document.screens[screen].size)
            check(
                page.views, in: bounds, named: "the screen", isScreen: true, before: (front[screen], covers[screen]),
                &effort)
        }
        document.forEachView { visit in
            let view = visit.view
            guard !view.views.isEmpty else { return }
            let inside = CGRect(origin: .zero, size: view.frame.size).outset(by: view.slop)
            check(view.views, in: inside, named: view.name, &effort)
        }
        cost.reach += LayoutLimit.coverSteps - effort
    }

    private mutating func check(
        _ views: [ViewSpec], in bounds: CGRect, named superview: String, isScreen: Bool = false,
        before front: (views: [ViewSpec], covers: CoverSearch)? = nil, _ effort: inout Int
    ) {
        cost.reach += views.count
        for view in views {
            if view.frame == .zero, hasMistakes {
                // The empty frame may be the result of an error that was reported.
            } else if view.frame.isEmpty {
                warn(at: view.location, "\(view.name) has no area, so nothing can touch it")
            } else if !view.reach.intersects(bounds) {
                warn(at: view.location, "\(view.name) is outside \(superview), so nothing can touch it")
            } else if isScreen, let excess = view.excess(over: bounds) {
                warn(at: view.location, "\(view.name) is partly outside the screen: \(excess)")
            }
        }
        guard views.count + (front?.views.count ?? 0) > 1 else { return }
        var covers = CoverSearch()
        for (number, view) in views.enumerated().reversed() {
            var cover: ViewSpec?
            if !view.frame.isEmpty, !view.isHidden {
                cover =
                    front.flatMap { front in
                        front.covers.cover(of: view.reach, effort: &effort).map { front.views[$0] }
                    } ?? covers.cover(of: view.reach, effort: &effort).map { views[$0] }
            }
            if let cover {
                let other = cover.id.map { "view '\($0)'" } ?? "a view"
                warn(at: view.location, "\(view.name) is completely behind \(other), so nothing can touch it")
            } else if alwaysTakesTouches(view) {
                covers.add(view.frame, number)
            }
        }
    }

    // MARK: Behind siblings

    private func covers(of views: [ViewSpec]) -> CoverSearch {
        var covers = CoverSearch()
        for (number, view) in views.enumerated().reversed() where alwaysTakesTouches(view) {
            covers.add(view.frame, number)
        }
        return covers
    }

    /// Whether a view receives every touch in its frame.
    private func alwaysTakesTouches(_ view: ViewSpec) -> Bool {
        guard view.shape == .rectangle, view.transform.isIdentity, !view.isPassthrough, view.canBeTouched else {
            return false
        }
        guard let id = view.id else { return true }
        return !steps.has(.hide, .toggle, .disable, for: id)
    }
}

nonisolated extension ViewSpec {
    /// Its whole touchable area, in its superview's coordinates.
    fileprivate var reach: CGRect { transformed(frame.outset(by: self.slop)) }

    /// How far the frame is outside of bounds; nil if it is inside. Rounded percentages may exceed them by a point.
    fileprivate func excess(over bounds: CGRect) -> String? {
        let frame = transformed(frame)
        let sides = [
            ("left", bounds.minX - frame.minX), ("right", frame.maxX - bounds.maxX), ("top", bounds.minY - frame.minY),
            ("bottom", frame.maxY - bounds.maxY),
        ].filter { $0.1 > 1 }
        guard !sides.isEmpty else { return nil }
        return sides.map { "\(Int($0.1.rounded())) points at the \($0.0)" }.joined(separator: ", ")
    }

    /// A rectangle of its superview after the transform, which is applied about the frame's center.
    private func transformed(_ rect: CGRect) -> CGRect {
        guard !self.transform.isIdentity else { return rect }
        let centered = rect.offsetBy(dx: -frame.midX, dy: -frame.midY).applying(self.transform)
        return centered.offsetBy(dx: frame.midX, dy: frame.midY)
    }

    /// From the view's coordinates to its superview's.
    package var toSuperview: CGAffineTransform {
        CGAffineTransform(translationX: -frame.width / 2, y: -frame.height / 2).concatenating(self.transform)
            .concatenating(CGAffineTransform(translationX: frame.midX, y: frame.midY))
    }
}

nonisolated extension CGRect {
    /// The rectangle with its edges moved outwards.
    package func outset(by insets: EdgeInsets) -> CGRect {
        CGRect(
            x: minX - insets.left, y: minY - insets.top, width: width + insets.left + insets.right,
            height: height + insets.top + insets.bottom)
    }
}

/// Finds one of many rectangles that covers a given rectangle.
///
/// Each rectangle is stored in a grid whose cells are about its size, in at most four cells. A search looks in one cell
/// of each grid: the cell that contains the center of the given rectangle.
nonisolated struct CoverSearch {
    private struct Square: Hashable {
        var level: Int8
        var x, y: Int32
    }

    /// The last entry of each cell; each entry refers to the previous one.
    private var squares: [Square: Int32] = [:]
    private var entries: [(cover: Int32, next: Int32)] = []
    private var covers: [(frame: CGRect, number: Int32)] = []
    private var levels: Set<Int8> = []

    /// Adds a rectangle with a number.
    mutating func add(_ frame: CGRect, _ number: Int) {
        guard !frame.isEmpty, max(abs(frame.minX), abs(frame.minY), abs(frame.maxX), abs(frame.maxY)) < 1e7 else {
            return
        }
        let level = Int8(max(0, ceil(log2(max(frame.width, frame.height, 1)))))
        levels.insert(level)
        let (first, last) = (
            square(level, CGPoint(x: frame.minX, y: frame.minY)), square(level, CGPoint(x: frame.maxX, y: frame.maxY))
        )
        for x in first.x...last.x {
            for y in first.y...last.y {
                let square = Square(level: level, x: x, y: y)
                entries.append((Int32(covers.count), squares[square] ?? -1))
                squares[square] = Int32(entries.count - 1)
            }
        }
        covers.append((frame, Int32(number)))
    }

    /// The number of a rectangle that covers `frame`.
    ///
    /// - Parameter effort: The steps left for all searches of a layout. With none left the result is nil, because it is
    ///   only for a warning.
    func cover(of frame: CGRect, effort: inout Int) -> Int? {
        guard max(abs(frame.midX), abs(frame.midY)) < 1e7 else { return nil }
        for level in levels {
            var entry = squares[square(level, CGPoint(x: frame.midX, y: frame.midY))] ?? -1
            while entry >= 0 {
                guard effort > 0 else { return nil }
                effort -= 1
                let (cover, next) = entries[Int(entry)]
                if covers[Int(cover)].frame.contains(frame) { return Int(covers[Int(cover)].number) }
                entry = next
            }
        }
        return nil
    }

    private func square(_ level: Int8, _ point: CGPoint) -> Square {
        let size = CGFloat(sign: .plus, exponent: Int(level), significand: 1)
        return Square(
            level: level, x: Int32((point.x / size).rounded(.down)), y: Int32((point.y / size).rounded(.down)))
    }
}
