import Foundation
import TouchKit

/// The result of hit-testing without the views inside private ones.
///
/// A handler may have disabled or hidden a key because of what was typed. So the answer depends only on where the keys and the
/// views that redirect to them are: the private view takes each touch there, whichever view really does.
struct ConcealedHit {
    /// The view that receives the touch.
    let view: View?
    /// The visits to views outside of private views.
    let visits: [HitVisit]

    /// - Parameter point: In the window's coordinates.
    init(_ view: View?, _ visits: [HitVisit], at point: CGPoint, in window: Window) {
        let receivers = Self.order(visits).lazy.compactMap {
            Self.receiver(visits[$0], at: point, in: window, number: $0)
        }
        let receiver = receivers.first
        guard let receiver, let pad = receiver.pad else {
            self.view = view
            self.visits = visits.filter { !$0.view.isInsidePrivate }
            return
        }
        self.view = pad
        // What takes the touch as far as it is shown: the private view, or the view that redirects to a key in it.
        let last = receiver.isRedirected ? visits[receiver.number].view : pad
        var found: [HitVisit] = []
        for visit in visits where !visit.view.isInsidePrivate {
            // What lies behind would show whether a key took the touch.
            if found.contains(where: { $0.view === last }), !visit.view.isDescendant(of: last) || last === pad { break }
            var visit = visit
            if visit.view === last {
                visit.outcome = receiver.isRedirected ? .redirected(to: pad) : .taken
            } else if last.isDescendant(of: visit.view) {
                visit.outcome = .entered
            }
            found.append(visit)
        }
        self.visits = found
    }

    /// A visit that takes the touch; `pad` is the private view that it takes it for.
    private struct Receiver {
        var number: Int
        var pad: View?
        var isRedirected: Bool
    }

    /// The visits' numbers in the order in which views answer: what is in a view before the view itself.
    private static func order(_ visits: [HitVisit]) -> [Int] {
        var order: [Int] = [], open: [Int] = []
        for (number, visit) in visits.enumerated() {
            while let last = open.last, visits[last].depth >= visit.depth { order.append(open.removeLast()) }
            open.append(number)
        }
        return order + open.reversed()
    }

    private static func receiver(_ visit: HitVisit, at point: CGPoint, in window: Window, number: Int) -> Receiver? {
        if case .covered = visit.outcome { return nil }
        if visit.view.isInsidePrivate {
            guard visit.view.point(inside: visit.view.convert(point, from: window), with: nil) else { return nil }
            return Receiver(number: number, pad: visit.view.outermostPrivate, isRedirected: false)
        }
        switch visit.outcome {
        case .taken: return Receiver(number: number, isRedirected: false)
        case .redirected(let target): return Receiver(number: number, pad: target.privateContainer, isRedirected: true)
        case .passedThrough, .entered:
            // It would take the touch if the key that it redirects to did.
            guard let target = visit.view.redirectTarget, target.window === window, let pad = target.privateContainer,
                pad.takesTouches
            else { return nil }
            return Receiver(number: number, pad: pad, isRedirected: true)
        case .hidden, .transparent, .disabled, .outside, .covered: return nil
        }
    }
}

extension View {
    fileprivate var isInsidePrivate: Bool { privateContainer != nil }

    /// The outermost private ancestor of this view; nil if it has none.
    fileprivate var privateContainer: View? { superview?.outermostPrivate }
}
