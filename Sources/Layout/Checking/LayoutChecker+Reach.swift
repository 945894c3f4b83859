import Foundation

nonisolated extension LayoutChecker {
    /// Views that no finger can reach: without area, outside their superview, or wholly behind a sibling.
    mutating func checkReach() {
        for screen in document.screens {
            let bounds = CGRect(origin: .zero, size: screen.size)
            let isFirst = screen == document.screens.first
            let front = document.views.filter { $0.screen == screen.name || $0.screen == nil && isFirst }
            check(front, in: bounds, named: "the screen")
            for page in document.pages where page.screen == screen.name || page.screen == nil && isFirst {
                check(page.views, in: bounds, named: "the screen", before: front)
            }
        }
    }

    private mutating func check(
        _ views: [ViewSpec], in bounds: CGRect, named superview: String, before front: [ViewSpec] = []
    ) {
        for view in views {
            let name = view.id.map { "view '\($0)'" } ?? "this view"
            let reach = view.reach
            if view.frame == .zero, hasMistakes {
                // It may be what a frame with a mistake was read as.
            } else if view.frame.isEmpty {
                warn(at: view.location, "\(name) has no area, so nothing can touch it")
            } else if !reach.intersects(bounds) {
                warn(at: view.location, "\(name) lies outside \(superview), so nothing can touch it")
            }
            let inside = CGRect(origin: .zero, size: view.frame.size).outset(by: view.slop)
            if !view.views.isEmpty { check(view.views, in: inside, named: name) }
        }
        checkCover(views, before: front)
    }

    // MARK: Behind siblings

    private mutating func checkCover(_ views: [ViewSpec], before front: [ViewSpec]) {
        guard views.count + front.count > 1 else { return }
        var covers = CoverSearch()
        for view in front.reversed() where alwaysTakesTouches(view) { covers.add(view.frame, view.id ?? "") }
        for view in views.reversed() {
            if !view.frame.isEmpty, !view.isHidden, let cover = covers.cover(of: view.reach) {
                let name = view.id.map { "view '\($0)'" } ?? "this view"
                let other = cover.isEmpty ? "a view" : "view '\(cover)'"
                warn(at: view.location, "\(name) lies wholly behind \(other), so nothing can touch it")
            } else if alwaysTakesTouches(view) {
                covers.add(view.frame, view.id ?? "")
            }
        }
    }

    /// Whether a view always takes every touch in its frame.
    private func alwaysTakesTouches(_ view: ViewSpec) -> Bool {
        guard view.shape == .rectangle, view.transform.isIdentity, !view.isPassthrough, view.isEnabled,
            !view.isHidden, view.alpha >= 0.01
        else { return false }
        guard let id = view.id else { return true }
        return !steps.hidden.contains(id) && !steps.disabled.contains(id)
    }
}

nonisolated extension ViewSpec {
    /// Everything that can be touched of it, in its superview's coordinates.
    fileprivate var reach: CGRect {
        let reach = frame.outset(by: slop)
        guard !transform.isIdentity else { return reach }
        let centred = reach.offsetBy(dx: -frame.midX, dy: -frame.midY).applying(transform)
        return centred.offsetBy(dx: frame.midX, dy: frame.midY)
    }
}

nonisolated extension CGRect {
    /// The rectangle with its edges moved outwards.
    func outset(by insets: EdgeInsets) -> CGRect {
        CGRect(
            x: minX - insets.left, y: minY - insets.top, width: width + insets.left + insets.right,
            height: height + insets.top + insets.bottom)
    }
}

/// Finds a rectangle that covers another one, among many.
///
/// Each is filed under the squares that it overlaps of a grid as coarse as itself, four at most, and looked for in the one
/// square of each grid that the middle of the covered one is in.
private nonisolated struct CoverSearch {
    private struct Square: Hashable {
        var level: Int8
        var x, y: Int32
    }

    private var squares: [Square: [Int32]] = [:]
    private var covers: [(frame: CGRect, name: String)] = []
    private var levels: Set<Int8> = []
    /// Layouts that would take longer than this to look through are not looked through: it is a warning alone.
    private var effort = 5_000_000

    mutating func add(_ frame: CGRect, _ name: String) {
        guard !frame.isEmpty, max(abs(frame.minX), abs(frame.minY), abs(frame.maxX), abs(frame.maxY)) < 1e7 else {
            return
        }
        let level = Int8(max(0, ceil(log2(max(frame.width, frame.height, 1)))))
        let size = CGFloat(sign: .plus, exponent: Int(level), significand: 1)
        levels.insert(level)
        for x in Int32((frame.minX / size).rounded(.down))...Int32((frame.maxX / size).rounded(.down)) {
            for y in Int32((frame.minY / size).rounded(.down))...Int32((frame.maxY / size).rounded(.down)) {
                squares[Square(level: level, x: x, y: y), default: []].append(Int32(covers.count))
            }
        }
        covers.append((frame, name))
    }

    mutating func cover(of frame: CGRect) -> String? {
        guard max(abs(frame.midX), abs(frame.midY)) < 1e7 else { return nil }
        for level in levels {
            let size = CGFloat(sign: .plus, exponent: Int(level), significand: 1)
            let square = Square(
                level: level, x: Int32((frame.midX / size).rounded(.down)), y: Int32((frame.midY / size).rounded(.down))
            )
            for number in squares[square] ?? [] {
                effort -= 1
                guard effort > 0 else { return nil }
                if covers[Int(number)].frame.contains(frame) { return covers[Int(number)].name }
            }
        }
        return nil
    }
}
