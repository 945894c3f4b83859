import Foundation
import TouchKit

/// The result of hit-testing without the views inside private ones.
///
/// A handler may disable or hide a key depending on what was typed, so the result depends only on the frames: if any
/// key contains the point, the result is the private view, whichever view really receives the touch.
struct ConcealedHit {
    /// The view that receives the touch.
    let view: View?
    /// The visits to views outside of private views.
    let visits: [HitVisit]

    /// - Parameter point: In the window's coordinates.
    init(_ view: View?, _ visits: [HitVisit], at point: CGPoint, in window: Window) {
        let reached = visits.firstIndex { visit in
            guard visit.view.isInsidePrivate else { return false }
            if case .covered = visit.outcome { return false }
            return visit.view.point(inside: visit.view.convert(point, from: window), with: nil)
        }
        guard let pad = reached.map({ visits[$0].view }).flatMap(\.outermostPrivate) ?? view?.privateContainer else {
            self.view = view
            self.visits = visits.filter { !$0.view.isInsidePrivate }
            return
        }
        self.view = pad
        var found: [HitVisit] = []
        for visit in visits where !visit.view.isInsidePrivate {
            var visit = visit
            if visit.view === pad {
                visit.outcome = .taken
            } else if pad.isDescendant(of: visit.view) {
                visit.outcome = .entered
            } else if case .redirected(let target) = visit.outcome {
                visit.outcome = .redirected(to: target.privateContainer ?? target)
            }
            found.append(visit)
            // The views behind it would reveal whether a key received the touch.
            if visit.view === pad { break }
        }
        self.visits = found
    }
}

extension View {
    fileprivate var isInsidePrivate: Bool { privateContainer != nil }

    /// The outermost private ancestor of this view; nil if it has none.
    fileprivate var privateContainer: View? { superview?.outermostPrivate }
}
