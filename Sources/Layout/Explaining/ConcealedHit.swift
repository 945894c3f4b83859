import Foundation
import TouchKit

/// The result of hit-testing without the views inside private ones.
///
/// A handler may have disabled or hidden a key because of what was typed. So the answer depends only on where the keys are:
/// where one of them contains the point, the private view takes the touch, whichever view really does.
struct ConcealedHit {
    /// The view that takes the touch.
    let view: View?
    /// The visits to views that are in no private view.
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
            // What lies behind would show whether a key took the touch.
            if visit.view === pad { break }
        }
        self.visits = found
    }
}

extension View {
    fileprivate var isInsidePrivate: Bool { privateContainer != nil }

    /// The outermost private view around this one; nil if it is that view itself, or in none.
    fileprivate var privateContainer: View? { superview?.outermostPrivate }
}
